/**
 * The shard that holds a document, and requests to its copies that only read.
 */
import { checkBlock, findBlock, shardIdForRouting } from '@shoal/cluster';
import { ShoalError } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import type { ReadCopy } from '../copies/copy-order.ts';
import { checkRoutingGiven, effectiveRouting, readIndexOf } from '../indices/write-index.ts';
import { askCopies, isStaleRouting } from './ask-copies.ts';
import { noCopyAnswered } from './primary-requests.ts';

export interface DocumentKey {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
}

/** How long a shard may take to answer. */
export const READ_TIMEOUT_MS = 30_000;
/** A read gives up sooner than a write when no copy is there: the client can ask again. */
const COPY_WAIT_MS = 1_000;
/** Wait before the second attempt when no newer state comes; doubles. */
const RETRY_WAIT_MS = 50;
const NOBODY = { kind: 'missing' } as const;

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
 * Asks a copy of a shard, and others when it cannot answer; waits a little while none is there.
 *
 * @param what what is read, for the error
 * @throws no_shard_available_action_exception (503) when no copy answers, and what `send` rejects with
 */
export async function readFromCopy<Res>(
  context: CoordinatorContext,
  shard: ShardId,
  what: string,
  send: (copy: ReadCopy) => Promise<Res>,
): Promise<Res> {
  const description = `${what} [${shard.index}][${shard.number}]`;
  const { clock } = context.runtime;
  const deadlineMs = clock.monotonicMs() + COPY_WAIT_MS;
  let waitMs = RETRY_WAIT_MS;
  for (;;) {
    const state = context.cluster.state();
    const block = findBlock(state, 'read', []);
    const outcome = block === null ? await askCopies(context, shard, null, send) : NOBODY;
    if (outcome.kind === 'answered') return outcome.response;
    if (outcome.kind === 'failed' && !isStaleRouting(outcome.error)) throw unanswered(description, outcome.error);
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) throw block ?? noCopyAnswered(description, outcome.kind === 'failed' ? outcome.error : null);
    // Without a copy only another state helps; after a refusal the same state may do, once its node has it too.
    const isRefused = outcome.kind === 'failed';
    await context.cluster.waitForState((next) => next !== state, isRefused ? Math.min(waitMs, leftMs) : leftMs);
    waitMs *= 2;
  }
}

/** A copy that does not answer in time is none that could: the request is as good as ever. */
function unanswered(description: string, reason: ShoalError): ShoalError {
  return reason.type === 'receive_timeout_transport_exception' ? noCopyAnswered(description, reason) : reason;
}
