/**
 * Asks the copies of a shard for a search, by newer states of the cluster while those that it was routed by prove old.
 */
import type { CancelFlag } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { ReadCopy } from '../copies/copy-order.ts';
import { askCopies, type CopyOutcome, isStaleRouting } from './ask-copies.ts';
import { noCopyAnswered } from './primary-requests.ts';

/**
 * Newer states are taken for this long. By time and not by number: while a node restarts, states that say nothing of the shard come
 * every few milliseconds.
 */
const CURRENT_WITHIN_MS = 1_500;
/** How long a newer state is waited for when a node refuses by its own. */
const NEWER_STATE_WAIT_MS = 500;

/** Asks the copies of a shard until one answers, again when the routing was old. */
export async function askUntilCurrent<Res>(
  context: CoordinatorContext,
  shard: ShardId,
  signal: CancelFlag | null,
  asked: (copy: ReadCopy) => Promise<Res>,
): Promise<CopyOutcome<Res>> {
  const { clock } = context.runtime;
  let deadlineMs: number | null = null;
  for (;;) {
    const state = context.cluster.state();
    const outcome = await askCopies(context, shard, signal, asked);
    if (outcome.kind !== 'failed' || !isStaleRouting(outcome.error)) return outcome;
    deadlineMs ??= clock.monotonicMs() + CURRENT_WITHIN_MS;
    const waitMs = Math.min(NEWER_STATE_WAIT_MS, deadlineMs - clock.monotonicMs());
    const isOver = waitMs <= 0 || signal?.cancelled === true;
    const newer = isOver ? null : await context.cluster.waitForState(({ version }) => version > state.version, waitMs);
    if (newer !== null) continue;
    return { ...outcome, error: noCopyAnswered(`[${shard.index}][${shard.number}]`, outcome.error) };
  }
}
