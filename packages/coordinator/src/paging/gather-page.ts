/**
 * The entries of one page from sorted lists that shards keep: the cut before the page is narrowed down in a few rounds, then
 * the entries around it are merged.
 *
 * Whatever is known of the cut only saves rounds. The entries that are merged begin where the cut is at the least, and the
 * page is counted off from there, so that it is exact.
 */
import { assert, circuitBreaking } from '@shoal/core';
import { BY_SCORE, type SortField } from '@shoal/query';
import type { RankAnswer, RankEntries, RankRound } from '@shoal/shard-api';
import { mergePage, type RankPiece } from './lazy-merge.ts';
import type { KnownRanks, RankMemory } from './rank-memory.ts';
import { clamped, narrowed, type RankWindow, type ShownPivots, sum, wholeWindow, widthOf } from './rank-window.ts';

/** Asks the shards of one search. */
export interface RankSource {
  readonly shardCount: number;
  /** Asks all shards at once: what each answered, null where it did not, or has no entries. */
  readonly first: (rounds: readonly RankRound[]) => Promise<readonly (RankAnswer | null)[]>;
  readonly again: (shard: number, round: RankRound) => Promise<RankAnswer>;
}

export interface PageRequest {
  /** Order of the request; empty: by score. */
  readonly sort: readonly SortField[];
  readonly from: number;
  readonly size: number;
  /** Entries that the page may have in this node's memory. */
  readonly entriesMax: number;
}

export interface GatheredPage {
  readonly page: readonly { readonly target: number; readonly position: number }[];
  /** By shard. */
  readonly entries: readonly RankEntries[];
  readonly rounds: number;
  readonly entriesMoved: number;
}

/** Rounds that narrow the window. Each makes it many times smaller: more are never needed. */
const ROUNDS_MAX = 12;
const PIVOTS_MIN = 2_048;
const PIVOTS_PER_SHARD = 64;
/** Shards show half as many entries once the window is known. */
const LATER_SHARE = 2;
/** Pieces of a lazy merge. */
const PIECE_MIN = 100;
const PIECE_SPARE = 1.1;
/** 2^31 - 1: behind every entry. */
const POSITION_MAX = 0x7fff_ffff;

function pivotBudget(shardCount: number): number {
  return Math.max(PIVOTS_MIN, PIVOTS_PER_SHARD * shardCount);
}

/** Entries behind the window that a shard sends at once: its share of the page, and what chance adds to it. */
function tailOf(size: number, shardCount: number): number {
  const share = size / Math.max(1, shardCount);
  return Math.min(POSITION_MAX, Math.ceil(share) + Math.ceil(2 * Math.sqrt(share)) + 2);
}

/** Gathers a page by merging pieces, as many as it needs. */
export async function gatherByMerge(source: RankSource, request: PageRequest): Promise<GatheredPage> {
  const wanted = request.from + request.size;
  const tail = Math.max(PIECE_MIN, Math.ceil((PIECE_SPARE * wanted) / Math.max(1, source.shardCount)));
  const round: RankRound = { lower: null, upper: null, from: 0, to: 0, pivots: 0, tail };
  const gathering = new Gathering(source, request);
  await gathering.begin(Array.from({ length: source.shardCount }, () => round));
  return gathering.merge();
}

/** By counting what stands before the page. `memory`: of a point in time, whose lists do not change; null without one. */
export async function gatherByRank(
  source: RankSource,
  request: PageRequest,
  memory: RankMemory | null,
): Promise<GatheredPage> {
  const gathering = new Gathering(source, request);
  const known = memory?.known(source.shardCount) ?? null;
  if (known === null) await gathering.begin(firstRounds(source.shardCount, request));
  else await gathering.beginFrom(known);
  await gathering.narrow();
  const page = await gathering.merge();
  if (memory !== null) gathering.remember(memory);
  return page;
}

/** Entries from all that can stand before the page: nothing is known yet. */
function firstRounds(shardCount: number, { from, size }: PageRequest): readonly RankRound[] {
  const pivots = Math.ceil(pivotBudget(shardCount) / Math.max(1, shardCount));
  // Where nothing stands before the page its entries are sent at once.
  const tail = from === 0 ? tailOf(size, shardCount) : null;
  const round: RankRound = { lower: null, upper: null, from: 0, to: Math.min(from, POSITION_MAX), pivots, tail };
  return Array.from({ length: shardCount }, () => round);
}

class Gathering {
  private readonly source: RankSource;
  private readonly request: PageRequest;
  private readonly sort: readonly SortField[];
  private counts: Float64Array;
  private window: RankWindow;
  private shown: ShownPivots | null = null;
  /** Pivots of the first round: they cover the whole list and are of use to other pages. */
  private broad: ShownPivots['pivots'] = [];
  private pieces: (RankPiece | null)[] | null = null;
  private rounds = 0;
  private entriesMoved = 0;
  private cuts: { readonly rank: number; readonly cut: Float64Array }[] = [];

  constructor(source: RankSource, request: PageRequest) {
    this.source = source;
    this.request = request;
    this.sort = request.sort.length === 0 ? [BY_SCORE] : request.sort;
    this.counts = new Float64Array(source.shardCount);
    this.window = wholeWindow(this.counts, 0);
  }

  async begin(rounds: readonly RankRound[]): Promise<void> {
    this.rounds++;
    const answers = await this.source.first(rounds);
    this.counts = Float64Array.from(answers, (answer) => answer?.count ?? 0);
    for (const answer of answers) if (answer !== null) this.count(answer);
    this.checkMemory();
    this.window = wholeWindow(this.counts, Math.min(this.request.from, sum(this.counts)));
    if (rounds.some(({ tail }) => tail !== null)) this.pieces = answers.map(pieceOf);
    else {
      this.broad = answers.map(pivotsOf);
      this.shown = { pivots: this.broad, floor: new Float64Array(this.counts.length), ceiling: this.counts };
    }
  }

  /** What other pages found out may be all that is needed: then the page comes with the first answer. */
  async beginFrom({ counts, pivots, cuts }: KnownRanks): Promise<void> {
    this.counts = counts;
    this.broad = pivots;
    const rank = Math.min(this.request.from, sum(counts));
    const shown = { pivots, floor: new Float64Array(counts.length), ceiling: counts };
    let window = narrowed(this.sort, shown, rank, wholeWindow(counts, rank));
    for (const { rank: at, cut } of cuts) window = betweenCuts(window, rank, at, cut);
    this.window = clamped(window, rank);
    const isLast = widthOf(this.window) <= 2 * pivotBudget(counts.length);
    const rounds = isLast ? this.lastRounds() : this.narrowingRounds();
    this.rounds++;
    const answers = await this.source.first(rounds);
    for (const [shard, answer] of answers.entries()) {
      if (answer !== null) this.count(answer);
      if ((answer?.count ?? 0) !== counts[shard]) throw new RanksChanged();
    }
    this.checkMemory();
    if (isLast) this.pieces = answers.map(pieceOf);
    else this.see(answers);
  }

  private count({ pivots, entries }: RankAnswer): void {
    this.entriesMoved += pivots.positions.length + entries.ords.length;
  }

  /** The page is held whole: no more of it than fits. */
  private checkMemory(): void {
    const { from, size, entriesMax } = this.request;
    const entries = Math.min(size, Math.max(0, sum(this.counts) - from));
    if (entries <= entriesMax) return;
    const reason = `[request] Data too large, data for [<search_hits>] would be [${entries}] entries, which is larger than the limit of [${entriesMax}]`;
    throw circuitBreaking(reason, { wanted: entries, limit: entriesMax });
  }

  private get rank(): number {
    return Math.min(this.request.from, sum(this.counts));
  }

  async narrow(): Promise<void> {
    const budget = pivotBudget(this.counts.length);
    for (let round = 0; this.pieces === null; round++) {
      if (this.shown !== null) this.window = narrowed(this.sort, this.shown, this.rank, this.window);
      const isLast = widthOf(this.window) <= budget || round >= ROUNDS_MAX;
      const answers = await this.ask(isLast ? this.lastRounds() : this.narrowingRounds());
      if (isLast) this.pieces = answers.map(pieceOf);
      else this.see(answers);
    }
  }

  /** Every shard sends its part of the window, and its share of the page behind it. */
  private lastRounds(): readonly RankRound[] {
    const { lo, hi, lower, upper } = this.window;
    const tail = tailOf(this.request.size, this.counts.length);
    return Array.from(lo, (from, shard) => {
      return { lower, upper, from, to: hi[shard] ?? from, pivots: 0, tail };
    });
  }

  private narrowingRounds(): readonly RankRound[] {
    const { lo, hi, lower, upper } = this.window;
    const gap = widthOf(this.window) / (pivotBudget(this.counts.length) / LATER_SHARE);
    return Array.from(lo, (from, shard) => {
      const to = hi[shard] ?? from;
      return { lower, upper, from, to, pivots: Math.ceil((to - from) / gap), tail: null };
    });
  }

  private async ask(rounds: readonly RankRound[]): Promise<readonly (RankAnswer | null)[]> {
    this.rounds++;
    const answers = await Promise.all(
      rounds.map((round, shard) => ((this.counts[shard] ?? 0) === 0 ? null : this.source.again(shard, round))),
    );
    for (const answer of answers) if (answer !== null) this.count(answer);
    return answers;
  }

  /** Shown entries stand between the two that bound the window, and those are counted exactly now. */
  private see(answers: readonly (RankAnswer | null)[]): void {
    const floor = Float64Array.from(answers, (answer) => answer?.below ?? 0);
    const ceiling = Float64Array.from(answers, (answer) => answer?.above ?? 0);
    const { lo, hi } = this.window;
    this.window = clamped(
      {
        ...this.window,
        lo: lo.map((value, i) => Math.max(value, floor[i] ?? 0)),
        hi: hi.map((value, i) => Math.min(value, ceiling[i] ?? 0)),
      },
      this.rank,
    );
    this.shown = { pivots: answers.map(pivotsOf), floor, ceiling };
    if (this.broad.length === 0) this.broad = this.shown.pivots;
  }

  async merge(): Promise<GatheredPage> {
    const { pieces } = this;
    assert(pieces !== null, 'nothing to merge');
    const before = pieces.reduce((total, piece) => total + (piece?.first ?? 0), 0);
    const { rank } = this;
    assert(before <= rank, `entries from rank ${before} on cannot be counted up to ${rank}`);
    const { page, entries, cut, refills } = await mergePage({
      sort: this.sort,
      pieces,
      skip: rank - before,
      size: this.request.size,
      more: (shard, from, wanted) => this.more(shard, from, wanted),
    });
    this.rounds += refills;
    const end = cut.map((value, shard) => value + (entries[shard]?.ords.length ?? 0));
    this.cuts = [
      { rank, cut },
      { rank: rank + page.length, cut: end },
    ];
    return { page, entries, rounds: this.rounds, entriesMoved: this.entriesMoved };
  }

  private async more(shard: number, from: number, wanted: number): Promise<RankPiece> {
    const round: RankRound = {
      lower: null,
      upper: null,
      from,
      to: from,
      pivots: 0,
      tail: Math.min(wanted, POSITION_MAX),
    };
    const answer = await this.source.again(shard, round);
    this.count(answer);
    return { first: answer.first, entries: answer.entries, count: answer.count };
  }

  remember(memory: RankMemory): void {
    memory.add({ counts: this.counts, pivots: this.broad, cuts: this.cuts });
  }
}

/** What is remembered of a point in time does not fit what its shards say: one of them failed, now or then. */
export class RanksChanged extends Error {}

function betweenCuts(window: RankWindow, rank: number, at: number, cut: Float64Array): RankWindow {
  const { lo, hi } = window;
  return {
    ...window,
    lo: at > rank ? lo : lo.map((value, i) => Math.max(value, cut[i] ?? 0)),
    hi: at < rank ? hi : hi.map((value, i) => Math.min(value, cut[i] ?? 0)),
  };
}

function pieceOf(answer: RankAnswer | null): RankPiece | null {
  return answer === null || answer.count === 0
    ? null
    : { first: answer.first, entries: answer.entries, count: answer.count };
}

function pivotsOf(answer: RankAnswer | null): RankAnswer['pivots'] {
  return answer?.pivots ?? { positions: new Uint32Array(0), columns: [] };
}
