/**
 * Deciders: may this copy be on that node? Each says YES, NO or THROTTLE (not now) with a text for `_cluster/allocation/explain`.
 *
 * The allocator and the explanation ask the same functions, so that what is explained is what was done. Texts are made only
 * for those who read them.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { isPrimaryActive } from '../reading/active-copy.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import { renderFilter } from './allocation-filter.ts';
import { maxRetries } from './allocation-retry.ts';
import type { AllocationRules } from './allocation-rules.ts';
import type { CopyCounts } from './copy-counts.ts';

export type Verdict = 'YES' | 'NO' | 'THROTTLE';

export interface Decision {
  readonly decider: string;
  readonly decision: Verdict;
  readonly explanation: string;
}

export interface DeciderInput {
  readonly state: ClusterState;
  readonly rules: AllocationRules;
  /** Assigned copies, changes of the present round included. */
  readonly counts: CopyCounts;
  /** Copies of the same shard as they stand, the primary first. */
  readonly shardCopies: readonly ShardRouting[];
  readonly copy: ShardRouting;
  readonly node: DiscoveryNode;
}

interface Judgement {
  readonly verdict: Verdict;
  readonly text: () => string;
}

const DECIDERS: readonly (readonly [string, (input: DeciderInput) => Judgement])[] = [
  ['max_retry', maxRetry],
  ['replica_after_primary_active', replicaAfterPrimaryActive],
  ['enable', enable],
  ['filter', filter],
  ['same_shard', sameShard],
  ['throttling', throttling],
  ['shards_limit', shardsLimit],
];

export function decide(input: DeciderInput): readonly Decision[] {
  return DECIDERS.map(([decider, ask]) => {
    const { verdict, text } = ask(input);
    return { decider, decision: verdict, explanation: text() };
  });
}

/** What all deciders say together: NO wins, then THROTTLE. */
export function verdictOf(input: DeciderInput): Verdict {
  let verdict: Verdict = 'YES';
  for (const [, ask] of DECIDERS) {
    const judgement = ask(input);
    if (judgement.verdict === 'NO') return 'NO';
    if (judgement.verdict === 'THROTTLE') verdict = 'THROTTLE';
  }
  return verdict;
}

/** Data nodes, the only ones that hold shards: other nodes are not considered. */
export function dataNodes(state: ClusterState): readonly DiscoveryNode[] {
  return [...state.nodes.values()].filter((node) => node.roles.includes('data'));
}

function maxRetry({ state, copy }: DeciderInput): Judgement {
  const failures = copy.unassigned?.failedAllocations ?? 0;
  if (failures === 0) return yes(() => 'shard has no previous failures');
  const max = maxRetries(state, copy.index);
  return copy.state === 'UNASSIGNED' && failures >= max
    ? no(
        () =>
          `shard has exceeded the maximum number of retries [${max}] on failed allocation attempts - manually call [POST /_cluster/reroute?retry_failed] to retry, [last failure: ${copy.unassigned?.details ?? 'unknown'}]`,
      )
    : yes(() => `shard has failed allocating [${failures}] times but [${max}] retries are allowed`);
}

function replicaAfterPrimaryActive({ copy, shardCopies }: DeciderInput): Judgement {
  if (copy.isPrimary) return yes(() => 'shard is primary and can be allocated');
  return isPrimaryActive(shardCopies)
    ? yes(() => 'primary shard for this replica is already active')
    : no(() => 'primary shard for this replica is not yet active');
}

function enable({ rules, copy }: DeciderInput): Judgement {
  const { value, isOfIndex } = rules.enable(copy.index);
  const setting = (): string =>
    isOfIndex
      ? `index setting [index.routing.allocation.enable=${value}]`
      : `cluster setting [cluster.routing.allocation.enable=${value}]`;
  switch (value) {
    case 'none':
      return no(() => `no allocations are allowed due to ${setting()}`);
    case 'new_primaries':
      return copy.isPrimary && isNeverStarted(copy)
        ? yes(() => 'new primary allocations are allowed')
        : no(() => `non-new primary allocations are forbidden due to ${setting()}`);
    case 'primaries':
      return copy.isPrimary
        ? yes(() => 'primary allocations are allowed')
        : no(() => `replica allocations are forbidden due to ${setting()}`);
    default:
      return yes(() => 'all allocations are allowed');
  }
}

function filter({ rules, copy, node }: DeciderInput): Judgement {
  const failed = rules.failedFilter(copy.index, node);
  if (failed === null) return yes(() => 'node passes include/exclude/require filters');
  const { scope, filter } = failed;
  const verb = filter.kind === 'exclude' ? 'matches' : 'does not match';
  const setting = `${scope}.routing.allocation.${filter.kind}`;
  return no(() => `node ${verb} ${scope} setting [${setting}] filters [${renderFilter(filter)}]`);
}

function sameShard({ shardCopies, copy, node }: DeciderInput): Judgement {
  const other = shardCopies.find((c) => c !== copy && c.nodeId === node.id);
  return other === undefined
    ? yes(() => 'this node does not hold a copy of this shard')
    : no(() => `a copy of this shard is already allocated to this node [${copyText(other)}]`);
}

function throttling(input: DeciderInput): Judgement {
  return input.copy.isPrimary ? throttlePrimary(input) : throttleReplica(input);
}

function throttlePrimary({ rules, counts, node }: DeciderInput): Judgement {
  const limit = rules.initialPrimaries;
  if (limit === null) return yes(() => 'no limit of initial primary recoveries is set');
  const running = counts.initialPrimaries(node.id);
  return running >= limit.value
    ? throttle(
        () =>
          `reached the limit of ongoing initial primary recoveries [${running}], cluster setting [${limit.setting}=${limit.value}]`,
      )
    : yes(() => `below primary recovery limit of [${limit.value}]`);
}

function throttleReplica({ rules, counts, shardCopies, node }: DeciderInput): Judgement {
  const { incomingRecoveries, outgoingRecoveries, concurrentRecoveriesSetting } = rules;
  const also = `(can also be set via [${concurrentRecoveriesSetting}])`;
  const incoming = counts.incomingRecoveries(node.id);
  if (incoming >= incomingRecoveries.value) {
    const { setting, value } = incomingRecoveries;
    return throttle(
      () =>
        `reached the limit of incoming shard recoveries [${incoming}], cluster setting [${setting}=${value}] ${also}`,
    );
  }
  const source = shardCopies[0]?.nodeId ?? null;
  if (source === null || !isPrimaryActive(shardCopies)) {
    return no(() => 'primary shard for this replica is not yet active');
  }
  const outgoing = counts.outgoingRecoveries(source);
  if (outgoing >= outgoingRecoveries.value) {
    const { setting, value } = outgoingRecoveries;
    return throttle(
      () =>
        `reached the limit of outgoing shard recoveries [${outgoing}] on the node [${source}] which holds the primary, cluster setting [${setting}=${value}] ${also}`,
    );
  }
  return yes(
    () =>
      `below shard recovery limit of outgoing: [${outgoing} < ${outgoingRecoveries.value}] incoming: [${incoming} < ${incomingRecoveries.value}]`,
  );
}

function shardsLimit({ rules, counts, copy, node }: DeciderInput): Judgement {
  const limit = rules.shardsPerNodeMax(copy.index);
  if (limit <= 0) return yes(() => `total shard limits are disabled: [index: ${limit}, cluster: -1] <= 0`);
  const onNode = counts.ofIndex(node.id, copy.indexUuid) - (copy.nodeId === node.id ? 1 : 0);
  return onNode >= limit
    ? no(
        () =>
          `too many shards [${onNode}] allocated to this node for index [${copy.index}], index setting [index.routing.allocation.total_shards_per_node=${limit}]`,
      )
    : yes(() => `the shard count [${onNode}] for this node is under the index limit [${limit}]`);
}

/** A copy as Elasticsearch writes it in texts. */
function copyText(copy: ShardRouting): string {
  const { index, shard, nodeId, isPrimary, state, allocationId } = copy;
  return `[${index}][${shard}], node[${nodeId}], [${isPrimary ? 'P' : 'R'}], s[${state}], a[id=${allocationId}]`;
}

function yes(text: () => string): Judgement {
  return { verdict: 'YES', text };
}

function no(text: () => string): Judgement {
  return { verdict: 'NO', text };
}

function throttle(text: () => string): Judgement {
  return { verdict: 'THROTTLE', text };
}
