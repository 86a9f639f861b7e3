/**
 * The fetch phase: the documents of one page, from the shards that own them, in one request a node. Shards whose documents are
 * too large to be sent beside those of others are asked alone.
 */
import { asShoalError, type CancelFlag, isAssertionFailure, type ShoalError } from '@shoal/core';
import { FETCH_PHASE, type FetchPhaseRequest, type FetchPhaseResponse } from '@shoal/protocol';
import type { FetchedHit } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { PerNodeLimit } from '../targets/per-node-limit.ts';
import type { ShardOutcome } from './query-shards.ts';
import { ShardBatches } from './shard-batches.ts';

/** One hit of the page: entry `position` of the target at position `target`. */
export interface PageEntry {
  readonly target: number;
  readonly position: number;
}

export interface FetchedPage {
  /** One an entry of the page, in order; null when its shard failed. */
  readonly hits: readonly (FetchedHit | null)[];
  readonly failures: readonly { readonly position: number; readonly error: ShoalError }[];
  /** Targets that were asked, and whose contexts are used up by it. */
  readonly asked: readonly number[];
}

export interface FetchSource {
  /** Packed search that says what is shown of the documents; null: that of the query phase, which the shards remember. */
  readonly search: Uint8Array | null;
  readonly signal: CancelFlag | null;
}

export interface FetchPlan {
  readonly outcomes: readonly ShardOutcome[];
  readonly page: readonly PageEntry[];
  readonly limit: PerNodeLimit;
  readonly source: FetchSource;
}

export async function fetchPage(context: CoordinatorContext, plan: FetchPlan): Promise<FetchedPage> {
  const hits = new Array<FetchedHit | null>(plan.page.length).fill(null);
  const failures: { position: number; error: ShoalError }[] = [];
  const byTarget = new Map<number, number[]>();
  for (const [i, entry] of plan.page.entries()) {
    const entries = byTarget.get(entry.target) ?? [];
    entries.push(i);
    byTarget.set(entry.target, entries);
  }
  const { limit, source } = plan;
  const asked = { limit, timeoutMs: null, signal: source.signal, asksRestAlone: true };
  const batches = new ShardBatches(context, FETCH_PHASE, asked);
  await Promise.all(
    [...byTarget].map(async ([position, entries]) => {
      try {
        const fetched = await fetchFrom(batches, plan, position, entries);
        for (const [k, i] of entries.entries()) hits[i] = fetched[k] ?? null;
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        failures.push({ position, error: asShoalError(error) });
      }
    }),
  );
  // Requests end in any order; the answer must not.
  failures.sort((a, b) => a.position - b.position);
  return { hits, failures, asked: [...byTarget.keys()] };
}

async function fetchFrom(
  batches: ShardBatches<FetchPhaseRequest, FetchPhaseResponse>,
  plan: FetchPlan,
  position: number,
  entries: readonly number[],
): Promise<readonly FetchedHit[]> {
  const outcome = plan.outcomes[position];
  if (outcome?.kind !== 'answered') return [];
  const { copy, response } = outcome;
  const { contextId, ords } = response.result;
  if (contextId === null) return [];
  const wanted = Uint32Array.from(entries, (i) => ords[plan.page[i]?.position ?? 0] ?? 0);
  const { search } = plan.source;
  const fetch = { contextId, ords: wanted, consumed: wanted.length, search };
  return (await batches.send(copy.nodeId, { target: copy.target, fetch })).hits;
}
