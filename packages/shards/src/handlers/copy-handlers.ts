/**
 * Hands what other copies ask to the threads that own the copies here.
 */
import { ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { COPY_MESSAGE, type CopyMessage, writeCopyResponse } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { packBody, unpackBody } from '../calls/packed-body.ts';
import type { LocalShard } from '../supervisor/local-shard.ts';
import type { ShardSupervisor } from '../supervisor/shard-supervisor.ts';

/** A sender says how long it waits; without, this is assumed. */
const TIMEOUT_MS = 60_000;

export function registerCopyHandlers(cluster: ClusterService, supervisor: ShardSupervisor): void {
  handleWith(cluster.transport, COPY_MESSAGE, async (message, inbound) => {
    const timeoutMs = inbound.timeoutMs ?? TIMEOUT_MS;
    const shard = supervisor.copyOf(message.target);
    // Not here, or not yet: the sender asks again, or hears of another group.
    if (shard === null || shard.phase !== 'open' || shard.worker === null) {
      return { response: writeCopyResponse({ kind: 'refused', reason: 'notHere', term: 0 }) };
    }
    if (shard.knownMetadata.mappingVersion < message.mappingVersion) {
      await waitForMapping(cluster, supervisor, { message, shard, timeoutMs });
    }
    const call = packBody(message.call);
    return { response: unpackBody(await shard.worker.copyRequest({ key: shard.key, call, timeoutMs })) };
  });
}

/** The engine must know every field of an operation before it executes it. */
async function waitForMapping(
  cluster: ClusterService,
  supervisor: ShardSupervisor,
  asked: { readonly message: CopyMessage; readonly shard: LocalShard; readonly timeoutMs: number },
): Promise<void> {
  const { message, shard, timeoutMs } = asked;
  const { index, indexUuid } = message.target;
  const state = await cluster.waitForState(({ metadata }) => {
    const found = metadata.indices.get(index);
    // An index that is gone is waited for no longer.
    return found?.uuid !== indexUuid || found.mappingVersion >= message.mappingVersion;
  }, timeoutMs);
  if (state === null) {
    const reason = `no cluster state with version [${message.mappingVersion}] of the mapping of [${index}] in [${timeoutMs}ms]`;
    throw new ShoalError('process_cluster_event_timeout_exception', 503, reason);
  }
  await supervisor.refreshMetadata(shard);
}
