/**
 * The gzip_lines codec: one event for each line of a text that arrives compressed. A line keeps its line end, as upstream
 * has it.
 *
 * What arrives may be a part of it: then it is held until the rest is there. It is unpacked again only when it has doubled,
 * so that a sender of tiny chunks costs no more than twice the work.
 */
import { gunzipSync } from 'node:zlib';
import { createEvent, type LogEvent } from '@shoal/agent-event';
import {
  type Charset,
  charsetNamed,
  type Decoder,
  type PluginContext,
  type PluginDefinition,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

/** Unpacked size of one text: a few bytes can say that they are gigabytes. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;
const NEWLINE = 0x0a;

export const gzipLinesCodec: PluginDefinition = {
  kind: 'codec',
  name: 'gzip_lines',
  version: '3.0.4',
  options: { charset: { type: 'string', default: 'UTF-8' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    return {
      name: 'gzip_lines',
      decoder: () => new GzipDecoder(charset, context),
      encode() {
        throw new ShoalError('illegal_argument_exception', 400, 'the codec [gzip_lines] only reads');
      },
    };
  },
};

class GzipDecoder implements Decoder {
  private readonly charset: Charset;
  private readonly context: PluginContext;
  private held: Uint8Array[] = [];
  private heldBytes = 0;
  /** Size that what is held must reach before it is worth another try. */
  private nextTryBytes = 0;

  constructor(charset: Charset, context: PluginContext) {
    this.charset = charset;
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
      return linesOf(text).map((line) => createEvent(new Map([['message', this.charset.decode(line)]])));
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
