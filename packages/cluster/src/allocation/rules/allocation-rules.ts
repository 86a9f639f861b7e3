/**
 * Settings that say where copies may be, read once a round of allocation: parsed anew for each copy and node, they would cost
 * more than all decisions.
 */
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import type { ClusterSettings } from '../../reading/cluster-settings.ts';
import { dataNodes } from '../../reading/data-nodes.ts';
import { type AllocationFilter, failedFilter, readFilters } from './allocation-filter.ts';
import { type AwarenessRules, awarenessRules } from './awareness-rules.ts';
import { type BalanceRules, balanceRules } from './balance-rules.ts';
import { type DiskRules, diskRules } from './disk-rules.ts';
import { RETURNING_RECOVERIES_MAX } from './returning-copy.ts';

const NODE_CONCURRENT_RECOVERIES = 'cluster.routing.allocation.node_concurrent_recoveries';
const INCOMING_RECOVERIES = 'cluster.routing.allocation.node_concurrent_incoming_recoveries';
const OUTGOING_RECOVERIES = 'cluster.routing.allocation.node_concurrent_outgoing_recoveries';
const INITIAL_PRIMARIES = 'cluster.routing.allocation.node_initial_primaries_recoveries';
/** Default of the recoveries that run to a node and from a node. */
const RECOVERIES_DEFAULT = 2;
const ALLOW_REBALANCE_DEFAULT = 'indices_all_active';
const CONCURRENT_REBALANCES_DEFAULT = 2;

/** A setting with its value, as texts name both. */
export interface NamedLimit {
  readonly setting: string;
  readonly value: number;
}

export interface EnableRule {
  /** In lower case. */
  readonly value: string;
  /** Setting of the index or of the cluster that says so. */
  readonly text: () => string;
}

export interface FailedFilter {
  readonly scope: 'cluster' | 'index';
  readonly filter: AllocationFilter;
}

interface IndexRules {
  readonly enable: EnableRule;
  readonly rebalanceEnable: EnableRule;
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
  /** Copies in sync that return to a node at a time; 0: they wait as others do, for recoveries are switched off. */
  readonly returningRecoveriesMax: number;
  /** null: primaries start without waiting for others. */
  readonly initialPrimaries: NamedLimit | null;
  /** `cluster.routing.allocation.total_shards_per_node`; below 1: no limit. */
  readonly shardsPerNodeMax: number;
  /** `cluster.routing.allocation.same_shard.host`: copies of a shard are not put on nodes of one address either. */
  readonly isOneCopyPerHost: boolean;
  readonly awareness: AwarenessRules;
  /** null: disks are not looked at. */
  readonly disk: DiskRules | null;
  readonly isSingleDataNode: boolean;
  readonly balance: BalanceRules;
  readonly allowRebalance: string;
  /** Copies that may be on the move in the cluster when one more is moved for the balance; -1: no limit. */
  readonly concurrentRebalances: number;
  readonly #state: ClusterState;
  readonly #settings: ClusterSettings;
  readonly #awarenessValues = new Map<string, readonly string[]>();
  readonly #clusterFilters: readonly AllocationFilter[];
  readonly #indices = new Map<string, IndexRules>();

  /** @param settings cluster settings in force */
  constructor(state: ClusterState, settings: ClusterSettings) {
    this.#state = state;
    const both = settings[NODE_CONCURRENT_RECOVERIES];
    this.incomingRecoveries = limit(INCOMING_RECOVERIES, settings[INCOMING_RECOVERIES] ?? both);
    this.outgoingRecoveries = limit(OUTGOING_RECOVERIES, settings[OUTGOING_RECOVERIES] ?? both);
    const isOff = this.incomingRecoveries.value === 0 || this.outgoingRecoveries.value === 0;
    this.returningRecoveriesMax = isOff ? 0 : RETURNING_RECOVERIES_MAX;
    const initial = settings[INITIAL_PRIMARIES];
    this.initialPrimaries = initial === undefined ? null : limit(INITIAL_PRIMARIES, initial);
    this.shardsPerNodeMax = Number(settings['cluster.routing.allocation.total_shards_per_node'] ?? -1);
    this.isOneCopyPerHost = settings['cluster.routing.allocation.same_shard.host'] === 'true';
    this.awareness = awarenessRules(settings);
    this.disk = diskRules(settings);
    this.isSingleDataNode = dataNodes(state).length === 1;
    this.balance = balanceRules(settings);
    this.allowRebalance = (
      settings['cluster.routing.allocation.allow_rebalance'] ?? ALLOW_REBALANCE_DEFAULT
    ).toLowerCase();
    this.concurrentRebalances = Number(
      settings['cluster.routing.allocation.cluster_concurrent_rebalance'] ?? CONCURRENT_REBALANCES_DEFAULT,
    );
    this.#settings = settings;
    this.#clusterFilters = readFilters(settings, 'cluster.routing.allocation');
  }

  enable(index: string): EnableRule {
    return this.#of(index).enable;
  }

  rebalanceEnable(index: string): EnableRule {
    return this.#of(index).rebalanceEnable;
  }

  /** Below 1: no limit. */
  indexShardsPerNodeMax(index: string): number {
    return this.#of(index).shardsPerNodeMax;
  }

  /** Values that data nodes have of the attribute, sorted. */
  awarenessValues(attribute: string): readonly string[] {
    let values = this.#awarenessValues.get(attribute);
    if (values === undefined) {
      const found = dataNodes(this.#state).flatMap(({ attributes }) => attributes[attribute] ?? []);
      values = [...new Set(found)].sort();
      this.#awarenessValues.set(attribute, values);
    }
    return values;
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
    const total = settings['index.routing.allocation.total_shards_per_node'];
    const rules: IndexRules = {
      enable: this.#enableRule(settings, 'index.routing.allocation.enable', 'cluster.routing.allocation.enable'),
      rebalanceEnable: this.#enableRule(settings, 'index.routing.rebalance.enable', 'cluster.routing.rebalance.enable'),
      filters: readFilters(settings, 'index.routing.allocation'),
      shardsPerNodeMax: total === undefined ? -1 : Number.parseInt(total, 10),
      failedFilters: new Map(),
    };
    this.#indices.set(index, rules);
    return rules;
  }

  /** What an index says itself goes before what the cluster says. */
  #enableRule(ofIndex: ClusterSettings, indexSetting: string, clusterSetting: string): EnableRule {
    const own = ofIndex[indexSetting];
    const value = (own ?? this.#settings[clusterSetting] ?? 'all').toLowerCase();
    return {
      value,
      text: () =>
        own === undefined ? `cluster setting [${clusterSetting}=${value}]` : `index setting [${indexSetting}=${value}]`,
    };
  }
}

function limit(setting: string, text: string | undefined): NamedLimit {
  return { setting, value: text === undefined ? RECOVERIES_DEFAULT : Number.parseInt(text, 10) };
}
