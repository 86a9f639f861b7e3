/**
 * In how many documents of the background each of some terms is: a walk over the values of all its documents.
 */
import type { BucketKey } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { isLive } from '../../../format/flat-segment.ts';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { Weight } from '../../../match/weight/weight.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import { FilterMatches } from '../filters/filter-matches.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { keyOfTerm, missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { WideBatch } from '../values/wide-batch.ts';

/** Microseconds that a document, and a text, cost, about. */
const DOC_UNITS = 0.02;
const TEXT_UNITS = 0.3;

export interface Background {
  readonly source: ResolvedSource;
  readonly views: readonly SegmentView[];
  /** Which documents are of the background; null: all of the shard, as it has them on disk. */
  readonly filter: Weight | null;
}

/** Documents of the background, and those with each of some terms. */
export interface BackgroundFrequencies {
  readonly size: number;
  of(key: BucketKey): number;
  /** Called once, before the counts are asked for. */
  count(meter: StepMeter): Steps<void>;
}

export class BackgroundCounts implements BackgroundFrequencies {
  size = 0;
  readonly #background: Background;
  readonly #counts = new Map<BucketKey, number>();

  /** @param keys the terms that are asked about */
  constructor(background: Background, keys: Iterable<BucketKey>) {
    this.#background = background;
    for (const key of keys) this.#counts.set(key, 0);
  }

  of(key: BucketKey): number {
    return this.#counts.get(key) ?? 0;
  }

  *count(meter: StepMeter): Steps<void> {
    assert(this.size === 0, `a background of ${this.size} documents is counted twice`);
    const { views, filter } = this.#background;
    const matches = filter && new FilterMatches(filter);
    for (const view of views) {
      matches?.enter(view);
      const counter = yield* this.#counterOf(view, meter);
      for (const batch of batchesOf(view, matches)) {
        this.size += batch.count;
        if (batch.count > 0 && this.#counts.size > 0) counter(batch);
        if (meter.isDue(DOC_UNITS * batch.count + 1)) yield;
      }
      matches?.leave();
    }
  }

  *#counterOf(view: SegmentView, meter: StepMeter): Steps<(batch: DocBatch) => void> {
    const { source } = this.#background;
    const column = numbersOf(view, source);
    if (source.keyKind !== 'text' || source.scripted !== undefined) return this.#numberCounter(column);
    const texts = view.segment.ordinalColumn(source.field);
    return texts === null ? () => undefined : yield* this.#textCounter(texts, meter);
  }

  #numberCounter(column: NumericColumn | null): (batch: DocBatch) => void {
    const { source } = this.#background;
    if (column?.isWide) {
      const wide = new WideBatch();
      return (batch) => {
        wide.read(column, batch, source.missing);
        this.#addEach(wide.positions, wide.length, (at) => wide.values[at] as BucketKey);
      };
    }
    const numbers = new NumberBatch();
    const { texts } = source;
    return (batch) => {
      numbers.read(column, batch, missingNumber(source));
      this.#addEach(numbers.positions, numbers.length, (at) => {
        const value = numbers.values[at] as number;
        return texts === undefined ? value : texts.text(value);
      });
    };
  }

  *#textCounter(column: OrdinalColumn, meter: StepMeter): Steps<(batch: DocBatch) => void> {
    const { source } = this.#background;
    const keys: (BucketKey | null)[] = [];
    for (let ordinal = 0; ordinal < column.valueCount; ordinal++) {
      const key = keyOfTerm(source, column.value(ordinal));
      keys.push(this.#counts.has(key) ? key : null);
      if (meter.isDue(TEXT_UNITS)) yield;
    }
    keys.push(source.missing);
    const codes = new CodeBatch();
    return (batch) => {
      codes.readOrdinals(column, batch, source.missing === null ? -1 : column.valueCount);
      this.#addEach(codes.positions, codes.length, (at) => keys[codes.values[at] as number] ?? null);
    };
  }

  /** Values of a document that are equal stand side by side, and are one. */
  #addEach(positions: ArrayLike<number>, length: number, keyAt: (at: number) => BucketKey | null): void {
    let [lastPosition, lastKey]: [number, BucketKey | null] = [-1, null];
    for (let at = 0; at < length; at++) {
      const key = keyAt(at);
      const position = positions[at] as number;
      if (key === null || (position === lastPosition && key === lastKey)) continue;
      [lastPosition, lastKey] = [position, key];
      const count = this.#counts.get(key);
      if (count !== undefined) this.#counts.set(key, count + 1);
    }
  }
}

/** Documents of the background in a segment. @param matches null: all of them, as they are on disk */
export function* batchesOf(view: SegmentView, matches: FilterMatches | null): Generator<DocBatch> {
  const batch = new DocBatch();
  const { docCount } = view.segment;
  const docs = new Uint32Array(BATCH_SIZE);
  for (let from = 0; from < docCount; from += BATCH_SIZE) {
    batch.setStretch(from, Math.min(docCount, from + BATCH_SIZE));
    if (matches !== null) {
      matches.mark(batch);
      let count = 0;
      for (let i = 0; i < batch.count; i++) {
        const isTaken = matches.marks[i] !== 0 && (view.liveDocs === null || isLive(view.liveDocs, from + i));
        if (isTaken) docs[count++] = from + i;
      }
      batch.setList(docs, count);
    }
    yield batch;
  }
}
