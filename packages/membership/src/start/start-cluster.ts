/**
 * Starts this node's part of the cluster: data path, transport, coordination, and the service that the rest of the node sees.
 */

import { emptyClusterState } from '@shoal/cluster';
import { discoveryNodeOf } from '@shoal/cluster-state';
import { DEFAULT_COORDINATION_SETTINGS, type DurableState, initialDurableState } from '@shoal/consensus';
import { randomUuid, SHOAL_VERSION } from '@shoal/core';
import { LIST_SHARD_STORES } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { handleWith, startTransport } from '@shoal/transport';
import { CoordinationLog } from '../disk/coordination-log.ts';
import { type NodeDataPath, openDataPath } from '../disk/node-data-path.ts';
import { SpaceReserve } from '../disk/space-reserve.ts';
import type { ClusterService } from '../service/cluster-service.ts';
import { ClusterNode } from './cluster-node.ts';
import { bootstrapPlanOf, type ClusterOptions, seedHostsOf } from './cluster-options.ts';

const UUID_BYTES = 16;

/**
 * Resolves when the node listens and looks for others; `waitForState` tells when it is in a cluster. Rejects when the data
 * path is used by another node or damaged, when the address is taken, and for settings that contradict each other.
 */
export async function startCluster(runtime: Runtime, options: ClusterOptions): Promise<ClusterService> {
  const bootstrap = bootstrapPlanOf(options);
  const dataPath = options.dataPath === null ? null : await openDataPath(runtime, options.dataPath);
  let log: CoordinationLog | null = null;
  try {
    const empty = initialDurableState(emptyClusterState(options.clusterName));
    let durable: DurableState<ReturnType<typeof emptyClusterState>> = empty;
    if (dataPath !== null) {
      ({ log, durable } = await CoordinationLog.open(runtime.disk, dataPath.stateFolder, empty, runtime));
    }
    const node = await listen(runtime, options, { dataPath, log, durable, bootstrap });
    try {
      // Nothing may wait between listening and this: whoever dials early must find the handlers.
      options.register?.(node);
      await node.start();
      return node;
    } catch (error) {
      await node.close();
      throw error;
    }
  } catch (error) {
    await log?.close();
    await dataPath?.release();
    throw error;
  }
}

async function listen(
  runtime: Runtime,
  options: ClusterOptions,
  parts: {
    readonly dataPath: NodeDataPath | null;
    readonly log: CoordinationLog | null;
    readonly durable: DurableState<ReturnType<typeof emptyClusterState>>;
    readonly bootstrap: ReturnType<typeof bootstrapPlanOf>;
  },
): Promise<ClusterNode> {
  const newId = (): string => randomUuid(runtime.random.bytes(UUID_BYTES));
  const transport = await startTransport(runtime, {
    identity: {
      nodeId: parts.dataPath?.nodeId ?? newId(),
      ephemeralId: newId(),
      name: options.nodeName,
      clusterName: options.clusterName,
      version: options.version ?? SHOAL_VERSION,
      roles: options.roles,
      kind: options.kind ?? 'node',
      attributes: options.attributes ?? {},
      httpAddress: options.httpAddress,
    },
    bind: options.bind,
    ...(options.publishHost === undefined ? {} : { publishHost: options.publishHost }),
    ...(options.transport === undefined ? {} : { settings: options.transport }),
  });
  const { dataPath } = parts;
  const { listShardStores } = options;
  if (listShardStores !== undefined) {
    handleWith(transport, LIST_SHARD_STORES, async (request) => ({ allocationIds: await listShardStores(request) }));
  }
  return new ClusterNode(runtime, {
    transport,
    local: discoveryNodeOf(transport.identity),
    dataPath: parts.dataPath,
    reserve: dataPath && new SpaceReserve(runtime, dataPath.stateFolder, options.reserveBytes ?? 0),
    log: parts.log,
    durable: parts.durable,
    bootstrap: parts.bootstrap,
    seedHosts: seedHostsOf(options),
    settings: { ...DEFAULT_COORDINATION_SETTINGS, ...options.coordination },
    noManagerBlock: options.noManagerBlock ?? 'write',
    nodeSettings: options.nodeSettings ?? {},
    onFatal: options.onFatal,
  });
}
