/**
 * One file on its way into the queue: reads chunks, cuts lines, decodes, pushes, and knows how far it is safe.
 *
 * The position moves only behind what the queue has taken, and never into lines that the codec still holds back.
 */

import type { FileHandle } from 'node:fs/promises';
import type { LogEvent } from '@shoal/agent-event';
import { asBuffer, type Codec, type Decoder, DelimiterSplitter, type EventSink } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import { type Digest, digestOf, TAIL_BYTES } from './file-fingerprint.ts';

/** Codecs that look for line ends themselves get them back. */
const CUTTING_CODECS: readonly string[] = ['line', 'json_lines'];
const NEWLINE = new Uint8Array([0x0a]);

export interface ReadingOptions {
  readonly codec: Codec;
  readonly delimiter: Uint8Array;
  readonly sink: EventSink;
  /** Adds path and host. */
  decorate(event: LogEvent): void;
}

/** The queue took not all of what was read since `position`: that is no fault of the file. */
export class RefusedPush extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'RefusedPush';
  }
}

export class FileReading {
  private readonly options: ReadingOptions;
  private splitter: DelimiterSplitter;
  private readonly decoder: Decoder;
  private readonly givesNewlines: boolean;
  private readonly cutsAtNewlines: boolean;
  /** Next byte to read. */
  private offset: number;
  /** Bytes before `offset` that were read last, for a fingerprint. */
  private recent: Uint8Array = new Uint8Array(0);
  /** First byte that a restart must read again. */
  position: number;

  constructor(options: ReadingOptions, position: number) {
    this.options = options;
    this.splitter = new DelimiterSplitter(options.delimiter);
    this.decoder = options.codec.decoder();
    this.givesNewlines = CUTTING_CODECS.includes(options.codec.name);
    this.cutsAtNewlines = asBuffer(options.delimiter).equals(NEWLINE);
    this.offset = position;
    this.position = position;
  }

  get idleFlushMs(): number | undefined {
    return this.decoder.idleFlushMs;
  }

  /** Bytes read, 0 at the end. Resolves when the queue has the events. */
  async readChunk(file: FileHandle, buffer: Uint8Array): Promise<number> {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, this.offset);
    if (bytesRead === 0) return 0;
    const chunk = buffer.subarray(0, bytesRead);
    const kept = bytesRead >= TAIL_BYTES ? chunk : Buffer.concat([this.recent, chunk]);
    this.recent = Buffer.from(kept.subarray(Math.max(0, kept.length - TAIL_BYTES)));
    await this.take(chunk);
    return bytesRead;
  }

  /** Bytes from wherever (an archive); they count as read. */
  async take(chunk: Uint8Array): Promise<void> {
    const { lineEvent } = this.options.codec;
    if (lineEvent !== undefined && this.options.sink.pushLines !== undefined && this.cutsAtNewlines) {
      await this.takeLines(chunk, lineEvent.call(this.options.codec));
      return;
    }
    // Lines share memory with the chunk, which is read into again: what is held must be a copy.
    const start = this.offset - this.splitter.pendingBytes;
    this.offset += chunk.length;
    const lines = this.splitter.push(Buffer.from(chunk));
    const events: LogEvent[] = [];
    let at = start;
    let safe = this.position;
    for (const line of lines) {
      this.decode(line, events);
      const pending = this.decoder.pendingUnits?.() ?? 0;
      if (pending === 1) safe = at;
      at += line.length + this.options.delimiter.length;
      if (pending === 0) safe = at;
    }
    await this.push(events);
    this.position = safe;
  }

  /** Lines that nobody here looks into: they are decoded where the filters run. */
  private async takeLines(chunk: Uint8Array, prototype: LogEvent): Promise<void> {
    this.offset += chunk.length;
    const end = asBuffer(chunk).lastIndexOf(NEWLINE[0] ?? 0) + 1;
    const held = end > 0 ? this.splitter.flush() : null;
    const bytes = Buffer.concat([held ?? new Uint8Array(0), chunk.subarray(0, end)]);
    // What is behind the last line end is held; a piece comes out of it only when it grows beyond all limits.
    const pieces = end < chunk.length ? this.splitter.push(Buffer.from(chunk.subarray(end))) : [];
    this.options.decorate(prototype);
    if (bytes.length > 0) await this.pushed(this.options.sink.pushLines?.({ bytes, prototype }));
    const events: LogEvent[] = [];
    for (const piece of pieces) this.decode(piece, events);
    await this.push(events);
    this.position = this.offset - this.splitter.pendingBytes;
  }

  /** The end of the file: what is held comes out, the last line too when it has no delimiter. */
  async finish(): Promise<void> {
    const events: LogEvent[] = [];
    const rest = this.splitter.flush();
    if (rest !== null) this.decode(rest, events);
    this.flushDecoder(events);
    await this.push(events);
    this.position = this.offset;
  }

  /** What the codec holds back comes out; a line that is not whole stays. */
  async flushIdle(): Promise<void> {
    const events: LogEvent[] = [];
    this.flushDecoder(events);
    await this.push(events);
    this.position = this.offset - this.splitter.pendingBytes;
  }

  /** The file was cut: from its start, without what is held. */
  rewind(): void {
    this.recent = new Uint8Array(0);
    this.splitter = new DelimiterSplitter(this.options.delimiter);
    this.offset = 0;
    this.position = 0;
  }

  get readOffset(): number {
    return this.offset;
  }

  /** Digest of what was read last; null before anything was. */
  tail(): Digest | null {
    return this.recent.length === 0 ? null : digestOf(this.recent, this.offset);
  }

  private decode(line: Uint8Array, events: LogEvent[]): void {
    for (const event of this.decoder.decode(line)) events.push(event);
    if (this.givesNewlines) for (const event of this.decoder.decode(NEWLINE)) events.push(event);
  }

  private flushDecoder(events: LogEvent[]): void {
    for (const event of this.decoder.flush()) events.push(event);
  }

  private async push(events: readonly LogEvent[]): Promise<void> {
    if (events.length === 0) return;
    for (const event of events) this.options.decorate(event);
    await this.pushed(this.options.sink.push(events));
  }

  private async pushed(push: Promise<void> | undefined): Promise<void> {
    try {
      await push;
    } catch (error) {
      throw new RefusedPush(error);
    }
  }
}
