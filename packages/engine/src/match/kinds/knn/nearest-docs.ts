/**
 * The documents of a shard whose vectors are nearest to one: each vector is compared as it is, so that none is missed.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { VectorScore } from '../../../field-types/dense-vector/vector-similarity.ts';
import { copyVector } from '../../../field-types/dense-vector/vector-terms.ts';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type OrdinalColumn, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { AllDocsScorer } from '../../bits/constant-weight.ts';
import { DocBitset } from '../../bits/doc-bitset.ts';
import type { Weight } from '../../weight/weight.ts';
import { ParentDocs } from '../nested/nested-docs.ts';
import { NearestHeap } from './nearest-heap.ts';

/** Microseconds that a number of a vector costs, about. */
const NUMBER_UNITS = 0.005;
/** Microseconds that a document costs, about. */
const DOC_UNITS = 0.3;

export interface NearestWish {
  /** Path of the vectors. */
  readonly path: string;
  readonly dims: number;
  readonly score: VectorScore;
  /** Documents, nested in nothing, in or among which vectors are looked for; null: all. */
  readonly filter: Weight | null;
  /** Documents wanted, at least 1. */
  readonly limit: number;
  /** Documents below it do not count. */
  readonly minScore: number;
  /** Vectors stand in nested documents, of which each document around them has the best alone. */
  readonly isNested: boolean;
}

/** Documents by segment, with their scores. */
export type NearestDocs = ReadonlyMap<SegmentView, ReadonlyMap<number, number>>;

export function* nearestDocs(views: readonly SegmentView[], wish: NearestWish, meter: StepMeter): Steps<NearestDocs> {
  const heap = new NearestHeap(wish.limit);
  for (const view of views) {
    const column = view.segment.ordinalColumn(wish.path);
    if (column === null) continue;
    const vectors = new VectorScores(column, wish);
    if (wish.isNested) yield* takeNested(view, vectors, wish, heap, meter);
    else yield* takePlain(view, vectors, wish, heap, meter);
  }
  return bySegment(views, heap);
}

/** Scores of the vectors of a segment. */
class VectorScores {
  readonly #column: OrdinalColumn;
  readonly #score: VectorScore;
  readonly #numbers: Float32Array;
  /** Microseconds that one costs, about. */
  readonly units: number;

  constructor(column: OrdinalColumn, { path, dims, score }: NearestWish) {
    assert(dims > 0 && !column.isMultiValued, `vectors of ${dims} numbers in [${path}]`);
    this.#column = column;
    this.#score = score;
    this.#numbers = new Float32Array(dims);
    this.units = DOC_UNITS + NUMBER_UNITS * dims;
  }

  /** NaN where the document has no vector, or one that the similarity says nothing about: an infinite score is none. */
  of(doc: number): number {
    const column = this.#column;
    const index = column.start(doc);
    if (index === column.start(doc + 1)) return Number.NaN;
    copyVector(column.value(column.ordinal(index)), this.#numbers);
    const score = this.#score(this.#numbers);
    return score === Number.POSITIVE_INFINITY ? Number.NaN : score;
  }
}

function* takePlain(
  view: SegmentView,
  vectors: VectorScores,
  { filter, minScore }: NearestWish,
  heap: NearestHeap,
  meter: StepMeter,
): Steps<void> {
  const { liveDocs, docBase, segment } = view;
  const matches = filter === null ? new AllDocsScorer(segment.docCount, 1) : filter.scorer(view);
  if (matches === null) return;
  for (let doc = matches.next(); doc !== NO_MORE_DOCS; doc = matches.next()) {
    if (liveDocs === null || isLive(liveDocs, doc)) {
      const score = vectors.of(doc);
      if (score >= minScore) heap.add(docBase + doc, score);
    }
    if (meter.isDue(vectors.units)) yield;
  }
}

/** Nested documents with vectors: the best one in each live document around them that the filter matches. */
function* takeNested(
  view: SegmentView,
  vectors: VectorScores,
  { filter, minScore }: NearestWish,
  heap: NearestHeap,
  meter: StepMeter,
): Steps<void> {
  if (view.nested === undefined) return;
  const around = yield* docsAround(view, filter, meter);
  const roots = new ParentDocs(view, '');
  for (let root = around.nextMember(0); root !== NO_MORE_DOCS; root = around.nextMember(root + 1)) {
    let [best, highest] = [-1, Number.NEGATIVE_INFINITY];
    for (let doc = roots.before(root) + 1; doc < root; doc++) {
      const score = vectors.of(doc);
      if (score > highest) [best, highest] = [doc, score];
      if (meter.isDue(vectors.units)) yield;
    }
    if (best !== -1 && highest >= minScore) heap.add(view.docBase + best, highest);
  }
}

/** Live documents, nested in nothing, that the filter matches. */
function* docsAround(view: SegmentView, filter: Weight | null, meter: StepMeter): Steps<DocBitset> {
  const { liveDocs, segment } = view;
  const found = new DocBitset(segment.docCount);
  const matches = filter === null ? new AllDocsScorer(segment.docCount, 1) : filter.scorer(view);
  for (let doc = matches?.next() ?? NO_MORE_DOCS; doc !== NO_MORE_DOCS; doc = matches?.next() ?? NO_MORE_DOCS) {
    if (liveDocs === null || isLive(liveDocs, doc)) found.add(doc);
    if (meter.isDue(DOC_UNITS)) yield;
  }
  return found;
}

function bySegment(views: readonly SegmentView[], heap: NearestHeap): NearestDocs {
  const entries = [...heap.entries()];
  assert(entries.length === heap.count, `${entries.length} of ${heap.count} nearest documents`);
  return new Map(
    views.map((view) => {
      const { docBase, segment } = view;
      const own = entries.filter(([doc]) => doc >= docBase && doc < docBase + segment.docCount);
      return [view, new Map(own.map(([doc, score]) => [doc - docBase, score]))];
    }),
  );
}
