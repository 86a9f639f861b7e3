/**
 * The shard that holds a document, and requests to its primary that only read.
 */
import { checkBlock, shardIdForRouting } from '@shoal/cluster';
import { asShoalError, isAssertionFailure, ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { checkRoutingGiven, effectiveRouting, readIndexOf } from '../indices/write-index.ts';
import { askPrimary, isStaleRouting, noCopyAnswered, type PrimaryCopy } from './primary-requests.ts';

export interface DocumentKey {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
}

/** How long a shard may take to answer. */
export const READ_TIMEOUT_MS = 30_000;
/** A read gives up sooner than a write when no copy is there: the client can ask again. */
const PRIMARY_WAIT_MS = 1_000;

/** A document without an id or routing is as well placed in the first shard as in any other. */
export function shardOfDocument(context: CoordinatorContext, key: DocumentKey): ShardId {
  const state = context.cluster.state();
  const single = readIndexOf(state, key.index, context.runtime.clock.wallMs());
  const { index } = single;
  if (index.state === 'close') {
    throw new ShoalError('index_closed_exception', 400, 'closed', {
      metadata: { index_uuid: index.uuid, index: index.name },
    });
  }
  checkBlock(state, 'read', [index.name]);
  const routing = effectiveRouting(single, key.routing, key.index);
  checkRoutingGiven(index, key.id, routing);
  const isAnywhere = key.id === '' && routing === null;
  const number = isAnywhere ? 0 : shardIdForRouting(index, key.id, routing);
  return { index: index.name, indexUuid: index.uuid, number };
}

/**
 * Asks the primary of a shard, wherever it is now.
 *
 * @param what what is read, for the error
 * @throws no_shard_available_action_exception (503) when no copy answers, and what `send` rejects with
 */
export async function readFromPrimary<Res>(
  context: CoordinatorContext,
  shard: ShardId,
  what: string,
  send: (copy: PrimaryCopy) => Promise<Res>,
): Promise<Res> {
  const description = `${what} [${shard.index}][${shard.number}]`;
  try {
    return await askPrimary(
      context,
      { shard, timeoutMs: PRIMARY_WAIT_MS, level: 'read', waitForActiveShards: 1, description },
      send,
    );
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    const reason = asShoalError(error);
    if (reason.type === 'unavailable_shards_exception') throw noCopyAnswered(description, null);
    // A copy that does not answer in time is none that could: the request is as good as ever.
    const isUnanswered = isStaleRouting(reason) || reason.type === 'receive_timeout_transport_exception';
    throw isUnanswered ? noCopyAnswered(description, reason) : reason;
  }
}
