/**
 * Whole nodes under virtual time: real transport, codec, log on a simulated disk, with crashes, cuts and lost syncs.
 */

import { clusterHealth } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { createWorld, type SimulatedWorld } from '@shoal/simulation';
import type { ClusterService } from '../service/cluster-service.ts';
import { startCopies } from '../start/cluster-nodes.test-support.ts';
import type { ClusterOptions } from '../start/cluster-options.ts';
import { startCluster } from '../start/start-cluster.ts';

export const TRANSPORT_PORT = 9_300;

export class ClusterWorld {
  readonly world: SimulatedWorld;
  readonly names: readonly string[];
  readonly services = new Map<string, ClusterService>();
  readonly fatal: { readonly node: string; readonly error: unknown }[] = [];
  readonly #made = new Set<string>();
  readonly #stores = new Map<string, Map<string, string>>();

  constructor(seed: number | string, count: number) {
    this.world = createWorld({ seed });
    this.names = Array.from({ length: count }, (_, i) => `n${i + 1}`);
  }

  async startAll(): Promise<void> {
    await Promise.all(this.names.map((name) => this.world.settle(this.start(name))));
  }

  async start(name: string, options: Partial<ClusterOptions> = {}): Promise<void> {
    const { runtime } = this.world.node(name);
    const stores = this.#stores.get(name) ?? new Map<string, string>();
    this.#stores.set(name, stores);
    const service = await startCluster(runtime, {
      clusterName: 'sim',
      nodeName: name,
      roles: ['cluster_manager', 'data', 'ingest'],
      dataPath: 'data',
      bind: { host: name, port: TRANSPORT_PORT },
      httpAddress: null,
      seedHosts: this.names,
      initialClusterManagerNodes: this.names,
      discoveryType: null,
      listShardStores: async ({ shards }) => shards.map((at) => stores.get(`${at.indexUuid}/${at.shard}`) ?? null),
      register: (node) => startCopies(node, stores, this.#made),
      onFatal: (error) => this.fatal.push({ node: name, error }),
      ...options,
    });
    this.services.set(name, service);
  }

  /** The process dies where it stands. */
  crash(name: string, silent = false): void {
    this.world.node(name).crash({ silent });
    this.services.delete(name);
  }

  async restart(name: string): Promise<void> {
    this.world.node(name).restart();
    await this.world.settle(this.start(name));
  }

  state(name: string): ClusterState {
    const service = this.services.get(name);
    if (service === undefined) throw new Error(`${name} does not run`);
    return service.state();
  }

  /** Virtual milliseconds until every running node sees what is asked for; throws when it takes longer than `maxMs`. */
  async until(what: (state: ClusterState) => boolean, maxMs: number): Promise<number> {
    const begun = this.world.nowMs;
    const isReached = (): boolean => [...this.services.values()].every((service) => what(service.state()));
    await this.world.run(() => isReached() || this.world.nowMs - begun > maxMs);
    if (!isReached()) {
      const seen = [...this.services].map(([name, service]) => `${name}: ${JSON.stringify(service.diagnose())}`);
      throw new Error(`not reached in ${maxMs} ms\n${seen.join('\n')}\n${this.world.logLines.slice(-40).join('\n')}`);
    }
    return this.world.nowMs - begun;
  }

  isWhole = (state: ClusterState): boolean =>
    state.clusterManagerId !== null &&
    state.nodes.size === this.names.length &&
    state.metadata.coordination.lastCommittedConfig.length === this.names.length &&
    state.metadata.coordination.lastCommittedConfig.every((id) => state.nodes.has(id)) &&
    clusterHealth(state, null).status === 'green';
}
