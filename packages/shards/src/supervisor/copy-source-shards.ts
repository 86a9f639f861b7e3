/**
 * Fills a new shard with documents of the index that it is made of: page by page from the nodes that hold them.
 *
 * The source takes no writes, and each of its shards is read at one point in time. Until the last page is on disk the new
 * shard is not reported as started, so that nobody sees half of it; what ends in between begins again from nothing.
 */
import { type ResizeSource, resizeSourceOf, sourceShards } from '@shoal/cluster';
import type { IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import { assert, ShoalError } from '@shoal/core';
import type { PrimaryClaim } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import { BULK_RESULTS, COPY_DOCUMENTS } from '@shoal/protocol';
import type { CopiedDocuments, CopyDocumentsRequest } from '@shoal/shard-api';
import { unpackBody } from '../calls/packed-body.ts';
import type { ShardKey } from '../calls/worker-calls.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';

/** A node that does not answer a page in this time fails the copy, which is tried again. */
const PAGE_TIMEOUT_MS = 60_000;

export interface FilledShard {
  readonly key: ShardKey;
  readonly shard: number;
  readonly index: IndexMetadata;
  readonly worker: WorkerThread;
  readonly claim: PrimaryClaim;
  /** Whether the shard is still to be opened here. */
  readonly isWanted: () => boolean;
}

/** @throws when the source is gone, a node does not answer, or a document is refused */
export async function copySourceShards(cluster: ClusterService, filled: FilledShard): Promise<void> {
  const { index, shard } = filled;
  const source = resizeSourceOf(index);
  assert(source !== null, `[${index.name}] is made of no other index`);
  const metadata = cluster.state().metadata.indices.get(source.index);
  const { key, worker } = filled;
  try {
    if (metadata?.uuid !== source.indexUuid) throw sourceIsGone(source);
    const counts = { source: metadata.numberOfShards, target: index.numberOfShards };
    for (const number of sourceShards(shard, counts)) await copyShard(cluster, filled, source.index, number);
    await worker.call('refresh', { key });
    await worker.call('flush', { key, isForced: true, syncId: null });
  } catch (error) {
    // The next attempt opens the folder again. A thread that has ended holds no shard any more.
    await worker.call('close', { key, isDiscarded: false }).catch(() => null);
    throw error;
  }
}

function sourceIsGone({ index, indexUuid }: ResizeSource): ShoalError {
  return new ShoalError('index_not_found_exception', 404, `no such index [${index}/${indexUuid}]`);
}

async function copyShard(cluster: ClusterService, filled: FilledShard, source: string, number: number): Promise<void> {
  const { index, shard } = filled;
  const { numberOfShards, routingNumShards } = index;
  const to = { numberOfShards, routingNumShards, shard };
  const primary = activePrimary(cluster, source, number);
  let next: CopiedDocuments['next'] | undefined;
  while (next !== null) {
    const copy: CopyDocumentsRequest = { contextId: next?.contextId ?? null, fromDoc: next?.fromDoc ?? 0, to };
    const page = await cluster.send(
      primary.nodeId,
      COPY_DOCUMENTS,
      { target: { ...primary.target, stateVersion: cluster.state().version }, copy },
      { channel: 'reg', timeoutMs: PAGE_TIMEOUT_MS },
    );
    if (!filled.isWanted()) throw new ShoalError('index_shard_closed_exception', 500, 'the shard is wanted no more');
    if (page.count > 0) await writePage(filled, page);
    next = page.next;
  }
}

interface ActivePrimary {
  readonly nodeId: string;
  readonly target: Pick<ShardRouting, 'index' | 'indexUuid' | 'shard'> & { readonly allocationId: string };
}

function activePrimary(cluster: ClusterService, index: string, number: number): ActivePrimary {
  const copies = cluster.state().routing.indices.get(index)?.[number] ?? [];
  const primary = copies.find((copy) => copy.isPrimary);
  if (primary?.state !== 'STARTED' || primary.nodeId === null || primary.allocationId === null) {
    throw new ShoalError(
      'no_shard_available_action_exception',
      503,
      `[${index}][${number}] primary shard is not active`,
    );
  }
  const { indexUuid, shard, allocationId } = primary;
  return { nodeId: primary.nodeId, target: { index, indexUuid, shard, allocationId } };
}

async function writePage(
  { key, index, worker, claim }: FilledShard,
  { operations, count }: CopiedDocuments,
): Promise<void> {
  const answer = await worker.write({ key, claim, operations, from: 0, activeCopiesMin: 0 });
  // The mapping is that of the source, in which every field of its documents is.
  if (answer.mappingUpdate !== null) {
    throw new ShoalError('illegal_state_exception', 500, `the mapping of [${index.name}] lacks fields of its source`);
  }
  const results = BULK_RESULTS.read(unpackBody(answer.results));
  assert(results.length === count, `${results.length} results of ${count} copied documents`);
  for (let at = 0; at < count; at++) {
    const result = results.at(at);
    if (result?.kind === 'failed') throw result.error;
  }
}
