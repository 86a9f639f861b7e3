/**
 * Starts a simulated cluster: one world, and in it as many nodes as the test wants.
 */
import { type GivenSettings, startDataNode } from '@shoal/node';
import { loadShardProgram } from '@shoal/shards';
import { createWorld } from '@shoal/simulation';
import { Faults } from '../faults/faults.ts';
import { RequestLog } from '../requests/request-log.ts';
import { type NodeSurroundings, RunningNode } from './cluster-node.ts';
import { ShoalCluster } from './shoal-cluster.ts';
import { isWhole } from './whole-cluster.ts';
import { WorldDriver } from './world-driver.ts';

export interface ClusterPlan {
  readonly nodes: number;
  readonly seed: number | string;
  readonly settings: GivenSettings;
  readonly refreshesBeforeSearch: boolean;
}

const NODES_MAX = 9;
const TRANSPORT_PORT = 9300;
const DISK_LATENCY_MS_MAX = 2;

export async function startCluster(plan: ClusterPlan): Promise<ShoalCluster> {
  const { nodes: count, seed } = plan;
  if (!Number.isInteger(count) || count < 1 || count > NODES_MAX) {
    throw new RangeError(`a cluster has 1 to ${NODES_MAX} nodes, and not [${count}]`);
  }
  // Loading takes real time, of which a simulated world knows nothing.
  await loadShardProgram();
  const world = createWorld({ seed, disk: { latencyMaxMs: DISK_LATENCY_MS_MAX } });
  const driver = new WorldDriver(world);
  const names = Array.from({ length: count }, (_, position) => `shoal-testing-${position}`);
  const faults = new Faults();
  const boot: NodeSurroundings['boot'] = (node, runtime) =>
    startDataNode(runtime, settingsOf(node.name, names, plan.settings), {
      httpPort: null,
      reserveBytes: 0,
      refreshesBeforeSearch: plan.refreshesBeforeSearch,
      beforeShardSearch: (target) => {
        for (const armed of [faults, node.faults]) armed.searchShard(target);
      },
    });
  const around: NodeSurroundings = { world, driver, faults, log: new RequestLog(), boot };
  const nodes = names.map((name) => new RunningNode(name, around));
  for (const node of nodes) node.start();
  const cluster = new ShoalCluster(seed, nodes, around);
  await cluster.waitUntil(() => nodes.every(({ program }) => program !== null && isWhole(program.cluster, count)));
  return cluster;
}

function settingsOf(name: string, names: readonly string[], given: GivenSettings): GivenSettings {
  return {
    'cluster.name': 'shoal-testing',
    'node.workers': 1,
    ...given,
    'node.name': name,
    'network.host': name,
    'transport.port': TRANSPORT_PORT,
    'discovery.seed_hosts': names.map((host) => `${host}:${TRANSPORT_PORT}`),
    'cluster.initial_cluster_manager_nodes': names,
    insecure: true,
  };
}
