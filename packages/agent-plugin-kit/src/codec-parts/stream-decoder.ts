/**
 * Decoders for streams of bytes, where nothing but the codec cuts units.
 *
 * `plain`, `json`, `csv` and `multiline` want whole units: on a stream a unit is a line. The other codecs cut for
 * themselves. Decoders that hold events back (multiline) are flushed by their own idle time.
 */

import type { LogEvent } from '@shoal/agent-event';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { Codec, Decoder } from '../contract/plugin-definition.ts';
import { DelimiterSplitter, delimiterBytes } from '../text/delimiter-splitter.ts';

export interface StreamUnits {
  /** Units have the end of their line; what is left at the end of the stream has none. */
  readonly keepsLineEnd: boolean;
}

const LINE_END = delimiterBytes('\n');
const UNIT_CODECS: readonly string[] = ['plain', 'json', 'csv', 'multiline'];

export function streamDecoder(codec: Codec, { keepsLineEnd }: StreamUnits = { keepsLineEnd: false }): Decoder {
  const inner = codec.decoder();
  if (codec.needsUnits !== true && !UNIT_CODECS.includes(codec.name)) return inner;
  const splitter = new DelimiterSplitter(LINE_END);
  const unit = (line: Uint8Array): Uint8Array => (keepsLineEnd ? Buffer.concat([line, LINE_END]) : line);
  return {
    ...(inner.idleFlushMs === undefined ? {} : { idleFlushMs: inner.idleFlushMs }),
    decode: (bytes) => splitter.push(bytes).flatMap((line) => [...inner.decode(unit(line))]),
    flush() {
      const rest = splitter.flush();
      return [...(rest === null ? [] : inner.decode(rest)), ...inner.flush()];
    },
  };
}

/** Calls `flush` when nothing was decoded for as long as the decoder says. */
export class IdleFlush {
  private readonly runtime: Runtime;
  private readonly decoder: Decoder;
  private readonly give: (flush: () => readonly LogEvent[]) => void;
  private cancel: Cancel | null = null;

  /** `give` calls what it gets when everything that came before is decoded. */
  constructor(runtime: Runtime, decoder: Decoder, give: (flush: () => readonly LogEvent[]) => void) {
    this.runtime = runtime;
    this.decoder = decoder;
    this.give = give;
  }

  /** Restarts the wait after something was decoded. */
  touch(): void {
    this.stop();
    const { idleFlushMs } = this.decoder;
    if (idleFlushMs === undefined) return;
    this.cancel = this.runtime.sched.after(idleFlushMs, () => this.give(() => this.decoder.flush()));
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }
}
