/**
 * Lines of a text that arrives compressed: each keeps its line end.
 *
 * What arrives may be a part of it: then it is held until the rest is there. It is unpacked again only when it has doubled,
 * so that a sender of tiny chunks costs no more than twice the work.
 */
import { gunzipSync } from 'node:zlib';
import type { LogEvent } from '@shoal/agent-event';
import type { Decoder, PluginContext } from '@shoal/agent-plugin-kit';

/** Unpacked size of one text: a few bytes can say that they are gigabytes. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Events of all lines of one text. */
export type EventsOfLines = (lines: readonly Buffer[]) => readonly LogEvent[];

export class GzipDecoder implements Decoder {
  private readonly eventsOf: EventsOfLines;
  private readonly context: PluginContext;
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  /** Size that what is held must reach before it is worth another try. */
  private nextTryBytes = 0;

  constructor(eventsOf: EventsOfLines, context: PluginContext) {
    this.eventsOf = eventsOf;
    this.context = context;
  }

  decode(bytes: Uint8Array): readonly LogEvent[] {
    if (bytes.length === 0) return [];
    this.held.push(bytes.slice());
    this.heldBytes += bytes.length;
    return this.heldBytes < this.nextTryBytes ? [] : this.unpack(false);
  }

  flush(): readonly LogEvent[] {
    return this.heldBytes === 0 ? [] : this.unpack(true);
  }

  private unpack(isLast: boolean): readonly LogEvent[] {
    const packed = Buffer.concat(this.held);
    try {
      const text = gunzipSync(packed, { maxOutputLength: TEXT_BYTES_MAX });
      this.forget();
      return this.eventsOf(linesOf(text));
    } catch (error) {
      if (!isLast && isCutOff(error) && packed.length <= TEXT_BYTES_MAX) {
        this.nextTryBytes = packed.length * 2;
        return [];
      }
      this.context.runtime.log.error('cannot unpack what should be gzip', {
        plugin: this.context.pluginId,
        bytes: packed.length,
        error: String(error),
      });
      this.context.metrics.increment('failures');
      this.forget();
      return [];
    }
  }

  private forget(): void {
    this.held = [];
    this.heldBytes = 0;
    this.nextTryBytes = 0;
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
}

function linesOf(text: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(NEWLINE, from);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.subarray(from, next));
    from = next;
  }
  return lines;
}
