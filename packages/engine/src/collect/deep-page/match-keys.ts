/**
 * All matches of a query with their sort keys, in the order of their documents: what is sorted, or selected from.
 *
 * Columns of numbers, of which none is larger than it must be: a list that does not fit its budget is refused.
 */
import { assert, circuitBreaking, type ShoalError } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { compareColumnEntries, type SortColumn } from '@shoal/shard-api';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { SegmentKey, SortKey } from '../by-keys/segment-key.ts';
import type { HitCollector } from '../walk/match-walk.ts';
import { type KeyColumn, type OrderWord, orderWords, scoreWords } from './order-words.ts';
import { type PageCandidates, pageCandidates } from './page-candidates.ts';
import { type Steps, selectedOrder, sortedOrder } from './radix-order.ts';

/** A segment's sort keys, and where its entries begin. */
export interface BoundSegment {
  readonly view: SegmentView;
  readonly sources: readonly SegmentKey[];
  readonly start: number;
}

const CAPACITY_MIN = 65_536;
const KEY_BYTES = 8;
const SCORE_BYTES = 4;
const ORD_BYTES = 4;

export interface MatchKeysOptions {
  readonly keys: readonly SortKey[];
  /** Scores are kept: as a key, or to be shown. */
  readonly hasScores: boolean;
  /** Documents that can match at most. */
  readonly countMax: number;
  /** Documents that will match, as far as it is known. */
  readonly expected: number;
  readonly bytesMax: number;
}

export class MatchKeys implements HitCollector {
  private readonly options: MatchKeysOptions;
  readonly segments: BoundSegment[] = [];
  private size = 0;
  private lowestScore = Number.POSITIVE_INFINITY;
  private highestScore = Number.NEGATIVE_INFINITY;
  private allOrds: Uint32Array;
  /** null for the key that the score is: its column is that of the scores. */
  private readonly columns: (Float64Array | null)[];
  private allScores: Float32Array | null;

  constructor(options: MatchKeysOptions) {
    const { keys, hasScores, countMax, expected, bytesMax } = options;
    this.options = options;
    const room = Math.floor(bytesMax / MatchKeys.entryBytes(options));
    const capacity = Math.min(countMax, room, Math.max(expected, CAPACITY_MIN));
    this.allOrds = new Uint32Array(capacity);
    this.columns = keys.map(({ field }) => (field.kind === 'score' ? null : new Float64Array(capacity)));
    this.allScores = hasScores ? new Float32Array(capacity) : null;
  }

  /** What an entry takes until the order is known. */
  static entryBytes({ keys, hasScores }: Pick<MatchKeysOptions, 'keys' | 'hasScores'>): number {
    const columns = keys.filter(({ field }) => field.kind !== 'score').length;
    return ORD_BYTES + columns * KEY_BYTES + (hasScores ? SCORE_BYTES : 0);
  }

  get count(): number {
    return this.size;
  }

  /** Highest score of all entries; null without any, or without scores. */
  get maxScore(): number | null {
    return this.highestScore === Number.NEGATIVE_INFINITY ? null : this.highestScore;
  }

  /** By entry, ascending. */
  get ords(): Uint32Array {
    return this.allOrds.subarray(0, this.size);
  }

  get scores(): Float32Array | null {
    return this.allScores?.subarray(0, this.size) ?? null;
  }

  /** The entries as they are, in no more memory than they need. */
  trimmed(): { readonly ords: Uint32Array; readonly scores: Float32Array | null } {
    return { ords: this.ords.slice(), scores: this.scores?.slice() ?? null };
  }

  /** Batches that follow are of this segment. @returns its keys */
  begin(view: SegmentView): readonly SegmentKey[] {
    const sources = this.options.keys.map((key) => key.bind(view));
    const before = this.segments.at(-1)?.view.docBase ?? -1;
    assert(view.docBase > before, `a segment from ordinal ${view.docBase} behind one from ${before}`);
    this.segments.push({ view, sources, start: this.size });
    return sources;
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    const segment = this.segments[this.segments.length - 1];
    assert(segment !== undefined, `${count} matches before the first segment`);
    this.ensure(this.size + count);
    assert(
      this.size + count <= this.options.countMax,
      `${this.size + count} matches of ${this.options.countMax} documents`,
    );
    const { allOrds, allScores, size } = this;
    const { docBase } = segment.view;
    for (let i = 0; i < count; i++) allOrds[size + i] = (docs[i] as number) + docBase;
    if (allScores !== null) this.takeScores(scores, count, allScores);
    for (const [k, column] of this.columns.entries()) {
      const source = segment.sources[k] as SegmentKey;
      if (column === null) continue;
      if (source.fill) source.fill(docs, count, column, size);
      else for (let i = 0; i < count; i++) column[size + i] = source.key(docs[i] as number, scores[i] as number);
    }
    this.size += count;
  }

  private takeScores(scores: Float32Array, count: number, into: Float32Array): void {
    const { size } = this;
    let { lowestScore, highestScore } = this;
    for (let i = 0; i < count; i++) {
      // Zero has one sign only: scores are told apart by their bits.
      const score = (scores[i] as number) + 0;
      into[size + i] = score;
      if (score < lowestScore) lowestScore = score;
      if (score > highestScore) highestScore = score;
    }
    this.lowestScore = lowestScore;
    this.highestScore = highestScore;
  }

  private ensure(count: number): void {
    if (count <= this.allOrds.length) return;
    const { bytesMax, countMax } = this.options;
    const capacity = Math.max(count, Math.min(countMax, this.allOrds.length * 2));
    const wanted = capacity * MatchKeys.entryBytes(this.options);
    if (wanted > bytesMax) throw listTooLarge(wanted, bytesMax);
    this.allOrds = grown(this.allOrds, new Uint32Array(capacity));
    assert(this.allOrds.length >= count, `room for ${this.allOrds.length} of ${count} entries`);
    for (const [k, column] of this.columns.entries()) {
      if (column !== null) this.columns[k] = grown(column, new Float64Array(capacity));
    }
    if (this.allScores !== null) this.allScores = grown(this.allScores, new Float32Array(capacity));
  }

  /** Words that tell the order of the entries. */
  *orderWords(): Steps<readonly OrderWord[]> {
    const words: OrderWord[] = [];
    for (const [k, { field }] of this.options.keys.entries()) {
      const column = this.columns[k]?.subarray(0, this.size);
      if (column === undefined) words.push(...this.wordsOfScores(field.order === 'desc'));
      else words.push(...orderWords([this.isLocal(k) ? yield* this.ranksOf(k, column, field) : column]));
      yield;
    }
    return words;
  }

  /** Entries from..to of the order. */
  *page(from: number, to: number): Steps<Uint32Array> {
    const end = Math.min(to, this.size);
    const candidates = from < end ? yield* this.candidates(from, end) : null;
    if (candidates === null) return yield* selectedOrder(yield* this.orderWords(), this.size, from, to);
    const { entries, skipped } = candidates;
    assert(
      skipped <= from && end - skipped <= entries.length,
      `entries ${from}..${end} among ${entries.length} behind ${skipped}`,
    );
    const words = orderWords(this.options.keys.map((_, k) => this.keysOf(k, entries)));
    const order = yield* selectedOrder(words, entries.length, from - skipped, end - skipped);
    return order.map((at) => entries[at] as number);
  }

  private *candidates(from: number, to: number): Steps<PageCandidates | null> {
    const { keys } = this.options;
    const [first] = keys;
    if (first === undefined || keys.some((_, k) => this.isLocal(k))) return null;
    const column = this.columns[0]?.subarray(0, this.size);
    if (column !== undefined) return yield* pageCandidates(column, false, from, to);
    const { scores } = this;
    return scores === null ? null : yield* pageCandidates(scores, first.field.order === 'desc', from, to);
  }

  /** Keys of some entries, the smaller first in the order. */
  private keysOf(k: number, entries: Uint32Array): KeyColumn {
    const column = this.columns[k] ?? null;
    if (column !== null) return picked(column, entries, new Float64Array(entries.length), 1);
    const into = new Float32Array(entries.length);
    const sign = this.options.keys[k]?.field.order === 'desc' ? -1 : 1;
    return this.scores === null ? into : picked(this.scores, entries, into, sign);
  }

  /** Keys of one segment alone give way to ranks among all. */
  private isLocal(k: number): boolean {
    const filled = this.segments.filter((_, n) => this.endOf(n) > this.startOf(n));
    return filled.length > 1 && filled.some(({ sources }) => sources[k]?.isLocal);
  }

  private wordsOfScores(isDescending: boolean): readonly OrderWord[] {
    const { scores } = this;
    if (scores === null) return [];
    return scoreWords(scores, { lowest: this.lowestScore, highest: this.highestScore }, isDescending);
  }

  private startOf(n: number): number {
    return this.segments[n]?.start ?? this.size;
  }

  private endOf(n: number): number {
    return this.startOf(n + 1);
  }

  /** Ranks of values among those of all segments, in place of keys that compare within one alone. */
  private *ranksOf(k: number, column: Float64Array, field: SortField): Steps<Float64Array> {
    const runs: DistinctRun[] = [];
    for (const [n, { view, sources, start }] of this.segments.entries()) {
      const keys = column.subarray(start, this.endOf(n));
      if (keys.length === 0) continue;
      const order = yield* sortedOrder(orderWords([keys]), keys.length);
      const ords = this.allOrds.subarray(start, start + keys.length);
      runs.push(distinctRun({ source: sources[k] as SegmentKey, docBase: view.docBase, start, keys, order, ords }));
      yield;
    }
    rankRuns(runs, field);
    const ranks = new Float64Array(this.size);
    for (const { start, order, places, ranks: own } of runs) {
      for (let i = 0; i < order.length; i++) {
        ranks[start + (order[i] as number)] = own[places[i] as number] as number;
      }
    }
    return ranks;
  }
}

/** The distinct values of one segment in order, and which of them each entry has. */
interface DistinctRun {
  readonly start: number;
  readonly order: Uint32Array;
  /** By place in `order`: position among the distinct values. */
  readonly places: Uint32Array;
  readonly values: SortColumn;
  /** Rank of each distinct value; filled in when all runs are known. */
  readonly ranks: Float64Array;
}

interface RunParts {
  readonly source: SegmentKey;
  readonly docBase: number;
  readonly start: number;
  readonly keys: Float64Array;
  readonly order: Uint32Array;
  readonly ords: Uint32Array;
}

function distinctRun({ source, docBase, start, keys, order, ords }: RunParts): DistinctRun {
  const places = new Uint32Array(order.length);
  const docs: number[] = [];
  assert(ords.length === keys.length, `${ords.length} ordinals of ${keys.length} keys`);
  assert(order.length === keys.length, `${order.length} of ${keys.length} keys are in order`);
  const distinct: number[] = [];
  for (let i = 0; i < order.length; i++) {
    const entry = order[i] as number;
    const key = keys[entry] as number;
    if (distinct.length === 0 || key !== distinct[distinct.length - 1]) {
      distinct.push(key);
      docs.push((ords[entry] as number) - docBase);
    }
    places[i] = distinct.length - 1;
  }
  const values = source.column(Uint32Array.from(docs), Float64Array.from(distinct));
  return { start, order, places, values, ranks: new Float64Array(distinct.length) };
}

/** Merges the values of all runs: equal ones have one rank. Segments are few: a scan of them finds the next. */
function rankRuns(runs: readonly DistinctRun[], field: SortField): void {
  const next = new Uint32Array(runs.length);
  const sort = [field];
  let rank = -1;
  let last: { readonly values: SortColumn; readonly at: number } | null = null;
  for (;;) {
    let first = -1;
    for (const [n, run] of runs.entries()) {
      if ((next[n] as number) >= run.ranks.length) continue;
      const best = runs[first];
      if (
        best === undefined ||
        compareColumnEntries(sort, [run.values], next[n] as number, [best.values], next[first] as number) < 0
      ) {
        first = n;
      }
    }
    const run = runs[first];
    if (run === undefined) return;
    const at = next[first] as number;
    if (last === null || compareColumnEntries(sort, [last.values], last.at, [run.values], at) !== 0) rank++;
    run.ranks[at] = rank;
    last = { values: run.values, at };
    next[first] = at + 1;
  }
}

function picked(from: KeyColumn, entries: Uint32Array, into: KeyColumn, sign: number): KeyColumn {
  for (let i = 0; i < entries.length; i++) into[i] = sign * (from[entries[i] as number] as number);
  return into;
}

function grown<Values extends Uint32Array | Float32Array | Float64Array>(from: Values, into: Values): Values {
  into.set(from);
  return into;
}

/** 429 with the numbers of the limit. */
export function listTooLarge(wanted: number, limit: number): ShoalError {
  const reason = `[request] Data too large, data for [<ranked_hits>] would be [${wanted}], which is larger than the limit of [${limit}]`;
  return circuitBreaking(reason, { wanted, limit });
}
