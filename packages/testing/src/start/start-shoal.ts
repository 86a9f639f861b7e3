/**
 * The door of `shoal/testing`: starts a node or a cluster inside the test that asks for it.
 *
 * Either is loaded when it is asked for: a test that starts a node does without the simulated network and disks of a cluster.
 */
import type { GivenSettings } from '@shoal/node';
import type { ShoalCluster } from '../cluster/shoal-cluster.ts';
import type { ShoalNode } from './shoal-node.ts';

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

/** Starts a node, or with `nodes` a cluster of them. */
export function startShoal(options: ClusterOptions): Promise<ShoalCluster>;
export function startShoal(options?: StartOptions): Promise<ShoalNode>;
export async function startShoal(options: StartOptions | ClusterOptions = {}): Promise<ShoalNode | ShoalCluster> {
  const { settings = {} } = options;
  const refreshesBeforeSearch = visibilityOf(options) === 'immediate';
  if ('nodes' in options) {
    const { nodes, seed = 1 } = options;
    const { startCluster } = await import('../cluster/start-cluster.ts');
    return startCluster({ nodes, seed, settings, refreshesBeforeSearch });
  }
  const { startNode } = await import('./start-node.ts');
  return startNode({ settings, refreshesBeforeSearch });
}

function visibilityOf({ visibility = 'immediate' }: StartOptions): Visibility {
  if (visibility === 'immediate' || visibility === 'elasticsearch') return visibility;
  throw new TypeError(`visibility is [immediate] or [elasticsearch], and not [${String(visibility)}]`);
}
