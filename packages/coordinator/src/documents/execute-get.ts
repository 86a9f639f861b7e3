/**
 * Documents by id: from the primary of their shard, as they are now, or as the last refresh left them.
 */
import { checkBlock } from '@shoal/cluster';
import { isShoalError, ShoalError } from '@shoal/core';
import { GET_DOCUMENTS } from '@shoal/protocol';
import type { FetchedHit, ShardId } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { type DocumentKey, READ_TIMEOUT_MS, readFromCopy, shardOfDocument } from './read-document.ts';

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
      const shard = shardOfDocument(context, key);
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

async function askShard(
  context: CoordinatorContext,
  shard: ShardId,
  ids: readonly string[],
  options: GetOptions,
): Promise<readonly (FetchedHit | null)[] | ShoalError> {
  const gets = ids.map((id) => ({ id, realtime: options.realtime }));
  try {
    const response = await readFromCopy(context, shard, 'get', ({ nodeId, target }) =>
      context.cluster.send(
        nodeId,
        GET_DOCUMENTS,
        { target, refresh: options.refresh, gets },
        { channel: 'reg', timeoutMs: READ_TIMEOUT_MS },
      ),
    );
    return response.documents;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    return error;
  }
}
