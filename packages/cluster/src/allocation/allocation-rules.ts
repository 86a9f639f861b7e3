/**
 * Settings that say where copies may be, read once a round of allocation: parsed anew for each copy and node, they would cost
 * more than all decisions.
 */
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import type { ClusterSettings } from '../reading/cluster-settings.ts';
import { type AllocationFilter, failedFilter, readFilters } from './allocation-filter.ts';

const NODE_CONCURRENT_RECOVERIES = 'cluster.routing.allocation.node_concurrent_recoveries';
const INCOMING_RECOVERIES = 'cluster.routing.allocation.node_concurrent_incoming_recoveries';
const OUTGOING_RECOVERIES = 'cluster.routing.allocation.node_concurrent_outgoing_recoveries';
const INITIAL_PRIMARIES = 'cluster.routing.allocation.node_initial_primaries_recoveries';
/** Default of the recoveries that run to a node and from a node. */
const RECOVERIES_DEFAULT = 2;

/** A setting with its value, as texts name both. */
export interface NamedLimit {
  readonly setting: string;
  readonly value: number;
}

export interface EnableRule {
  readonly value: string;
  readonly isOfIndex: boolean;
}

export interface FailedFilter {
  readonly scope: 'cluster' | 'index';
  readonly filter: AllocationFilter;
}

interface IndexRules {
  readonly enable: EnableRule;
  readonly filters: readonly AllocationFilter[];
  /** `index.routing.allocation.total_shards_per_node`; below 1: no limit. */
  readonly shardsPerNodeMax: number;
  /** By node id; null: it passes all filters. */
  readonly failedFilters: Map<string, FailedFilter | null>;
}

export class AllocationRules {
  readonly concurrentRecoveriesSetting: string = NODE_CONCURRENT_RECOVERIES;
  readonly incomingRecoveries: NamedLimit;
  readonly outgoingRecoveries: NamedLimit;
  /** null: primaries start without waiting for others. */
  readonly initialPrimaries: NamedLimit | null;
  readonly #state: ClusterState;
  readonly #clusterEnable: string | undefined;
  readonly #clusterFilters: readonly AllocationFilter[];
  readonly #indices = new Map<string, IndexRules>();

  /** @param settings cluster settings in force */
  constructor(state: ClusterState, settings: ClusterSettings) {
    this.#state = state;
    const both = settings[NODE_CONCURRENT_RECOVERIES];
    this.incomingRecoveries = limit(INCOMING_RECOVERIES, settings[INCOMING_RECOVERIES] ?? both);
    this.outgoingRecoveries = limit(OUTGOING_RECOVERIES, settings[OUTGOING_RECOVERIES] ?? both);
    const initial = settings[INITIAL_PRIMARIES];
    this.initialPrimaries = initial === undefined ? null : limit(INITIAL_PRIMARIES, initial);
    this.#clusterEnable = settings['cluster.routing.allocation.enable'];
    this.#clusterFilters = readFilters(settings, 'cluster.routing.allocation');
  }

  enable(index: string): EnableRule {
    return this.#of(index).enable;
  }

  shardsPerNodeMax(index: string): number {
    return this.#of(index).shardsPerNodeMax;
  }

  /** The first filter that the node does not pass; null when it passes all. */
  failedFilter(index: string, node: DiscoveryNode): FailedFilter | null {
    const rules = this.#of(index);
    let failed = rules.failedFilters.get(node.id);
    if (failed === undefined) {
      const ofCluster = failedFilter(this.#clusterFilters, node);
      const ofIndex = ofCluster === null ? failedFilter(rules.filters, node) : null;
      failed =
        ofCluster !== null
          ? { scope: 'cluster', filter: ofCluster }
          : ofIndex !== null
            ? { scope: 'index', filter: ofIndex }
            : null;
      rules.failedFilters.set(node.id, failed);
    }
    return failed;
  }

  #of(index: string): IndexRules {
    const known = this.#indices.get(index);
    if (known !== undefined) return known;
    const settings = this.#state.metadata.indices.get(index)?.settings ?? {};
    const ofIndex = settings['index.routing.allocation.enable'];
    const total = settings['index.routing.allocation.total_shards_per_node'];
    const rules: IndexRules = {
      enable: { value: (ofIndex ?? this.#clusterEnable ?? 'all').toLowerCase(), isOfIndex: ofIndex !== undefined },
      filters: readFilters(settings, 'index.routing.allocation'),
      shardsPerNodeMax: total === undefined ? -1 : Number.parseInt(total, 10),
      failedFilters: new Map(),
    };
    this.#indices.set(index, rules);
    return rules;
  }
}

function limit(setting: string, text: string | undefined): NamedLimit {
  return { setting, value: text === undefined ? RECOVERIES_DEFAULT : Number.parseInt(text, 10) };
}
