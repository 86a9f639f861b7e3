/**
 * `shards_availability`: whether all copies of all shards are started.
 */
import { clusterHealth, dataNodes, isActive } from '@shoal/cluster';
import { type ClusterState, type ShardRouting, withoutTargets } from '@shoal/cluster-state';
import { counted, type Diagnosis, type HealthIndicator, type Impact, isWell } from './health-indicator.ts';

const ID = 'elasticsearch:health:shards_availability';

/** Why a primary waits, as its last attempt left it, and what helps. */
const PRIMARY_CAUSES: Readonly<Record<'failed' | 'lost' | 'waiting', Omit<Diagnosis, 'affected'>>> = {
  lost: {
    id: `${ID}:diagnosis:restore_from_snapshot`,
    cause: 'No node of the cluster holds a copy of the data of these shards.',
    action: 'Start the nodes again that held them, or restore the indices from a snapshot.',
  },
  failed: {
    id: `${ID}:diagnosis:explain_allocations`,
    cause: 'These shards failed to start.',
    action:
      'Ask the allocation explain API for the failure of each, and retry with POST _cluster/reroute?retry_failed.',
  },
  waiting: {
    id: `${ID}:diagnosis:enable_allocations`,
    cause: 'No node may hold these shards, by the settings of the cluster or of their indices.',
    action: 'Ask the allocation explain API for the rule that keeps each from every node.',
  },
};

type ReplicaCause = 'crowded' | 'delayed' | 'failed' | 'waiting';

/** Why a replica waits, and what helps. */
const REPLICA_CAUSES: Readonly<Record<ReplicaCause, Omit<Diagnosis, 'affected'>>> = {
  crowded: {
    id: `${ID}:diagnosis:increase_tier_capacity_for_allocations`,
    cause:
      'These indices ask for more copies than the cluster has data nodes, and no node holds two copies of a shard.',
    action: 'Add data nodes, or set a lower [index.number_of_replicas].',
  },
  delayed: {
    id: `${ID}:diagnosis:delayed_allocation`,
    cause: 'The node that held these replicas left a short time ago, and is waited for.',
    action:
      'Start the node again, or set a shorter [index.unassigned.node_left.delayed_timeout] to copy them to other nodes.',
  },
  failed: {
    id: `${ID}:diagnosis:explain_allocations`,
    cause: 'These replicas failed to start.',
    action:
      'Ask the allocation explain API for the failure of each, and retry with POST _cluster/reroute?retry_failed.',
  },
  waiting: {
    id: `${ID}:diagnosis:explain_allocations`,
    cause: 'These replicas wait for other recoveries, or no node may hold them by the settings.',
    action: 'Ask the allocation explain API for the rule that keeps each from every node.',
  },
};

export const shardsAvailability: HealthIndicator = {
  name: 'shards_availability',
  look: ({ state }) => {
    const { status, indices } = clusterHealth(state, null);
    const copies = [...state.routing.indices.values()].flat().flatMap(withoutTargets);
    const primaries = copies.filter(({ isPrimary }) => isPrimary);
    const replicas = copies.filter(({ isPrimary }) => !isPrimary);
    const details = { ...countsOf(primaries, 'primaries'), ...countsOf(replicas, 'replicas') };
    const unstarted = primaries.filter(({ state: one }) => one === 'UNASSIGNED');
    const missing = replicas.filter(({ state: one }) => one === 'UNASSIGNED');
    if (unstarted.length + missing.length === 0 && status === 'green') {
      return isWell('This cluster has all shards available.', details);
    }
    const red = [...indices.values()].filter((index) => index.status === 'red').map(({ index }) => index);
    const parts = [
      ...(unstarted.length === 0 ? [] : [`${counted(unstarted.length, 'unavailable primary shard')}`]),
      ...(missing.length === 0 ? [] : [`${counted(missing.length, 'unavailable replica shard')}`]),
      ...(unstarted.length + missing.length === 0 ? ['shards that are being started'] : []),
    ];
    return {
      status,
      symptom: `This cluster has ${parts.join(', ')}.`,
      details,
      impacts: impactsOf(red, namesOf(missing)),
      diagnoses: [
        ...diagnosesOf(unstarted.filter(({ index }) => red.includes(index))),
        ...replicaDiagnoses(missing, state),
      ],
    };
  },
};

function countsOf(copies: readonly ShardRouting[], sort: 'primaries' | 'replicas'): Readonly<Record<string, number>> {
  const count = (which: (copy: ShardRouting) => boolean): number => copies.filter(which).length;
  const isNew = ({ unassigned }: ShardRouting): boolean => unassigned?.reason === 'INDEX_CREATED';
  return {
    [`unassigned_${sort}`]: count((copy) => copy.state === 'UNASSIGNED' && !isNew(copy)),
    [`initializing_${sort}`]: count((copy) => copy.state === 'INITIALIZING' && !isNew(copy)),
    [`creating_${sort}`]: count((copy) => isNew(copy) && copy.state !== 'STARTED'),
    // No node announces that it is going to be restarted.
    [`restarting_${sort}`]: 0,
    [`started_${sort}`]: count(isActive),
  };
}

function impactsOf(red: readonly string[], withoutReplicas: readonly string[]): readonly Impact[] {
  const impacts: Impact[] = [];
  if (red.length > 0) {
    impacts.push({
      id: `${ID}:impact:primary_unassigned`,
      severity: 1,
      description: `Data cannot be added to ${counted(red.length, 'index')} [${red.join(', ')}], and searches of it may lack results.`,
      areas: ['ingest', 'search'],
    });
  }
  if (withoutReplicas.length > 0) {
    impacts.push({
      id: `${ID}:impact:replica_unassigned`,
      severity: 2,
      description: `The data of ${counted(withoutReplicas.length, 'index')} [${withoutReplicas.join(', ')}] exists in fewer copies than asked for.`,
      areas: ['search'],
    });
  }
  return impacts;
}

function diagnosesOf(unstarted: readonly ShardRouting[]): readonly Diagnosis[] {
  const causeOf = ({ unassigned }: ShardRouting): keyof typeof PRIMARY_CAUSES =>
    unassigned?.allocationStatus === 'no_valid_shard_copy'
      ? 'lost'
      : (unassigned?.failedAllocations ?? 0) > 0
        ? 'failed'
        : 'waiting';
  return (['lost', 'failed', 'waiting'] as const).flatMap((cause) => {
    const indices = namesOf(unstarted.filter((copy) => causeOf(copy) === cause));
    return indices.length === 0 ? [] : [{ ...PRIMARY_CAUSES[cause], affected: { indices } }];
  });
}

function replicaDiagnoses(missing: readonly ShardRouting[], state: ClusterState): readonly Diagnosis[] {
  const nodeCount = dataNodes(state).length;
  const causeOf = ({ index, unassigned }: ShardRouting): ReplicaCause => {
    if (unassigned?.allocationStatus === 'delayed_allocation') return 'delayed';
    if ((state.metadata.indices.get(index)?.numberOfReplicas ?? 0) >= nodeCount) return 'crowded';
    return (unassigned?.failedAllocations ?? 0) > 0 ? 'failed' : 'waiting';
  };
  const causes: readonly ReplicaCause[] = ['crowded', 'delayed', 'failed', 'waiting'];
  return causes.flatMap((cause) => {
    const indices = namesOf(missing.filter((copy) => causeOf(copy) === cause));
    return indices.length === 0 ? [] : [{ ...REPLICA_CAUSES[cause], affected: { indices } }];
  });
}

function namesOf(copies: readonly ShardRouting[]): readonly string[] {
  return [...new Set(copies.map(({ index }) => index))].sort();
}
