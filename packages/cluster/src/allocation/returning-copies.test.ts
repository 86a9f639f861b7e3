import { type ClusterState, readClusterState, type ShardRouting, writeClusterState } from '@shoal/cluster-state';
import { expect, test } from 'vitest';
import type { ClusterSettings } from '../reading/cluster-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { settled, started } from './allocation-steps.test-support.ts';
import { explainAllocation } from './explain/explain-allocation.ts';
import { reroute } from './reroute.ts';
import type { ShardStores } from './rules/allocation-context.ts';
import { RETURNING_RECOVERIES_MAX } from './rules/returning-copy.ts';
import { applyShardFailed } from './shard-transitions.ts';

type Context = ReturnType<typeof testContext>;

/** Recoveries to a node at a time where no setting says how many. */
const RECOVERIES_MAX = 2;
const SHARDS = RETURNING_RECOVERIES_MAX + 20;
const [a, b] = [testNode('a'), testNode('b')];

/** All primaries are on one node, whose replicas were on the other one, which is back with what it has on disk. */
function back(
  storedOf: (replica: ShardRouting) => string | null,
  nodeSettings: ClusterSettings = {},
): { state: ClusterState; context: Context } {
  const context = testContext();
  const settings = { number_of_shards: SHARDS, number_of_replicas: 1 };
  const whole = settled(withIndex(clusterOf(a, b), 'lib', { settings }, context), context);
  const away = withNodes(whole, { joined: [], left: [{ node: b, reason: 'disconnected' }], newManager: null }, context);
  const onB = new Map(copiesOf(whole, 'lib').flatMap((copy) => (copy.nodeId === 'b' ? [[copy.shard, copy]] : [])));
  const find: ShardStores['find'] = ({ nodeId, shard }) => {
    const copy = onB.get(shard);
    return nodeId === 'b' && copy !== undefined ? storedOf(copy) : null;
  };
  const joined = [testNode('b', { ephemeralId: 'b-2' })];
  const known = { ...context, stores: { find }, nodeSettings };
  return { state: withNodes(away, { joined, left: [], newManager: null }, known), context: known };
}

const inSync = ({ allocationId }: ShardRouting): string | null => allocationId;
const starting = (state: ClusterState): readonly ShardRouting[] =>
  copiesOf(state, 'lib').filter((copy) => copy.state === 'INITIALIZING');
const waiting = (state: ClusterState): readonly ShardRouting[] =>
  copiesOf(state, 'lib').filter((copy) => copy.state === 'UNASSIGNED');

test('replicas that are in sync on the disk of a node recover there beside one another, whatever the limit of recoveries', () => {
  const { state } = back(inSync);
  expect(starting(state).length).toBe(RETURNING_RECOVERIES_MAX);
  for (const copy of starting(state)) {
    expect(copy).toMatchObject({ nodeId: 'b', recoverySource: 'PEER', isReturning: true });
  }
});

test('the next one begins when one of them has started, which is a replica as any other then', () => {
  const { state, context } = back(inSync);
  const [first] = starting(state);
  const next = started(state, first!, context);
  const done = copiesOf(next, 'lib').find(({ allocationId }) => allocationId === first!.allocationId);
  expect(done).toMatchObject({ state: 'STARTED' });
  expect(done).not.toHaveProperty('isReturning');
  expect(starting(reroute(next, context)).length).toBe(RETURNING_RECOVERIES_MAX);
});

test('replicas that lack acknowledged writes wait for one another', () => {
  const { state } = back(() => 'marked stale');
  expect(starting(state).length).toBe(RECOVERIES_MAX);
  for (const copy of starting(state)) expect(copy).not.toHaveProperty('isReturning');
});

test.each(['incoming', 'outgoing'])('none returns where %s recoveries are switched off', (which) => {
  const setting = `cluster.routing.allocation.node_concurrent_${which}_recoveries`;
  expect(starting(back(inSync, { [setting]: '0' }).state)).toEqual([]);
});

test('one that has failed to start from what it has is a recovery as any other', () => {
  const { state, context } = back(inSync);
  const [first] = starting(state);
  const { index, shard, allocationId } = first!;
  const failure = {
    index,
    shard,
    allocationId: allocationId ?? '',
    primaryTerm: 0,
    markStale: false,
    reason: 'damaged',
  };
  const failed = applyShardFailed(state, failure, context);
  const copy = copiesOf(reroute(failed, { ...context, nowMs: 100_000 }), 'lib').find(
    (other) => other.shard === shard && !other.isPrimary,
  );
  expect(copy).toMatchObject({ state: 'INITIALIZING', nodeId: 'b' });
  expect(copy).not.toHaveProperty('isReturning');
});

test('explain says that they wait for others that return', () => {
  const { state, context } = back(inSync);
  const [first] = waiting(state);
  const shard = { index: 'lib', shard: first!.shard, isPrimary: false };
  expect(explainAllocation(state, { shard, includeYesDecisions: false }, context)).toMatchObject({
    can_allocate: 'throttled',
    node_allocation_decisions: [
      { node_decision: 'no' },
      {
        node_decision: 'throttled',
        deciders: [
          {
            decider: 'throttling',
            explanation: `reached the limit of copies [${RETURNING_RECOVERIES_MAX}] that return at a time to a node where they are in sync`,
          },
        ],
      },
    ],
  });
});

test('other nodes read which ones return', () => {
  const { state } = back(inSync);
  expect(readClusterState(writeClusterState(state)).routing).toEqual(state.routing);
});
