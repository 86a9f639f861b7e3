/**
 * Entries of all shards in one order, from pieces of their sorted lists: the next piece of a shard is asked for when its last
 * one is used up, so that no more is sent than the page needs, whatever the lists hold.
 */
import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { compareColumnEntries, joinColumns, pickColumns, type RankEntries } from '@shoal/shard-api';

/** A stretch of one shard's list. */
export interface RankPiece {
  /** Position of its first entry in the list. */
  readonly first: number;
  readonly entries: RankEntries;
  /** Entries of the whole list. */
  readonly count: number;
}

export interface MergePlan {
  readonly sort: readonly SortField[];
  /** By shard; null where it has no entries. */
  readonly pieces: readonly (RankPiece | null)[];
  /** Entries that stand before the page. */
  readonly skip: number;
  readonly size: number;
  /** Entries of a shard from a position on; at least one when there is one. */
  readonly more: (shard: number, from: number, wanted: number) => Promise<RankPiece>;
}

export interface MergedPage {
  /** One an entry of the page: its shard, and where it stands among those of its shard in `entries`. */
  readonly page: readonly { readonly target: number; readonly position: number }[];
  /** By shard: its entries on the page. */
  readonly entries: readonly RankEntries[];
  /** Entries of each shard that stand before the page, by position in its list. */
  readonly cut: Float64Array;
  /** Times that a shard was asked for more. */
  readonly refills: number;
}

const NO_ENTRIES: RankEntries = { columns: [], scores: null, ords: new Uint32Array(0) };

export async function mergePage(plan: MergePlan): Promise<MergedPage> {
  const { pieces, skip, size, more } = plan;
  const runs = pieces.map((piece) => new Run(piece));
  const heap = new RunHeap(plan.sort, runs);
  const page: { target: number; position: number }[] = [];
  let cut = skip === 0 ? cutOf(runs) : null;
  let refills = 0;
  for (let taken = 0; taken < skip + size; taken++) {
    const shard = heap.top();
    const run = runs[shard];
    if (run === undefined) break;
    if (taken < skip) run.skip();
    else page.push({ target: shard, position: run.keep() });
    if (run.isDry && run.hasMore) {
      const missing = skip + size - taken - 1;
      // Whoever ran dry once may hold all of the rest.
      if (missing > 0) {
        refills++;
        run.refill(await more(shard, run.position, Math.min(missing, run.lastLength * 2)));
      }
    }
    heap.settle();
    if (taken + 1 === skip) cut = cutOf(runs);
  }
  return { page, entries: runs.map((run) => run.kept()), cut: cut ?? cutOf(runs), refills };
}

function cutOf(runs: readonly Run[]): Float64Array {
  return Float64Array.from(runs, (run) => run.position);
}

/** One shard's entries: the current piece, and those of the page so far. */
class Run {
  entries: RankEntries;
  at = 0;
  private first: number;
  private readonly count: number;
  private readonly pieces: RankEntries[] = [];
  private keptFrom = -1;
  private keptCount = 0;

  constructor(piece: RankPiece | null) {
    this.entries = piece?.entries ?? NO_ENTRIES;
    this.first = piece?.first ?? 0;
    this.count = piece?.count ?? 0;
  }

  /** Position of the next entry in the list. */
  get position(): number {
    return this.first + this.at;
  }

  get lastLength(): number {
    return Math.max(1, this.entries.ords.length);
  }

  get isDry(): boolean {
    return this.at >= this.entries.ords.length;
  }

  get hasMore(): boolean {
    return this.position < this.count;
  }

  skip(): void {
    this.at++;
  }

  /** @returns where it stands among those that are kept */
  keep(): number {
    if (this.keptFrom < 0) this.keptFrom = this.at;
    this.at++;
    return this.keptCount++;
  }

  refill(piece: RankPiece): void {
    assert(piece.first === this.position, `entries from ${piece.first} instead of ${this.position}`);
    assert(piece.entries.ords.length > 0, 'a piece without entries');
    this.store();
    this.entries = piece.entries;
    this.first = piece.first;
    this.at = 0;
  }

  private store(): void {
    if (this.keptFrom >= 0) this.pieces.push(stretch(this.entries, this.keptFrom, this.at));
    this.keptFrom = -1;
  }

  kept(): RankEntries {
    this.store();
    const { pieces } = this;
    const hasScores = pieces.some(({ scores }) => scores !== null);
    return {
      columns: joinColumns(pieces.map(({ columns }) => columns)),
      ords: Uint32Array.from(pieces.flatMap(({ ords }) => [...ords])),
      scores: hasScores ? Float32Array.from(pieces.flatMap(({ scores }) => [...(scores ?? [])])) : null,
    };
  }
}

function stretch({ columns, ords, scores }: RankEntries, from: number, to: number): RankEntries {
  const picked = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  return {
    columns: pickColumns(columns, picked),
    ords: ords.slice(from, to),
    scores: scores?.slice(from, to) ?? null,
  };
}

/** Shards that have entries, the one with the first of all on top. Only its own place changes between two looks. */
class RunHeap {
  readonly #sort: readonly SortField[];
  readonly #runs: readonly Run[];
  readonly #heap: number[] = [];

  constructor(sort: readonly SortField[], runs: readonly Run[]) {
    this.#sort = sort;
    this.#runs = runs;
    for (const [shard, run] of runs.entries()) if (!run.isDry) this.#heap.push(shard);
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  /** -1: no entries are left. */
  top(): number {
    return this.#heap[0] ?? -1;
  }

  /** After the shard on top went on to its next entry. */
  settle(): void {
    const [top] = this.#heap;
    if (top === undefined) return;
    if (this.#runs[top]?.isDry === true) {
      const last = this.#heap.pop() ?? top;
      if (this.#heap.length === 0) return;
      this.#heap[0] = last;
    }
    this.#siftDown(0);
  }

  #siftDown(from: number): void {
    const heap = this.#heap;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && this.#isBefore(heap[right] ?? 0, heap[left] ?? 0) ? right : left;
      if (!this.#isBefore(heap[child] ?? 0, heap[at] ?? 0)) return;
      const moved = heap[at] ?? 0;
      heap[at] = heap[child] ?? 0;
      heap[child] = moved;
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const x = this.#runs[a];
    const y = this.#runs[b];
    if (x === undefined || y === undefined) return false;
    const order = compareColumnEntries(this.#sort, x.entries.columns, x.at, y.entries.columns, y.at);
    return order < 0 || (order === 0 && a < b);
  }
}
