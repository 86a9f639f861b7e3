/**
 * Outcomes of the query phase, reduced as they come: after so many results their aggregations become one, and of their entries only
 * those stay that may be on the page. What a search of many shards holds is bounded by a batch, not by the number of its shards.
 *
 * Results of a batch are reduced in the order of the targets, so that equal inputs that come in equal batches give equal answers.
 */
import {
  type AggregationLevel,
  type PartialNode,
  readPartials,
  readPartialsInSteps,
  reduceBatchInSteps,
  writePartials,
} from '@shoal/aggregations';
import { assert, type CancelFlag, DamagedBytes, ShoalError, type Steps } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import { pickColumns, type ShardQueryResult } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { OpenContext } from '../../context/free-contexts.ts';
import { mergeResults } from '../../paging/merge-results.ts';
import type { OutcomeSink, ShardOutcome } from '../phases/query-shards.ts';
import type { SearchTarget } from '../targets/search-targets.ts';

export interface ReducedSearch {
  readonly targets: readonly SearchTarget[];
  readonly request: SearchRequest;
  /** null without any. */
  readonly aggregations: AggregationLevel | null;
  /** `batched_reduce_size`: results that are held before they are reduced. */
  readonly batchSize: number;
  readonly isScroll: boolean;
  readonly signal: CancelFlag | null;
}

/** Aggregations of many results as one. */
export interface ReducedBatches {
  readonly partials: readonly PartialNode[] | null;
  /** Reduces, the last one included. */
  readonly phases: number;
  /** What went wrong in one of them; null when nothing did. */
  readonly failure: { readonly error: unknown } | null;
}

/** Nothing was reduced before the end. */
export const NO_BATCHES: ReducedBatches = { partials: null, phases: 1, failure: null };

/** Bytes of aggregations that are held before they are reduced, however few results they are of. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

export class QueryReducer implements OutcomeSink {
  readonly outcomes: ShardOutcome[];
  readonly #context: CoordinatorContext;
  readonly #search: ReducedSearch;
  /** Entries beyond this rank of the merged order are not shown; null: which are shown is not known before the end. */
  readonly #entriesMax: number | null;
  /** Results before one more of them makes a batch; infinite where there is nothing to reduce. */
  readonly #batchSize: number;
  /** Positions of results that were not reduced yet. */
  #held: number[] = [];
  #heldBytes = 0;
  /** Positions of reduced results that have entries left. */
  #kept: readonly number[] = [];
  #partials: readonly PartialNode[] | null = null;
  #phases = 1;
  #work: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(context: CoordinatorContext, search: ReducedSearch) {
    const { targets, request, aggregations, batchSize, isScroll } = search;
    this.#context = context;
    this.#search = search;
    this.outcomes = new Array<ShardOutcome>(targets.length);
    const isReduced = request.size > 0 || aggregations !== null;
    this.#batchSize = isReduced ? batchSize : Number.POSITIVE_INFINITY;
    // Groups that several shards have are one on the page; a profile counts all entries; a scroll goes on behind its entries.
    const isWhole = request.collapse !== null || request.isProfiled || isScroll;
    this.#entriesMax = isWhole ? null : request.from + request.size;
  }

  take(position: number, outcome: ShardOutcome): void {
    this.outcomes[position] = outcome;
    if (outcome.kind !== 'answered' || outcome.response.result.isSkipped) return;
    const bytes = outcome.response.result.aggregations?.byteLength ?? 0;
    const isFull = this.#held.length + (this.#phases > 1 ? 1 : 0) >= this.#batchSize;
    const isLarge = this.#held.length > 0 && this.#heldBytes + bytes > HELD_BYTES_MAX;
    if (isFull || isLarge) this.#reduce();
    this.#held.push(position);
    this.#heldBytes += bytes;
    assert(this.#held.length <= this.#batchSize, `${this.#held.length} results held in batches of ${this.#batchSize}`);
  }

  reduced(): Promise<void> {
    return this.#work;
  }

  /** What came so far: a copy, which later results do not change. */
  async snapshot(): Promise<{
    readonly outcomes: readonly (ShardOutcome | undefined)[];
    readonly reduced: ReducedBatches;
  }> {
    for (let work: Promise<void> | null = null; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
    const partials = this.#partials === null ? null : readPartials(writePartials(this.#partials));
    return {
      outcomes: [...this.outcomes],
      reduced: { partials, phases: this.#phases, failure: this.#failure },
    };
  }

  /** What came of the batches. */
  async finish(): Promise<ReducedBatches> {
    await this.#work;
    return { partials: this.#partials, phases: this.#phases, failure: this.#failure };
  }

  #reduce(): void {
    const batch = this.#held.sort((a, b) => a - b);
    this.#held = [];
    this.#heldBytes = 0;
    this.#phases++;
    this.#work = this.#work.then(async () => {
      if (this.#failure !== null) return;
      try {
        this.#dropEntries(batch);
        const { turns } = this.#context;
        if (this.#search.aggregations !== null) await turns.run(this.#merge(batch), this.#search.signal);
      } catch (error) {
        // Thrown where the answer is made: whoever waits for a batch has other results to take.
        this.#failure = { error };
      }
    });
  }

  *#merge(batch: readonly number[]): Steps<void> {
    const tree = this.#search.aggregations;
    const lists: (readonly PartialNode[])[] = this.#partials === null ? [] : [this.#partials];
    for (const position of batch) {
      const result = this.#resultAt(position);
      if (result.aggregations === null) continue;
      lists.push(yield* partialsOf(result.aggregations));
      this.#replace(position, { ...result, aggregations: null });
    }
    if (tree !== null && lists.length > 0) this.#partials = yield* reduceBatchInSteps(tree.aggregations, lists);
  }

  /** Leaves of the reduced results the entries that may be on the page. */
  #dropEntries(batch: readonly number[]): void {
    const { request, targets } = this.#search;
    if (this.#entriesMax === null || request.size === 0) return;
    const positions = [...this.#kept, ...batch].sort((a, b) => a - b);
    const results = positions.map((position) => this.#resultAt(position));
    const merged = mergeResults(request.sort, results, this.#entriesMax);
    const counts = new Uint32Array(positions.length);
    for (const shard of merged.shards) counts[shard] = (counts[shard] ?? 0) + 1;
    const kept: number[] = [];
    const unused: OpenContext[] = [];
    for (const [i, position] of positions.entries()) {
      const result = results[i] as ShardQueryResult;
      const count = counts[i] ?? 0;
      if (count > 0) kept.push(position);
      if (count === result.ords.length) continue;
      const isFreed = count === 0 && targets[position]?.pinned === null;
      const outcome = this.outcomes[position];
      if (isFreed && result.contextId !== null && outcome?.kind === 'answered') {
        const { nodeId, target } = outcome.copy;
        unused.push({ nodeId, target, contextId: result.contextId });
      }
      this.#replace(position, { ...firstEntries(result, count), ...(isFreed ? { contextId: null } : {}) });
    }
    this.#kept = kept;
    this.#context.releases.add(unused);
  }

  #resultAt(position: number): ShardQueryResult {
    const outcome = this.outcomes[position];
    assert(outcome?.kind === 'answered', `target ${position} has no result`);
    return outcome.response.result;
  }

  #replace(position: number, result: ShardQueryResult): void {
    const outcome = this.outcomes[position];
    assert(outcome?.kind === 'answered', `target ${position} has no result`);
    this.outcomes[position] = { ...outcome, response: { ...outcome.response, result } };
  }
}

/** Copies: views would keep the memory of the whole answer. */
function firstEntries(result: ShardQueryResult, count: number): ShardQueryResult {
  const entries = Uint32Array.from({ length: count }, (_, i) => i);
  return {
    ...result,
    columns: pickColumns(result.columns, entries),
    scores: result.scores?.slice(0, count) ?? null,
    ords: result.ords.slice(0, count),
  };
}

/** Bytes of another node: checked as they are read. */
export function* partialsOf(bytes: Uint8Array): Steps<readonly PartialNode[]> {
  try {
    return yield* readPartialsInSteps(bytes);
  } catch (error) {
    if (!(error instanceof DamagedBytes)) throw error;
    throw new ShoalError('illegal_state_exception', 500, `a shard's aggregations are damaged: ${error.message}`);
  }
}
