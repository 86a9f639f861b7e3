/**
 * Starts a node inside the test that asks for it: the engine and the API of every other node, in memory alone.
 */
import { type GivenSettings, startDataNode } from '@shoal/node';
import { createEmbeddedRuntime, createSilentLog } from '@shoal/runtime';
import type { ShoalCluster } from './cluster/shoal-cluster.ts';
import { Faults } from './faults/faults.ts';
import { ShoalNode } from './shoal-node.ts';

/** When a write can be found: by the next search, or once it was refreshed, as in production. */
export type Visibility = 'immediate' | 'elasticsearch';

export interface StartOptions {
  /** Default: `immediate`. */
  readonly visibility?: Visibility;
  /** Settings of the node, by Elasticsearch's names, dotted or nested. */
  readonly settings?: GivenSettings;
}

export interface ClusterOptions extends StartOptions {
  /** Nodes of the cluster, 1 to 9, over a simulated network and simulated disks. */
  readonly nodes: number;
  /** Draws all that chance decides; the same seed and calls go the same way again. Default: 1 */
  readonly seed?: number | string;
}

const DEFAULTS: GivenSettings = {
  'cluster.name': 'shoal-testing',
  'node.name': 'shoal-testing-0',
  'discovery.type': 'single-node',
  'node.workers': 1,
};
/** A node alone elects itself at once; this only ends a start that cannot succeed. */
const START_MS_MAX = 30_000;

/** Starts a node, or with `nodes` a cluster of them. */
export function startShoal(options: ClusterOptions): Promise<ShoalCluster>;
export function startShoal(options?: StartOptions): Promise<ShoalNode>;
export async function startShoal(options: StartOptions | ClusterOptions = {}): Promise<ShoalNode | ShoalCluster> {
  if (!('nodes' in options)) return startNode(options);
  const { nodes, seed = 1, settings = {} } = options;
  const { startCluster } = await import('./cluster/start-cluster.ts');
  return startCluster({ nodes, seed, settings, refreshesBeforeSearch: visibilityOf(options) === 'immediate' });
}

async function startNode(options: StartOptions): Promise<ShoalNode> {
  const embedded = createEmbeddedRuntime({ log: createSilentLog() });
  const release = embedded.time.hold();
  try {
    const settings = { ...DEFAULTS, ...options.settings };
    const faults = new Faults();
    const node = await startDataNode(embedded.runtime, settings, {
      httpPort: null,
      reserveBytes: 0,
      memoryDisk: embedded.disk,
      refreshesBeforeSearch: visibilityOf(options) === 'immediate',
      beforeShardSearch: (target) => faults.searchShard(target),
    });
    const state = await node.cluster.waitForState((applied) => applied.clusterManagerId !== null, START_MS_MAX);
    if (state !== null) return new ShoalNode(embedded, node, faults);
    await node.close();
    throw new Error(`the node elected no cluster manager within ${START_MS_MAX} ms`);
  } finally {
    release();
  }
}

function visibilityOf({ visibility = 'immediate' }: StartOptions): Visibility {
  if (visibility === 'immediate' || visibility === 'elasticsearch') return visibility;
  throw new TypeError(`visibility is [immediate] or [elasticsearch], and not [${String(visibility)}]`);
}
