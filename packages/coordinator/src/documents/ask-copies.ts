/**
 * Asks one copy of a shard after the other, until one answers, or says what the others would say as well.
 */
import { asShoalError, type CancelFlag, isAssertionFailure, isShoalError, type ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { activeCopies, type ReadCopy } from '../copies/copy-order.ts';

export type CopyOutcome<Res> =
  | { readonly kind: 'answered'; readonly copy: ReadCopy; readonly response: Res }
  /** What the copy that was asked last said; the node is null when the shard is not there at all. */
  | { readonly kind: 'failed'; readonly nodeId: string | null; readonly error: ShoalError }
  /** There is no copy that the preference allows. */
  | { readonly kind: 'missing' };

/** A node that answers so routed by another state than the sender; another one will do. */
const STALE_ROUTING_TYPES: ReadonlySet<string> = new Set([
  'shard_not_found_exception',
  'illegal_index_shard_state_exception',
  'shard_not_in_primary_mode_exception',
  'no_longer_primary_shard_exception',
  'node_not_connected_exception',
  'node_disconnected_exception',
  'node_closed_exception',
  'already_closed_exception',
  'connect_transport_exception',
]);
const TOO_MANY_REQUESTS = 429;

/** True when asking another copy, or by a newer state, may help. */
export function isStaleRouting(error: unknown): boolean {
  return isShoalError(error) && STALE_ROUTING_TYPES.has(error.type);
}

/** Copies of the shard that the request may read, in the order in which they are to be asked. */
export function readableCopies(context: CoordinatorContext, shard: ShardId): readonly ReadCopy[] {
  const { shards, copies } = context.reads;
  if (shards !== null && !shards.has(shard.number)) return [];
  return context.copies.inOrder(activeCopies(context.cluster.state(), shard), copies);
}

export async function askCopies<Res>(
  context: CoordinatorContext,
  shard: ShardId,
  signal: CancelFlag | null,
  send: (copy: ReadCopy) => Promise<Res>,
): Promise<CopyOutcome<Res>> {
  let outcome: CopyOutcome<Res> = { kind: 'missing' };
  try {
    const copies = readableCopies(context, shard);
    for (const copy of copies) {
      try {
        return { kind: 'answered', copy, response: await context.copies.ask(copy, copies, send) };
      } catch (error) {
        if (isAssertionFailure(error)) throw error;
        outcome = { kind: 'failed', nodeId: copy.nodeId, error: asShoalError(error) };
        if (signal?.cancelled === true || !mayAnotherAnswer(outcome.error)) return outcome;
      }
    }
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return { kind: 'failed', nodeId: null, error: asShoalError(error) };
  }
  return outcome;
}

/** What is wrong with the request is wrong with it everywhere. */
function mayAnotherAnswer(error: ShoalError): boolean {
  return isStaleRouting(error) || error.status >= 500 || error.status === TOO_MANY_REQUESTS;
}
