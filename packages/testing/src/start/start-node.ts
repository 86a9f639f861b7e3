/**
 * Starts a node inside the test that asks for it: the engine and the API of every other node, in memory alone.
 */
import { type GivenSettings, startDataNode } from '@shoal/node';
import { createEmbeddedRuntime, createSilentLog } from '@shoal/runtime';
import { Faults } from '../faults/faults.ts';
import { ShoalNode } from './shoal-node.ts';

export interface NodePlan {
  readonly settings: GivenSettings;
  readonly refreshesBeforeSearch: boolean;
}

const DEFAULTS: GivenSettings = {
  'cluster.name': 'shoal-testing',
  'node.name': 'shoal-testing-0',
  'discovery.type': 'single-node',
  'node.workers': 1,
};
/** A node alone elects itself at once; this only ends a start that cannot succeed. */
const START_MS_MAX = 30_000;

export async function startNode(plan: NodePlan): Promise<ShoalNode> {
  const embedded = createEmbeddedRuntime({ log: createSilentLog() });
  const release = embedded.time.hold();
  try {
    const settings = { ...DEFAULTS, ...plan.settings };
    const faults = new Faults();
    const node = await startDataNode(embedded.runtime, settings, {
      httpPort: null,
      reserveBytes: 0,
      memoryDisk: embedded.disk,
      refreshesBeforeSearch: plan.refreshesBeforeSearch,
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
