/**
 * Documents by id: from the primary of their shard, as they are now, or as the last refresh left them.
 */
import { checkBlock, shardIdForRouting } from '@shoal/cluster';
import { asShoalError, isAssertionFailure, isShoalError, ShoalError } from '@shoal/core';
import { GET_DOCUMENTS } from '@shoal/protocol';
import type { FetchedHit, ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { checkRoutingGiven, effectiveRouting, readIndexOf } from '../indices/write-index.ts';
import { askPrimary, isStaleRouting, noCopyAnswered } from './primary-requests.ts';

export interface DocumentKey {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
}

export interface GetOptions {
  /** Also what no refresh has made searchable yet. */
  readonly realtime: boolean;
  /** Refresh the shard first. */
  readonly refresh: boolean;
}

export type DocumentOutcome =
  /** `document` is null when there is none of that id. */
  | { readonly kind: 'answered'; readonly index: string; readonly id: string; readonly document: FetchedHit | null }
  | { readonly kind: 'failed'; readonly index: string; readonly id: string; readonly error: ShoalError };

const GET_TIMEOUT_MS = 30_000;
/** A read gives up sooner than a write when no copy is there: the client can ask again. */
const PRIMARY_WAIT_MS = 1_000;

/** One document; rejects with what `executeMultiGet` puts into its outcome. */
export async function executeGet(
  context: CoordinatorContext,
  key: DocumentKey,
  options: GetOptions,
): Promise<Extract<DocumentOutcome, { kind: 'answered' }>> {
  const [outcome] = await executeMultiGet(context, [key], options);
  if (outcome?.kind === 'answered') return outcome;
  throw outcome?.error ?? new ShoalError('exception', 500, 'a get was not answered');
}

/** One outcome a key, in order. One request a shard. */
export async function executeMultiGet(
  context: CoordinatorContext,
  keys: readonly DocumentKey[],
  options: GetOptions,
): Promise<readonly DocumentOutcome[]> {
  checkBlock(context.cluster.state(), 'read', []);
  const outcomes = new Array<DocumentOutcome>(keys.length);
  const groups = new Map<string, { readonly shard: ShardId; readonly at: number[] }>();
  for (const [at, key] of keys.entries()) {
    try {
      const shard = shardOf(context, key);
      const name = `${shard.number}/${shard.indexUuid}`;
      const group = groups.get(name) ?? { shard, at: [] };
      group.at.push(at);
      groups.set(name, group);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      outcomes[at] = { kind: 'failed', index: key.index, id: key.id, error };
    }
  }
  await Promise.all(
    [...groups.values()].map(async ({ shard, at }) => {
      const ids = at.map((position) => keys[position]?.id ?? '');
      const answers = await askShard(context, shard, ids, options);
      for (const [i, position] of at.entries()) {
        const id = ids[i] ?? '';
        outcomes[position] = isShoalError(answers)
          ? { kind: 'failed', index: shard.index, id, error: answers }
          : { kind: 'answered', index: shard.index, id, document: answers[i] ?? null };
      }
    }),
  );
  return outcomes;
}

function shardOf(context: CoordinatorContext, key: DocumentKey): ShardId {
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
  return { index: index.name, indexUuid: index.uuid, number: shardIdForRouting(index, key.id, routing) };
}

async function askShard(
  context: CoordinatorContext,
  shard: ShardId,
  ids: readonly string[],
  options: GetOptions,
): Promise<readonly (FetchedHit | null)[] | ShoalError> {
  const description = `get [${shard.index}][${shard.number}]`;
  try {
    const response = await askPrimary(
      context,
      { shard, timeoutMs: PRIMARY_WAIT_MS, level: 'read', waitForActiveShards: 1, description },
      (copy) =>
        context.cluster.send(
          copy.nodeId,
          GET_DOCUMENTS,
          {
            target: copy.target,
            refresh: options.refresh,
            gets: ids.map((id) => ({ id, realtime: options.realtime })),
          },
          { channel: 'reg', timeoutMs: GET_TIMEOUT_MS },
        ),
    );
    return response.documents;
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    const reason = asShoalError(error);
    if (reason.type === 'unavailable_shards_exception') return noCopyAnswered(description, null);
    // A copy that does not answer in time is none that could: the request is as good as ever.
    const isUnanswered = isStaleRouting(reason) || reason.type === 'receive_timeout_transport_exception';
    return isUnanswered ? noCopyAnswered(description, reason) : reason;
  }
}
