/**
 * Matches of one shard in order, and what is asked about them: how many come before an entry of another shard, some of them
 * to compare with, a stretch of them.
 *
 * Each entry is only its ordinal, and its score where that is a key: other keys are read again for those that are shown.
 */
import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import {
  columnLength,
  compareColumnEntries,
  pickColumns,
  type RankAnswer,
  type RankEntries,
  type RankPivot,
  type RankRound,
  type SortColumn,
  sliceColumns,
} from '@shoal/shard-api';
import { GatheredColumns } from '../by-keys/merge-segments.ts';
import type { BoundSegment } from './match-keys.ts';

/** Entries handed out in one answer. */
const ENTRIES_MAX = 1_000_000;

export interface EntrySources {
  /** One a key; never empty. */
  readonly sort: readonly SortField[];
  /** Ascending by their documents. */
  readonly segments: readonly BoundSegment[];
  /** Scores are shown beside the keys. */
  readonly showsScores: boolean;
}

/** Entries in order. */
export interface OrderedEntries {
  readonly ords: Uint32Array;
  /** null where scores are neither key nor shown. */
  readonly scores: Float32Array | null;
}

export interface KeptEntries {
  readonly count: number;
  readonly bytes: number;
  entries(from: number, to: number): RankEntries;
  /** Keys of single entries. */
  pick(positions: Uint32Array): readonly SortColumn[];
}

/** Entries with the values of their keys. */
export function withValues({ sort, segments, showsScores }: EntrySources, found: OrderedEntries): RankEntries {
  const { ords, scores } = found;
  assert(sort.length > 0, `${ords.length} entries without a sort key`);
  assert(scores === null || scores.length === ords.length, `${scores?.length} scores of ${ords.length} entries`);
  assert(segments.length > 0 || ords.length === 0, `${ords.length} entries of no segment`);
  const bySegment = new Map<BoundSegment, number[]>();
  for (let i = 0; i < ords.length; i++) {
    const segment = segmentOf(segments, ords[i] as number);
    const own = bySegment.get(segment);
    if (own === undefined) bySegment.set(segment, [i]);
    else own.push(i);
  }
  const gathered = new GatheredColumns(sort.length, ords.length);
  const columnsOf = new Map<BoundSegment, readonly SortColumn[]>();
  for (const [segment, own] of bySegment) {
    const { view, sources } = segment;
    const docs = Uint32Array.from(own, (i) => (ords[i] as number) - view.docBase);
    columnsOf.set(
      segment,
      sources.map((source) => {
        const keys = Float64Array.from(own, (i, n) => source.key(docs[n] as number, scores?.[i] ?? 0));
        return source.column(docs, keys);
      }),
    );
  }
  const shown = showsScores && scores !== null ? scores.slice() : null;
  const [only] = columnsOf.values();
  if (columnsOf.size === 1 && only) return { columns: only, scores: shown, ords: ords.slice() };
  const taken = new Map<BoundSegment, number>();
  for (const ord of ords) {
    const segment = segmentOf(segments, ord);
    const at = taken.get(segment) ?? 0;
    taken.set(segment, at + 1);
    gathered.take(columnsOf.get(segment) ?? [], at);
  }
  return { columns: gathered.finish(), scores: shown, ords: ords.slice() };
}

function segmentOf(segments: readonly BoundSegment[], ord: number): BoundSegment {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((segments[middle] as BoundSegment).view.docBase <= ord) low = middle;
    else high = middle - 1;
  }
  return segments[low] as BoundSegment;
}

/** All matches, sorted. */
export class RankedList implements KeptEntries {
  readonly bytes: number;
  private readonly sources: EntrySources;
  private readonly found: OrderedEntries;

  constructor(sources: EntrySources, found: OrderedEntries) {
    const scoreCount = found.scores?.length ?? found.ords.length;
    assert(scoreCount === found.ords.length, `${scoreCount} scores of ${found.ords.length} entries`);
    this.sources = sources;
    this.found = found;
    this.bytes = found.ords.byteLength + (found.scores?.byteLength ?? 0);
  }

  get count(): number {
    return this.found.ords.length;
  }

  entries(from: number, to: number): RankEntries {
    const { ords, scores } = this.found;
    return withValues(this.sources, { ords: ords.subarray(from, to), scores: scores?.subarray(from, to) ?? null });
  }

  pick(positions: Uint32Array): readonly SortColumn[] {
    const { ords, scores } = this.found;
    return withValues(this.sources, pickEntries(positions, { ords, scores })).columns;
  }
}

/** Entries of a list, or of matches that are in no order yet. */
export function pickEntries(at: Uint32Array, { ords, scores }: OrderedEntries): OrderedEntries {
  const picked = new Uint32Array(at.length);
  const pickedScores = scores && new Float32Array(at.length);
  for (let i = 0; i < at.length; i++) {
    picked[i] = ords[at[i] as number] as number;
    if (pickedScores && scores) pickedScores[i] = scores[at[i] as number] as number;
  }
  return { ords: picked, scores: pickedScores };
}

/** The first matches, as a query found them. */
export class TopList implements KeptEntries {
  readonly bytes: number;
  private readonly found: RankEntries;

  constructor(found: RankEntries) {
    for (const column of found.columns) {
      const keyCount = columnLength(column);
      assert(keyCount === found.ords.length, `${keyCount} keys of ${found.ords.length} entries`);
    }
    this.found = found;
    this.bytes = found.ords.byteLength + (found.scores?.byteLength ?? 0);
    for (const column of found.columns) {
      this.bytes +=
        column.kind === 'string' ? column.bytes.byteLength + column.offsets.byteLength : column.values.byteLength;
    }
  }

  get count(): number {
    return this.found.ords.length;
  }

  entries(from: number, to: number): RankEntries {
    const { columns, scores, ords } = this.found;
    return {
      columns: sliceColumns(columns, from, to),
      scores: scores?.subarray(from, to) ?? null,
      ords: ords.subarray(from, to),
    };
  }

  pick(positions: Uint32Array): readonly SortColumn[] {
    return pickColumns(this.found.columns, positions);
  }
}

/** Answers one round of a selection. `shardIndex`: of this shard in the list of the search. */
export function answerRound(
  list: KeptEntries,
  sort: readonly SortField[],
  { lower, upper, ...round }: RankRound,
  shardIndex: number,
): Omit<RankAnswer, 'listId'> {
  const { count } = list;
  const below = lower === null ? 0 : countBefore(list, sort, lower, shardIndex);
  const above = upper === null ? count : countBefore(list, sort, upper, shardIndex);
  assert(below <= count && above <= count, `${below} entries below and ${above} above of ${count}`);
  const from = Math.min(count, Math.max(round.from, below));
  const to = Math.max(from, Math.min(round.to, above));
  const end = round.tail === null ? from : Math.min(count, to + round.tail, from + ENTRIES_MAX);
  return {
    count,
    below,
    above,
    pivots: pivotsOf(list, from, to, round.pivots),
    first: from,
    entries: list.entries(from, end),
  };
}

/** Evenly spaced, so that no gap is wider than the window by their number. */
function pivotsOf(list: KeptEntries, from: number, to: number, wanted: number): RankAnswer['pivots'] {
  const length = to - from;
  const shown = Math.min(length, wanted);
  const positions = new Uint32Array(shown);
  for (let i = 0; i < shown; i++) positions[i] = from + Math.floor(((i + 0.5) * length) / shown);
  const last = shown === 0 ? from : (positions[shown - 1] as number);
  assert(last >= from && (shown === 0 || last < to), `pivot ${last} outside ${from}..${to}`);
  return { positions, columns: list.pick(positions) };
}

/** Entries of this shard that stand before an entry of another; ties by shard. */
function countBefore(list: KeptEntries, sort: readonly SortField[], pivot: RankPivot, shardIndex: number): number {
  if (pivot.shardIndex === shardIndex) return Math.min(pivot.position, list.count);
  const isBeforeTies = shardIndex < pivot.shardIndex;
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareColumnEntries(sort, list.entries(middle, middle + 1).columns, 0, pivot.columns, 0);
    if (order < 0 || (order === 0 && isBeforeTies)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a list is asked with, and what its first answer told beside it. */
export interface KeptMatches {
  readonly entries: KeptEntries;
  /** Never empty. */
  readonly sort: readonly SortField[];
  /** All matches, which `entries` may be the first of. */
  readonly total: number;
  readonly maxScore: number | null;
  /** The search ended early: another one may find more. */
  readonly isPartial: boolean;
}
