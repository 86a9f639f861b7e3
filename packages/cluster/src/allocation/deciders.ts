/**
 * Deciders: may this copy be on that node? Each says YES or NO with a text for `_cluster/allocation/explain`.
 *
 * The allocator and the explanation ask the same functions, so that what is explained is what was done.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import type { ClusterSettings } from '../reading/cluster-settings.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import { failedFilter, readFilters, renderFilter } from './allocation-filter.ts';
import { maxRetries } from './allocation-retry.ts';
import type { CopyCounts } from './copy-counts.ts';

export interface Decision {
  readonly decider: string;
  readonly decision: 'YES' | 'NO';
  readonly explanation: string;
}

/** Why replicas stay unassigned: the reason that users see in explain and in `_cat/shards`. */
export const REPLICAS_UNASSIGNED =
  'the cluster manager that made this state assigns primaries only: its replicas stay unassigned';

export interface DeciderInput {
  readonly state: ClusterState;
  /** Cluster settings in force. */
  readonly settings: ClusterSettings;
  /** Assigned copies, changes of the present round included. */
  readonly counts: CopyCounts;
  /** Copies of the same shard as they stand. */
  readonly shardCopies: readonly ShardRouting[];
  readonly copy: ShardRouting;
  readonly node: DiscoveryNode;
}

type Decider = (input: DeciderInput) => Decision;

const DECIDERS: readonly Decider[] = [maxRetry, replicaAfterPrimaryActive, enable, filter, sameShard, shardsLimit];

export function decide(input: DeciderInput): readonly Decision[] {
  return DECIDERS.map((decider) => decider(input));
}

export function isAllowed(input: DeciderInput): boolean {
  return DECIDERS.every((decider) => decider(input).decision === 'YES');
}

/** Data nodes, the only ones that hold shards: other nodes are not considered. */
export function dataNodes(state: ClusterState): readonly DiscoveryNode[] {
  return [...state.nodes.values()].filter((node) => node.roles.includes('data'));
}

function maxRetry({ state, copy }: DeciderInput): Decision {
  const failures = copy.unassigned?.failedAllocations ?? 0;
  const max = maxRetries(state, copy.index);
  if (copy.state === 'UNASSIGNED' && failures >= max) {
    const last = copy.unassigned?.details ?? 'unknown';
    return no(
      'max_retry',
      `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [last failure: ${last}]`,
    );
  }
  return failures === 0
    ? yes('max_retry', 'shard has no previous failures')
    : yes('max_retry', `shard has failed allocating [${failures}] times but [${max}] retries are allowed`);
}

function replicaAfterPrimaryActive({ copy }: DeciderInput): Decision {
  return copy.isPrimary
    ? yes('replica_after_primary_active', 'shard is primary and can be allocated')
    : no('replica_after_primary_active', REPLICAS_UNASSIGNED);
}

function enable({ state, settings, copy }: DeciderInput): Decision {
  const indexSetting = state.metadata.indices.get(copy.index)?.settings['index.routing.allocation.enable'];
  const clusterSetting = settings['cluster.routing.allocation.enable'];
  const value = (indexSetting ?? clusterSetting ?? 'all').toLowerCase();
  const usedSetting =
    indexSetting === undefined
      ? `cluster setting [cluster.routing.allocation.enable=${value}]`
      : `index setting [index.routing.allocation.enable=${value}]`;
  switch (value) {
    case 'none':
      return no('enable', `no allocations are allowed due to ${usedSetting}`);
    case 'new_primaries':
      return copy.isPrimary && isNeverStarted(copy)
        ? yes('enable', 'new primary allocations are allowed')
        : no('enable', `non-new primary allocations are forbidden due to ${usedSetting}`);
    case 'primaries':
      return copy.isPrimary
        ? yes('enable', 'primary allocations are allowed')
        : no('enable', `replica allocations are forbidden due to ${usedSetting}`);
    default:
      return yes('enable', 'all allocations are allowed');
  }
}

function filter({ state, settings, copy, node }: DeciderInput): Decision {
  const ofIndex = readFilters(state.metadata.indices.get(copy.index)?.settings ?? {}, 'index.routing.allocation');
  const ofCluster = readFilters(settings, 'cluster.routing.allocation');
  for (const [scope, filters] of [
    ['cluster', ofCluster],
    ['index', ofIndex],
  ] as const) {
    const failed = failedFilter(filters, node);
    if (failed !== null) {
      const verb = failed.kind === 'exclude' ? 'matches' : 'does not match';
      const setting = `${scope}.routing.allocation.${failed.kind}`;
      return no('filter', `node ${verb} ${scope} setting [${setting}] filters [${renderFilter(failed)}]`);
    }
  }
  return yes('filter', 'node passes include/exclude/require filters');
}

function sameShard({ shardCopies, copy, node }: DeciderInput): Decision {
  const other = shardCopies.find((c) => c !== copy && c.nodeId === node.id);
  return other === undefined
    ? yes('same_shard', 'this node does not hold a copy of this shard')
    : no('same_shard', `a copy of this shard is already allocated to this node [[${copy.index}][${copy.shard}]]`);
}

function shardsLimit({ state, counts, copy, node }: DeciderInput): Decision {
  const text = state.metadata.indices.get(copy.index)?.settings['index.routing.allocation.total_shards_per_node'];
  const limit = text === undefined ? -1 : Number.parseInt(text, 10);
  const onNode = counts.ofIndex(node.id, copy.indexUuid) - (copy.nodeId === node.id ? 1 : 0);
  return limit > 0 && onNode >= limit
    ? no(
        'shards_limit',
        `too many shards [${onNode}] allocated to this node for index [${copy.index}], index setting [index.routing.allocation.total_shards_per_node=${limit}]`,
      )
    : yes('shards_limit', `the shard count [${onNode}] for this node is under the index limit [${limit}]`);
}

function yes(decider: string, explanation: string): Decision {
  return { decider, decision: 'YES', explanation };
}

function no(decider: string, explanation: string): Decision {
  return { decider, decision: 'NO', explanation };
}
