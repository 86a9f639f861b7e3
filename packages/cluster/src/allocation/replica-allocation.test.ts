import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { deleteIndices } from '../metadata/delete-index.ts';
import { setIndexState } from '../metadata/open-close-index.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { waitsOfCopies } from './allocation-delay.ts';
import { explainAllocation } from './explain/explain-allocation.ts';
import { reroute } from './reroute.ts';
import type { ShardStores } from './rules/allocation-context.ts';
import { applyShardFailed, applyShardStarted } from './shard-transitions.ts';

type Context = ReturnType<typeof testContext>;

const [a, b, c] = [testNode('a'), testNode('b'), testNode('c')];
const NOTHING_STORED: ShardStores = { find: () => null };

function started(state: ClusterState, copy: ShardRouting | undefined): ClusterState {
  const { index = '', shard = 0, allocationId = '' } = copy ?? {};
  const primaryTerm = state.metadata.indices.get(index)?.primaryTerms[shard] ?? 0;
  return applyShardStarted(state, { index, shard, allocationId: allocationId ?? '', primaryTerm });
}

/** Every copy that its node was told to start has started, and so on until none is left. */
function startAll(state: ClusterState, context: Context): ClusterState {
  let next = state;
  for (let round = 0; round < 100; round++) {
    const waiting = [...next.routing.indices.values()].flat(2).filter((copy) => copy.state === 'INITIALIZING');
    if (waiting.length === 0) return next;
    for (const copy of waiting) next = started(next, copy);
    next = reroute(next, context);
  }
  throw new Error('copies start for ever');
}

function leave(state: ClusterState, id: string, context: Context): ClusterState {
  const node = state.nodes.get(id);
  if (node === undefined) return state;
  return withNodes(state, { joined: [], left: [{ node, reason: 'disconnected' }], newManager: null }, context);
}

function join(state: ClusterState, id: string, context: Context): ClusterState {
  const joined = [testNode(id, { ephemeralId: `${id}-2` })];
  return withNodes(state, { joined, left: [], newManager: null }, context);
}

function lib(context: Context, settings: Record<string, unknown> = {}, nodes = [a, b]): ClusterState {
  return withIndex(clusterOf(...nodes), 'lib', { settings: { number_of_replicas: 1, ...settings } }, context);
}

/** A state of a cluster manager that assigned no replicas. */
function withReplicaDetails(state: ClusterState, details: string): ClusterState {
  const routing = (state.routing.indices.get('lib') ?? []).map((copies) =>
    copies.map((copy) =>
      copy.isPrimary || copy.unassigned === null
        ? copy
        : { ...copy, unassigned: { ...copy.unassigned, details, allocationStatus: 'deciders_no' as const } },
    ),
  );
  return { ...state, routing: { ...state.routing, indices: new Map([['lib', routing]]) } };
}

const brief = (copy: ShardRouting | undefined): unknown =>
  copy && [copy.isPrimary ? 'p' : 'r', copy.state, copy.nodeId, copy.recoverySource];

describe('a replica', () => {
  test('waits for its primary, then recovers from it on another node, and is in sync when it has started', () => {
    const context = testContext();
    const created = lib(context);
    expect(copiesOf(created, 'lib').map(brief)).toEqual([
      ['p', 'INITIALIZING', 'a', 'EMPTY_STORE'],
      ['r', 'UNASSIGNED', null, 'PEER'],
    ]);
    const active = reroute(started(created, copiesOf(created, 'lib')[0]), context);
    expect(brief(copiesOf(active, 'lib')[1])).toEqual(['r', 'INITIALIZING', 'b', 'PEER']);
    const whole = reroute(started(active, copiesOf(active, 'lib')[1]), context);
    expect(clusterHealth(whole, null).status).toBe('green');
    expect(whole.metadata.indices.get('lib')?.inSyncAllocations[0]).toEqual(
      copiesOf(whole, 'lib').map((copy) => copy.allocationId),
    );
    expect(whole.metadata.indices.get('lib')?.primaryTerms).toEqual([1]);
  });

  test('is explained on the node that the request names', () => {
    const context = testContext();
    const state = startAll(lib(context, { number_of_replicas: 2 }, [a, b, c]), context);
    const explained = (nodeId: string, isPrimary: boolean): unknown =>
      explainAllocation(
        state,
        { shard: { index: 'lib', shard: 0, isPrimary, nodeId }, includeYesDecisions: false },
        context,
      )['current_node'];
    const replicas = copiesOf(state, 'lib').filter((copy) => !copy.isPrimary);
    for (const { nodeId } of replicas) expect(explained(nodeId ?? '', false)).toMatchObject({ id: nodeId });
    const other = replicas[0]?.nodeId ?? '';
    const { name } = state.nodes.get(other) ?? { name: '' };
    expect(() => explained(other, true)).toThrow(`unable to find a primary shard assigned to node [${name}]`);
  });

  test('stays away from the node of its primary, and says so', () => {
    const context = testContext();
    const state = startAll(lib(context, {}, [a]), context);
    const shard = { index: 'lib', shard: 0, isPrimary: false };
    const primary = copiesOf(state, 'lib')[0];
    expect(explainAllocation(state, { shard, includeYesDecisions: false }, context)).toMatchObject({
      unassigned_info: { reason: 'INDEX_CREATED', last_allocation_status: 'no_attempt' },
      can_allocate: 'no',
      allocate_explanation: 'cannot allocate because allocation is not permitted to any of the nodes',
      node_allocation_decisions: [
        {
          node_decision: 'no',
          weight_ranking: 1,
          deciders: [
            {
              decider: 'same_shard',
              explanation: `a copy of this shard is already allocated to this node [[lib][0], node[a], [P], s[STARTED], a[id=${primary?.allocationId}]]`,
            },
          ],
        },
      ],
    });
  });

  test('does not say any more what a version said that assigned none, whether its primary is active or not', () => {
    const details = 'the cluster manager that made this state assigns primaries only: its replicas stay unassigned';
    const context = testContext();
    const created = lib(context, {}, [a]);
    for (const state of [created, startAll(created, context)]) {
      const next = reroute(withReplicaDetails(state, details), context);
      expect(copiesOf(next, 'lib')[1]?.unassigned).toMatchObject({ details: null, allocationStatus: 'no_attempt' });
    }
  });

  test('is not assigned where the enable setting allows primaries only', () => {
    const context = testContext();
    const state = startAll(lib(context, { 'routing.allocation.enable': 'primaries' }), context);
    expect(JSON.stringify(explainAllocation(state, { shard: null, includeYesDecisions: false }, context))).toContain(
      'replica allocations are forbidden due to index setting [index.routing.allocation.enable=primaries]',
    );
  });
});

describe('recoveries of a node at a time', () => {
  const many = { number_of_shards: 5, 'routing.allocation.include._name': 'name-a' };
  /** Five primaries on `a`; their replicas may go to `b`. */
  function fivePrimaries(limits: Record<string, string>, context: Context): ClusterState {
    const limited = updateClusterSettings(clusterOf(a, b), { persistent: limits, transient: {} }, context);
    const state = startAll(
      withIndex(limited, 'lib', { settings: { number_of_replicas: 1, ...many } }, context),
      context,
    );
    const settings = { 'index.routing.allocation.include._name': null };
    return updateIndexSettings(state, { indices: ['lib'], settings, preserveExisting: false }, context);
  }
  const running = (state: ClusterState): number =>
    copiesOf(state, 'lib').filter((copy) => copy.state === 'INITIALIZING').length;

  test.each([
    [{}, 2],
    [{ 'cluster.routing.allocation.node_concurrent_recoveries': '3' }, 3],
    [{ 'cluster.routing.allocation.node_concurrent_incoming_recoveries': '1' }, 1],
    [{ 'cluster.routing.allocation.node_concurrent_outgoing_recoveries': '1' }, 1],
    [
      {
        'cluster.routing.allocation.node_concurrent_recoveries': '1',
        'cluster.routing.allocation.node_concurrent_incoming_recoveries': '4',
        'cluster.routing.allocation.node_concurrent_outgoing_recoveries': '4',
      },
      4,
    ],
  ])('are as many as %j allows', (limits, count) => {
    const context = testContext();
    const state = fivePrimaries(limits as Record<string, string>, context);
    expect(running(state)).toBe(count);
    const copy = copiesOf(state, 'lib').find((other) => other.state === 'INITIALIZING');
    const next = reroute(started(state, copy), context);
    expect(running(next)).toBe(Math.min(count, 5 - 1));
    expect(running(startAll(next, context))).toBe(0);
  });

  test('are told in explain', () => {
    const context = testContext();
    const state = fivePrimaries({}, context);
    const shard = { index: 'lib', shard: 4, isPrimary: false };
    expect(explainAllocation(state, { shard, includeYesDecisions: false }, context)).toMatchObject({
      can_allocate: 'throttled',
      allocate_explanation: 'allocation temporarily throttled',
      node_allocation_decisions: [
        { node_decision: 'no' },
        {
          node_decision: 'throttled',
          deciders: [
            {
              decider: 'throttling',
              decision: 'THROTTLE',
              explanation:
                'reached the limit of incoming shard recoveries [2], cluster setting [cluster.routing.allocation.node_concurrent_incoming_recoveries=2] (can also be set via [cluster.routing.allocation.node_concurrent_recoveries])',
            },
          ],
        },
      ],
    });
  });

  test('end with their index, and others begin', () => {
    const context = testContext();
    const limits = { 'cluster.routing.allocation.node_concurrent_recoveries': '1' };
    const limited = updateClusterSettings(clusterOf(a), { persistent: limits, transient: {} }, context);
    const settings = { number_of_replicas: 1 };
    const first = withIndex(limited, 'first', { settings }, context);
    const alone = startAll(withIndex(first, 'lib', { settings }, context), context);
    const both = join(alone, 'b', context);
    expect([copiesOf(both, 'first')[1]?.state, running(both)]).toEqual(['INITIALIZING', 0]);
    expect(running(deleteIndices(both, ['first'], context))).toBe(1);
  });

  test('are few where a limit of initial primaries is set, and all where none is', () => {
    const context = testContext();
    const limits = { 'cluster.routing.allocation.node_initial_primaries_recoveries': '2' };
    const limited = updateClusterSettings(clusterOf(a), { persistent: limits, transient: {} }, context);
    expect(running(withIndex(limited, 'lib', { settings: { number_of_shards: 5 } }, context))).toBe(2);
    expect(running(withIndex(clusterOf(a), 'lib', { settings: { number_of_shards: 5 } }, context))).toBe(5);
  });
});

describe('when the node of a replica leaves', () => {
  const context = { ...testContext(NOTHING_STORED), nowMs: 100_000 };
  const later = (ms: number, stores = NOTHING_STORED): Context => ({ ...context, stores, nowMs: 100_000 + ms });
  const whole = startAll(lib(context, {}, [a, b, c]), context);
  const away = leave(whole, 'b', context);
  const oldId = copiesOf(whole, 'lib')[1]?.allocationId;

  test('no other node gets the copy for a minute, and health counts it', () => {
    expect(copiesOf(away, 'lib')[1]).toMatchObject({
      state: 'UNASSIGNED',
      unassigned: { reason: 'NODE_LEFT', lastNodeId: 'b', allocationStatus: 'delayed_allocation' },
    });
    expect([...waitsOfCopies(away, 100_000).values()]).toEqual([60_000]);
    expect(clusterHealth(away, null).delayedUnassignedShards).toBe(1);
    expect(reroute(away, later(59_999))).toBe(away);
    expect(brief(copiesOf(reroute(away, later(60_000)), 'lib')[1])).toEqual(['r', 'INITIALIZING', 'c', 'PEER']);
  });

  test('explain says how long it is waited for', () => {
    expect(explainAllocation(away, { shard: null, includeYesDecisions: false }, later(20_000))).toMatchObject({
      unassigned_info: { last_allocation_status: 'no_attempt' },
      can_allocate: 'allocation_delayed',
      allocate_explanation:
        'cannot allocate because the cluster is still waiting 40s for the departed node holding a replica to rejoin, despite being allowed to allocate the shard to at least one other node',
      configured_delay_in_millis: 60_000,
      remaining_delay_in_millis: 40_000,
    });
  });

  test('it gets the copy when it comes back with what it had, in a new assignment', () => {
    const stores: ShardStores = { find: ({ nodeId }) => (nodeId === 'b' ? (oldId ?? null) : null) };
    const copy = copiesOf(join(away, 'b', later(5_000, stores)), 'lib')[1];
    expect(brief(copy)).toEqual(['r', 'INITIALIZING', 'b', 'PEER']);
    expect(copy?.allocationId).not.toBe(oldId);
  });

  test('it is not waited for where no delay is set', () => {
    const set = {
      indices: ['lib'],
      settings: { 'unassigned.node_left.delayed_timeout': '0' },
      preserveExisting: false,
    };
    const state = leave(updateIndexSettings(whole, set, context), 'b', context);
    expect(brief(copiesOf(state, 'lib')[1])).toEqual(['r', 'INITIALIZING', 'c', 'PEER']);
  });

  test('a copy in sync is preferred to one that is not, and either to none', () => {
    const disks = new Map([
      ['b', 'of long ago'],
      ['c', oldId ?? ''],
    ]);
    const stores: ShardStores = { find: ({ nodeId }) => disks.get(nodeId) ?? null };
    expect(copiesOf(join(away, 'b', later(5_000, stores)), 'lib')[1]?.nodeId).toBe('c');
    disks.delete('c');
    expect(copiesOf(join(away, 'b', later(5_000, stores)), 'lib')[1]?.nodeId).toBe('b');
  });
});

describe('when the primary is gone', () => {
  const context = testContext(NOTHING_STORED);
  const whole = startAll(lib(context, { number_of_replicas: 2 }, [a, b, c]), context);
  const [primary, first, second] = copiesOf(whole, 'lib');

  test('with its node, a replica leads in the same state, in the next term, and its slot waits for the node', () => {
    const state = leave(whole, 'a', context);
    const [now, ...rest] = copiesOf(state, 'lib');
    const heir = [first, second].sort((x, y) => ((x?.allocationId ?? '') < (y?.allocationId ?? '') ? -1 : 1))[0];
    expect(now).toMatchObject({ isPrimary: true, state: 'STARTED', allocationId: heir?.allocationId });
    expect(now?.recoverySource).toBe('EXISTING_STORE');
    expect(state.metadata.indices.get('lib')?.primaryTerms).toEqual([2]);
    expect(rest.find((copy) => copy.state === 'UNASSIGNED')).toMatchObject({
      isPrimary: false,
      recoverySource: 'PEER',
      unassigned: { reason: 'NODE_LEFT', allocationStatus: 'delayed_allocation', lastNodeId: 'a' },
    });
    expect(clusterHealth(state, null).status).toBe('yellow');
  });

  test('copies that recovered from it begin again from the new one', () => {
    const failedOnce = applyShardFailed(
      whole,
      {
        index: 'lib',
        shard: 0,
        allocationId: second?.allocationId ?? '',
        primaryTerm: 1,
        markStale: true,
        reason: 'r',
      },
      context,
    );
    const recovering = reroute(failedOnce, { ...context, nowMs: 10_000 });
    expect(copiesOf(recovering, 'lib')[2]).toMatchObject({ state: 'INITIALIZING', nodeId: second?.nodeId });
    const failed = {
      index: 'lib',
      shard: 0,
      allocationId: primary?.allocationId ?? '',
      primaryTerm: 0,
      markStale: false,
      reason: 'disk',
    };
    const state = applyShardFailed(recovering, failed, context);
    expect(copiesOf(state, 'lib').map(brief)).toEqual([
      ['p', 'STARTED', first?.nodeId, 'EXISTING_STORE'],
      ['r', 'UNASSIGNED', null, 'PEER'],
      ['r', 'UNASSIGNED', null, 'PEER'],
    ]);
    expect(copiesOf(state, 'lib')[2]?.unassigned).toMatchObject({
      reason: 'PRIMARY_FAILED',
      details: 'primary failed while replica initializing',
    });
  });

  test('a copy that is marked stale leaves the set though it has no node', () => {
    const away = leave(whole, 'c', context);
    const id = copiesOf(whole, 'lib').find((copy) => copy.nodeId === 'c')?.allocationId ?? '';
    const mark = { index: 'lib', shard: 0, allocationId: id, primaryTerm: 1, markStale: true, reason: 'r' };
    const state = applyShardFailed(away, mark, context);
    expect(state.metadata.indices.get('lib')?.inSyncAllocations[0]).not.toContain(id);
    expect(applyShardFailed(state, mark, context)).toBe(state);
  });
});

describe('a number of replicas that changes', () => {
  const context = testContext(NOTHING_STORED);
  const whole = startAll(lib(context), context);
  const set = (state: ClusterState, count: number): ClusterState =>
    updateIndexSettings(
      state,
      { indices: ['lib'], settings: { number_of_replicas: count }, preserveExisting: false },
      context,
    );

  test('brings copies and takes them, which are in sync no more', () => {
    const none = set(whole, 0);
    expect(copiesOf(none, 'lib').map(brief)).toEqual([['p', 'STARTED', 'a', 'EXISTING_STORE']]);
    expect(none.metadata.indices.get('lib')?.inSyncAllocations[0]).toEqual([copiesOf(none, 'lib')[0]?.allocationId]);
    const again = set(none, 2);
    expect(copiesOf(again, 'lib').map(brief)).toEqual([
      ['p', 'STARTED', 'a', 'EXISTING_STORE'],
      ['r', 'INITIALIZING', 'b', 'PEER'],
      ['r', 'UNASSIGNED', null, 'PEER'],
    ]);
    expect(copiesOf(again, 'lib')[2]?.unassigned?.reason).toBe('REPLICA_ADDED');
  });

  test('drops the copies that have least', () => {
    const two = set(whole, 2);
    expect(copiesOf(set(two, 1), 'lib').map(brief)).toEqual(copiesOf(whole, 'lib').map(brief));
  });
});

test('replicas of an index that is closed recover where they lie, and anew where their nodes are gone', () => {
  const plain = testContext();
  const whole = startAll(lib(plain), plain);
  const disks = new Map(copiesOf(whole, 'lib').map((copy) => [copy.nodeId, copy.allocationId]));
  const stores: ShardStores = { find: ({ nodeId }) => disks.get(nodeId) ?? null };
  const context = { ...plain, stores };
  const closing = setIndexState(whole, ['lib'], 'close', context);
  expect(copiesOf(closing, 'lib')[0]).toMatchObject({ recoverySource: 'EXISTING_STORE' });
  const closed = startAll(closing, context);
  expect(clusterHealth(closed, null).status).toBe('green');
  expect(new Set(copiesOf(closed, 'lib').map((copy) => copy.nodeId))).toEqual(new Set(disks.keys()));
  const without = leave(closed, 'b', context);
  expect(clusterHealth(without, null).status).toBe('yellow');
  const afterDelay = { ...context, nowMs: context.nowMs + 60_000 };
  const replaced = startAll(join(without, 'c', afterDelay), afterDelay);
  expect(clusterHealth(replaced, null).status).toBe('green');
  expect(copiesOf(replaced, 'lib')[1]).toMatchObject({ nodeId: 'c', state: 'STARTED' });
  const opened = setIndexState(closed, ['lib'], 'open', context);
  expect(copiesOf(opened, 'lib')[0]).toMatchObject({ state: 'INITIALIZING', recoverySource: 'EXISTING_STORE' });
  const again = startAll(opened, context);
  expect(clusterHealth(again, null).status).toBe('green');
  expect(again.metadata.indices.get('lib')?.inSyncAllocations[0]).toHaveLength(2);
});
