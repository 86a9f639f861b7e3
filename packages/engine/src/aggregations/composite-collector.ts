/**
 * `composite`: buckets by the values of several fields at once, in the order of their keys, the first `size` behind `after`.
 *
 * Every combination of a document's values is a key. Once more keys were seen than an answer can hold, those that cannot be
 * in it any more are given up, and later ones behind the last kept are not looked at.
 */
import {
  type BucketKey,
  type CompositeAggregation,
  type CompositeKey,
  type CompositeSource,
  compareCompositeKeys,
  type PartialResult,
} from '@shoal/aggregations';
import type { OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import {
  missingNumber,
  NumberBatch,
  numbersOf,
  type ResolvedSource,
  readNumbers,
  readOrdinals,
} from './field-values.ts';
import { IntervalRounding } from './histogram-collector.ts';

/** Keys kept beyond the size before they are sorted and cut. */
const SLACK = 10_000;
const utf8 = new TextDecoder();

interface CompositeBucket {
  readonly key: CompositeKey;
  readonly id: number;
  docCount: number;
}

export interface ResolvedCompositeSource {
  readonly declared: CompositeSource;
  readonly source: ResolvedSource;
}

/** Values of one source for the documents of a batch. */
class SourceValues {
  readonly declared: CompositeSource;
  readonly source: ResolvedSource;
  readonly batch: NumberBatch = new NumberBatch();
  private readonly rounding: IntervalRounding | null;
  private ordinals: OrdinalColumn | null = null;
  private numbers: ReturnType<typeof numbersOf> = null;
  /** By ordinal of the segment. */
  private texts: (string | undefined)[] = [];
  /** Where the next document's values start. */
  at = 0;

  constructor({ declared, source }: ResolvedCompositeSource) {
    this.declared = declared;
    this.source = source;
    this.rounding = declared.kind === 'terms' ? null : new IntervalRounding(declared, 0);
  }

  enter(view: SegmentView): void {
    const isText = this.source.keyKind === 'text';
    this.ordinals = isText ? view.segment.ordinalColumn(this.source.field) : null;
    this.numbers = isText ? null : numbersOf(view, this.source);
    this.texts = [];
  }

  read(docs: Uint32Array, count: number): void {
    this.at = 0;
    if (this.source.keyKind === 'text') {
      const missing = this.source.missing === null ? -1 : (this.ordinals?.valueCount ?? 0);
      readOrdinals(this.ordinals, docs, count, missing, this.batch);
    } else readNumbers(this.numbers, docs, count, missingNumber(this.source), this.batch);
  }

  /** Keys of the document at `position`; moves on to the next. */
  take(position: number): readonly (BucketKey | null)[] {
    const { batch } = this;
    const keys: (BucketKey | null)[] = [];
    while (this.at < batch.length && batch.positions[this.at] === position) {
      const key = this.keyOf(batch.values[this.at++] as number);
      if (!keys.includes(key)) keys.push(key);
    }
    return keys.length === 0 && this.declared.hasMissingBucket ? [null] : keys;
  }

  private keyOf(value: number): BucketKey {
    if (this.source.keyKind !== 'text') return this.rounding === null ? value : this.rounding.round(value);
    const known = this.texts[value];
    if (known !== undefined) return known;
    const { ordinals } = this;
    if (ordinals === null || value >= ordinals.valueCount) return String(this.source.missing);
    const bytes = ordinals.value(value);
    const text = this.source.kind === 'ip' ? Buffer.from(bytes).toString('latin1') : utf8.decode(bytes);
    this.texts[value] = text;
    return text;
  }
}

export class CompositeCollector implements BucketCollector {
  private readonly aggregation: CompositeAggregation;
  private readonly sources: readonly SourceValues[];
  private readonly children: ChildBatch;
  /** Key behind which buckets start. */
  private readonly after: CompositeKey | null;
  private buckets = new Map<string, CompositeBucket>();
  private nextId = 0;
  /** Keys behind this one cannot be in the answer; null while all can. */
  private last: CompositeKey | null = null;

  constructor(
    aggregation: CompositeAggregation,
    sources: readonly ResolvedCompositeSource[],
    after: CompositeKey | null,
    children: ChildBatch,
  ) {
    this.aggregation = aggregation;
    this.sources = sources.map((source) => new SourceValues(source));
    this.after = after;
    this.children = children;
  }

  get memoryBytes(): number {
    return this.buckets.size * 200 + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    for (const source of this.sources) source.enter(view);
    this.children.enter(view);
  }

  collect(docs: Uint32Array, _buckets: Uint32Array, count: number): void {
    for (const source of this.sources) source.read(docs, count);
    for (let i = 0; i < count; i++) {
      const values = this.sources.map((source) => source.take(i));
      if (values.some((keys) => keys.length === 0)) continue;
      this.addCombinations(docs[i] as number, values, []);
    }
    if (this.buckets.size > this.aggregation.size + SLACK) this.cut();
  }

  private addCombinations(doc: number, values: readonly (readonly (BucketKey | null)[])[], head: CompositeKey): void {
    const choices = values[head.length];
    if (choices === undefined) {
      this.add(doc, head);
      return;
    }
    for (const choice of choices) this.addCombinations(doc, values, [...head, choice]);
  }

  private add(doc: number, key: CompositeKey): void {
    const { sources } = this.aggregation;
    if (this.after !== null && compareCompositeKeys(sources, key, this.after) <= 0) return;
    if (this.last !== null && compareCompositeKeys(sources, key, this.last) > 0) return;
    const name = key.map((value) => `${typeof value}:${String(value).length}:${String(value)}`).join();
    let bucket = this.buckets.get(name);
    if (bucket === undefined) this.buckets.set(name, (bucket = { key, id: this.nextId++, docCount: 0 }));
    bucket.docCount++;
    if (!this.children.isEmpty) this.children.push(doc, bucket.id);
  }

  private cut(): void {
    const kept = this.sorted().slice(0, this.aggregation.size);
    const names = new Set(kept.map(([name]) => name));
    for (const name of this.buckets.keys()) if (!names.has(name)) this.buckets.delete(name);
    this.last = kept.at(-1)?.[1].key ?? null;
  }

  private sorted(): [string, CompositeBucket][] {
    const { sources } = this.aggregation;
    return [...this.buckets].sort(([, a], [, b]) => compareCompositeKeys(sources, a.key, b.key));
  }

  leave(): void {
    this.children.leave();
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return Array.from(buckets, (): PartialResult => {
      const kept = this.sorted().slice(0, this.aggregation.size);
      const results = this.children.results(kept.map(([, { id }]) => id));
      return {
        kind: 'composite',
        formats: this.sources.map(({ source }) => source.format),
        keyKinds: this.sources.map(({ source }) => source.keyKind),
        buckets: kept.map(([, { key, docCount }], i) => ({ key, docCount, children: results[i] ?? [] })),
      };
    });
  }
}
