/**
 * Slow log of writes: documents whose indexing took as long as the settings of their index say.
 */
import { isShoalError, parseJson, writeJsonText } from '@shoal/core';
import type { Clock, Log } from '@shoal/runtime';
import type { FlatIndexSettings } from '@shoal/schema';
import type { ShardId, WriteOperation } from '@shoal/shard-api';
import { type SlowThresholds, slowLevel, slowThresholds, writeSlow } from './slow-log-levels.ts';

/** Default `index.indexing.slowlog.source`: characters of the document that are written. */
const SOURCE_CHARS = 1_000;
const DECODER = new TextDecoder();

export interface IndexingSlowLogParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly shard: ShardId;
}

export class IndexingSlowLog {
  private readonly parts: IndexingSlowLogParts;
  private thresholds: SlowThresholds = null;
  private sourceChars = SOURCE_CHARS;
  private reformats = true;

  constructor(parts: IndexingSlowLogParts, settings: FlatIndexSettings) {
    this.parts = parts;
    this.updateSettings(settings);
  }

  updateSettings(settings: FlatIndexSettings): void {
    this.thresholds = slowThresholds(settings, 'index.indexing.slowlog.threshold.index');
    this.sourceChars = sourceChars(settings['index.indexing.slowlog.source']);
    this.reformats = settings['index.indexing.slowlog.reformat'] !== 'false';
  }

  /** A threshold is set: writes are worth measuring. */
  get isOn(): boolean {
    return this.thresholds !== null;
  }

  /** Runs a write, and logs it when it was slow. */
  during<T>(operation: WriteOperation, write: () => T): T {
    if (operation.kind === 'delete') return write();
    const { clock, log, shard } = this.parts;
    const startMs = clock.monotonicMs();
    const result = write();
    const tookMs = clock.monotonicMs() - startMs;
    const level = slowLevel(this.thresholds, tookMs);
    if (level === null) return result;
    const { id, routing } = operation;
    writeSlow(log, level, 'slow write', {
      index: shard.index,
      shard: shard.number,
      tookMs: Math.round(tookMs),
      id,
      ...(routing === null ? {} : { routing }),
      ...(this.sourceChars === 0 ? {} : { source: this.sourceText(operation) }),
    });
    return result;
  }

  private sourceText(operation: Exclude<WriteOperation, { kind: 'delete' }>): string {
    const bytes = operation.kind === 'index' ? operation.source : operation.body;
    let text = DECODER.decode(bytes);
    // The document was read a moment ago, or refused: what is no JSON is written as it is.
    if (this.reformats && /[\r\n]/.test(text)) text = oneLine(bytes, text);
    return text.slice(0, this.sourceChars);
  }
}

function oneLine(bytes: Uint8Array, text: string): string {
  try {
    return writeJsonText(parseJson(bytes));
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return text;
  }
}

function sourceChars(text: string | undefined): number {
  if (text === undefined) return SOURCE_CHARS;
  if (text === 'true') return Number.POSITIVE_INFINITY;
  return text === 'false' ? 0 : Number(text);
}
