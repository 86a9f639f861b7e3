/**
 * Keeps of each bucket the documents that are first by score or sort keys. What is shown of them is read at the end, of those
 * that were kept.
 */
import type { Aggregation, BucketKey, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps, writeJsonText } from '@shoal/core';
import type { HitForm, HitOptions } from '@shoal/query';
import { HitsJson, type SortColumn } from '@shoal/shard-api';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { mergeSegments } from '../../by-keys/merge-segments.ts';
import { ObservedMatches } from '../../by-keys/observed-matches.ts';
import type { SegmentKey, SortKey } from '../../by-keys/segment-key.ts';
import { firstOfSegments, type SegmentEntries, SegmentTop } from '../../by-keys/top-sorted.ts';
import type { HitCollector } from '../../walk/match-walk.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { DocScores } from '../collector/doc-scores.ts';
import type { DocumentReader } from '../collector/shown-documents.ts';

export type TopHitsRequest = Extract<Aggregation, { kind: 'topHits' }>;
type TopHitsPartial = Extract<PartialResult, { kind: 'topHits' }>;

/** Bytes of an entry without its keys: ordinal, score, position in the heap. */
const ENTRY_BYTES = 12;
const KEY_BYTES = 8;
/** Bytes of a bucket in a segment besides its entries, about. */
const BUCKET_BYTES = 400;
/** Microseconds to read what is shown of a document, about. */
const HIT_UNITS = 10;

export interface TopHitsParts {
  readonly keys: readonly SortKey[];
  /** null where nothing depends on scores. */
  readonly scores: DocScores | null;
  readonly reader: DocumentReader;
  readonly views: readonly SegmentView[];
  readonly form: HitForm;
}

export class TopHitsCollector implements BucketCollector {
  private readonly options: HitOptions;
  private readonly parts: TopHitsParts;
  /** Entries of the first documents, or none where they are only counted. */
  private readonly wanted: number;
  private readonly counts: number[] = [];
  private readonly maxScores: number[] = [];
  /** By bucket: its first documents in the segments that were left. */
  private readonly kept: SegmentEntries[][] = [];
  /** By bucket: its first documents in the segment that was entered. */
  private tops = new Map<number, SegmentTop>();
  private sources: readonly SegmentKey[] = [];
  /** By bucket: its documents in the segment, where keys are known only when it is left. */
  private observed = new Map<number, ObservedMatches>();
  private view: SegmentView | null = null;
  private readonly among = firstOfSegments();
  private readonly doc = new Uint32Array(1);
  private readonly score = new Float32Array(1);
  private bytes = 0;

  constructor(options: HitOptions, parts: TopHitsParts) {
    this.options = options;
    this.parts = parts;
    this.wanted = options.size === 0 ? 0 : options.from + options.size;
  }

  get memoryBytes(): number {
    return this.bytes;
  }

  enter(view: SegmentView): void {
    this.view = view;
    this.sources = this.parts.keys.map((key) => key.bind(view));
    this.parts.scores?.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { docs, count } = batch;
    const { scores } = this.parts;
    for (let i = 0; i < count; i++) {
      const [doc, bucket] = [docs[i] as number, buckets[i] as number];
      const score = scores === null ? 0 : scores.at(doc);
      this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
      this.maxScores[bucket] = Math.max(this.maxScores[bucket] ?? 0, score);
      if (this.wanted === 0) continue;
      this.doc[0] = doc;
      this.score[0] = score;
      const top = this.observed.get(bucket) ?? this.tops.get(bucket) ?? this.newTop(bucket);
      top.collect(this.doc, this.score, 1);
    }
  }

  private newTop(bucket: number): HitCollector {
    const { view, wanted, sources, among } = this;
    assert(view !== null, 'documents of no segment');
    const capacity = Math.min(wanted, view.segment.docCount);
    const { firstKeys } = among;
    const noLimit = { limit: Number.POSITIVE_INFINITY, firstKeys };
    const top = new SegmentTop(sources, capacity, { keys: null, doc: -1 }, true, noLimit);
    this.tops.set(bucket, top);
    this.bytes += BUCKET_BYTES + capacity * (ENTRY_BYTES + sources.length * KEY_BYTES);
    const observed = ObservedMatches.of(sources);
    if (observed === null) return top;
    this.observed.set(bucket, observed);
    return observed;
  }

  leave(): null {
    const docBase = this.view?.docBase ?? 0;
    for (const [bucket, top] of this.tops) {
      this.observed.get(bucket)?.handTo(top);
      const entries = this.kept[bucket] ?? [];
      this.kept[bucket] = entries;
      entries.push(top.finish(docBase));
    }
    this.tops = new Map();
    this.observed = new Map();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const partial = this.partial(buckets[i] as number);
      partials.push(partial);
      if (meter.isDue(1 + HIT_UNITS * partial.rows.length)) yield;
    }
    return partials;
  }

  private partial(bucket: number): TopHitsPartial {
    const { options, parts, wanted } = this;
    const total = this.counts[bucket] ?? 0;
    const showsMax = total > 0 && wanted > 0 && (options.sort.length === 0 || options.tracksScores);
    const order = parts.keys.map(({ field }) => field);
    const entries = mergeSegments(order, this.kept[bucket] ?? [], wanted);
    const shown = options.tracksScores ? entries : { ...entries, scores: null };
    const rows = Array.from(entries.ords, (ord, position) => {
      const view = parts.views.findLast(({ docBase }) => docBase <= ord);
      assert(view !== undefined, `no segment holds ordinal ${ord}`);
      const json = new HitsJson(options, { isInner: true, isCollapsed: false, showsTypes: parts.form.showsTypes });
      json.add({ ...parts.reader.shown(view, ord - view.docBase), result: shown, position }, null);
      return {
        keys: entries.columns.map((column) => sortKeyOf(column, position)),
        hit: writeJsonText(json.finish()).slice(1, -1),
      };
    });
    return {
      kind: 'topHits',
      total,
      maxScore: showsMax ? (this.maxScores[bucket] ?? 0) : null,
      showsPlainTotal: parts.form.showsPlainTotals,
      rows,
    };
  }
}

/** What other shards compare a document by. */
function sortKeyOf(column: SortColumn, position: number): BucketKey | null {
  if (column.kind !== 'string') return column.values[position] ?? 0;
  if (column.missing[position] === 1) return null;
  const bytes = column.bytes.subarray(column.offsets[position] ?? 0, column.offsets[position + 1] ?? 0);
  return Buffer.from(bytes).toString('latin1');
}
