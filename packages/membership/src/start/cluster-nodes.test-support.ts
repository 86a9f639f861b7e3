/**
 * Whole nodes of a cluster on loopback sockets, with a data node in the narrowest form: it "starts" copies by remembering
 * their allocation id, and loses nothing but what its disk (a map) does not hold.
 */
import { type ClusterState, type ShardRouting, targetOf } from '@shoal/cluster-state';
import { createNodeRuntime, createRecordingLog, type RecordingLog, type Runtime } from '@shoal/runtime';
import { FreePorts } from '@shoal/simulation';
import type { ClusterService } from '../service/cluster-service.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { startCluster } from './start-cluster.ts';

/** What outlives a node's process. */
export interface Machine {
  readonly runtime: Runtime;
  readonly log: RecordingLog;
  readonly stores: Map<string, string>;
}

export function newMachine(): Machine {
  const log = createRecordingLog();
  return { runtime: createNodeRuntime({ log }), log, stores: new Map() };
}

export interface RunningNode {
  readonly machine: Machine;
  readonly service: ClusterService;
  readonly fatal: unknown[];
}

export async function startNode(
  name: string,
  machine: Machine,
  options: Partial<ClusterOptions> & { readonly port?: number } = {},
): Promise<RunningNode> {
  const fatal: unknown[] = [];
  const service = await startCluster(machine.runtime, {
    clusterName: 'test',
    nodeName: name,
    roles: ['cluster_manager', 'data', 'ingest'],
    dataPath: 'data',
    bind: { host: '127.0.0.1', port: options.port ?? 0 },
    httpAddress: null,
    seedHosts: [],
    initialClusterManagerNodes: null,
    discoveryType: null,
    listShardStores: async ({ shards }) =>
      shards.map((at) => machine.stores.get(`${at.indexUuid}/${at.shard}`) ?? null),
    onFatal: (error) => fatal.push(error),
    ...options,
    register: (node) => {
      startCopies(node, machine.stores, MADE);
      options.register?.(node);
    },
  });
  return { machine, service, fatal };
}

/** Allocation ids are unique, also between tests. */
const MADE = new Set<string>();
const TARGET_WAIT_MS = 500;

/**
 * Reports every copy of the node as started at once, and hands over its primaries that are on the move.
 *
 * @param stores what this node's disk holds: allocation ids by shard
 * @param made allocation ids of all copies that any node has begun: a primary hands over to no other
 */
export function startCopies(node: ClusterService, stores: Map<string, string>, made: Set<string>): void {
  node.onApplied(({ state }) => {
    for (const [index, shards] of state.routing.indices) {
      for (const copies of shards) handOver(node, copies, made).catch(() => undefined);
      for (const copy of shards.flat()) {
        if (copy.state !== 'INITIALIZING' || copy.nodeId !== node.localNode.id || copy.allocationId === null) continue;
        const primaryTerm = state.metadata.indices.get(index)?.primaryTerms[copy.shard] ?? 0;
        const { allocationId, shard, indexUuid } = copy;
        stores.set(`${indexUuid}/${shard}`, allocationId);
        made.add(allocationId);
        node.admin.shardStarted({ index, shard, allocationId, primaryTerm }).catch(() => undefined);
      }
    }
  });
}

async function handOver(
  node: ClusterService,
  copies: readonly ShardRouting[],
  made: ReadonlySet<string>,
): Promise<void> {
  const [primary] = copies;
  const target = primary === undefined ? null : targetOf(primary, copies)?.allocationId;
  if (target === null || target === undefined || primary?.nodeId !== node.localNode.id) return;
  const { index, shard, allocationId } = primary;
  const isMoving = (state: ClusterState): boolean => state.routing.indices.get(index)?.[shard] === copies;
  while (!made.has(target) && isMoving(node.state()))
    await node.waitForState((state) => !isMoving(state), TARGET_WAIT_MS);
  const primaryTerm = node.state().metadata.indices.get(index)?.primaryTerms[shard] ?? 0;
  if (!isMoving(node.state())) return;
  await node.admin.handOverPrimary({ index, shard, allocationId: allocationId ?? '', primaryTerm, target });
}

const freePorts = new FreePorts(newMachine().runtime, Number(process.env.VITEST_POOL_ID));

/** `count` nodes that know each other, on ports that were free. */
export async function startNodes(count: number, options: Partial<ClusterOptions> = {}): Promise<RunningNode[]> {
  const names = Array.from({ length: count }, (_, i) => `n${i + 1}`);
  const ports: number[] = [];
  for (let i = 0; i < count; i++) ports.push(await freePorts.draw());
  const seedHosts = ports.map((port) => `127.0.0.1:${port}`);
  return Promise.all(
    names.map((name, i) =>
      startNode(name, newMachine(), {
        port: ports[i] ?? 0,
        seedHosts,
        initialClusterManagerNodes: names,
        ...options,
      }),
    ),
  );
}

export async function reached(
  node: RunningNode,
  what: (state: ClusterState) => boolean,
  timeoutMs = 5_000,
): Promise<ClusterState> {
  const state = await node.service.waitForState(what, timeoutMs);
  if (state === null) {
    const lines = node.machine.log.lines
      .slice(-30)
      .map((line) => `${line.level} ${line.message} ${JSON.stringify(line.fields)}`);
    throw new Error(`state not reached; ${JSON.stringify(node.service.diagnose())}\n${lines.join('\n')}`);
  }
  return state;
}

export const TIMEOUTS = { masterTimeoutMs: 5_000, timeoutMs: 5_000 } as const;

/** Without replicas. */
export function emptyIndex(index: string, shards: number): Parameters<ClusterService['admin']['createIndex']>[0] {
  return {
    ...TIMEOUTS,
    index,
    settings: { number_of_shards: shards, number_of_replicas: 0 },
    mappings: {},
    aliases: {},
    waitForActiveShards: 1,
  };
}
