import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { setIndexState } from '../metadata/open-close-index.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { shardGroup } from '../reading/shard-group.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { CopyIndex } from './copies/copy-index.ts';
import { moveRefusal, startRelocation } from './relocation.ts';
import { reroute } from './reroute.ts';
import { applyRerouteCommands } from './reroute-commands.ts';
import { RoutingChanges } from './routing-changes.ts';
import { CopyCounts } from './rules/copy-counts.ts';
import { applyShardFailed, applyShardStarted, handOverPrimary, resetFailedAllocations } from './shard-transitions.ts';

const context = testContext({ find: () => null });

/** Primary on `a`, replica on `b`, both started; nothing on `c`. */
function twoCopies(): ClusterState {
  const settings = { number_of_replicas: 1, 'index.unassigned.node_left.delayed_timeout': '0' };
  let state = withIndex(clusterOf(testNode('a'), testNode('b'), testNode('c')), 'lib', { settings }, context);
  for (let copy = 0; copy < 2; copy++) state = reroute(started(state, copiesOf(state, 'lib')[copy]), context);
  return state;
}

function at(state: ClusterState, copy: ShardRouting | undefined) {
  const primaryTerm = state.metadata.indices.get('lib')?.primaryTerms[0] ?? 0;
  return { index: 'lib', shard: 0, allocationId: copy?.allocationId ?? '', primaryTerm };
}

function started(state: ClusterState, copy: ShardRouting | undefined): ClusterState {
  return applyShardStarted(state, at(state, copy));
}

function failed(state: ClusterState, copy: ShardRouting | undefined): ClusterState {
  return applyShardFailed(state, { ...at(state, copy), markStale: false, reason: 'r' }, context);
}

/** The state with the copy of that number on its way to `c`. */
function moving(state: ClusterState, number: number): ClusterState {
  const changes = new RoutingChanges(state);
  const copy = copiesOf(state, 'lib')[number];
  if (copy === undefined) throw new Error(`no copy ${number}`);
  startRelocation(changes, copy, { nodeId: 'c', allocationId: 'target' });
  return changes.finish();
}

const copy = (state: ClusterState, number: number): ShardRouting | undefined => copiesOf(state, 'lib')[number];
const brief = (state: ClusterState): unknown =>
  copiesOf(state, 'lib').map((it) => `${it.isPrimary ? 'p' : 'r'} ${it.state} ${it.nodeId} ${it.relocatingNodeId}`);
const inSync = (state: ClusterState): unknown => state.metadata.indices.get('lib')?.inSyncAllocations[0];
const termOf = (state: ClusterState): unknown => state.metadata.indices.get('lib')?.primaryTerms[0];

function countsOf(state: ClusterState): CopyCounts {
  return new CopyCounts(new CopyIndex().follow(state), (index) => state.routing.indices.get(index) ?? []);
}

describe('a replica on the move', () => {
  const before = twoCopies();
  const state = moving(before, 1);

  test('is two entries, of which one counts', () => {
    expect(brief(state)).toEqual(['p STARTED a null', 'r RELOCATING b c', 'r INITIALIZING c b']);
    const { status, activeShards, relocatingShards, initializingShards } = clusterHealth(state, null);
    expect([status, activeShards, relocatingShards, initializingShards]).toEqual(['green', 2, 1, 0]);
    const counts = countsOf(state);
    expect(['a', 'b', 'c'].map((node) => counts.onNode(node))).toEqual([1, 0, 1]);
    expect([counts.incomingRecoveries('c'), counts.outgoingRecoveries('a')]).toEqual([1, 1]);
  });

  test('counts alike when its move begins while others are counted', () => {
    const counts = countsOf(before);
    const changes = new RoutingChanges(before);
    const [primary, replica] = copiesOf(before, 'lib');
    if (replica === undefined) throw new Error('no replica');
    const { source, target } = startRelocation(changes, replica, { nodeId: 'c', allocationId: 'target' });
    counts.addMove(source, target, primary);
    expect(['a', 'b', 'c'].map((node) => counts.ofIndex(node, 'lib'))).toEqual([1, 0, 1]);
  });

  test('is replaced in one update when its target has started', () => {
    const moved = started(state, copy(state, 2));
    expect(brief(moved)).toEqual(['p STARTED a null', 'r STARTED c null']);
    expect([inSync(moved), termOf(moved)]).toEqual([[copy(before, 0)?.allocationId, 'target'], 1]);
  });

  test('stays where it is when its target fails, which is remembered until somebody asks for new attempts', () => {
    const stays = failed(state, copy(state, 2));
    expect(brief(stays)).toEqual(brief(before));
    expect(copy(stays, 1)?.failedRelocations).toBe(1);
    expect(copy(failed(moving(stays, 1), copy(moving(stays, 1), 2)), 1)?.failedRelocations).toBe(2);
    expect(copy(resetFailedAllocations(stays), 1)).toEqual(copy(before, 1));
  });

  test('stays where it is when the move is cancelled', () => {
    const command = { kind: 'cancel', index: 'lib', shard: 0, node: 'c', allowPrimary: false } as const;
    const cancelled = applyRerouteCommands(state, [command], false, context).state;
    expect(copiesOf(cancelled, 'lib')).toEqual(copiesOf(before, 'lib'));
  });

  test('leaves its place to the target when it fails', () => {
    expect(brief(failed(state, copy(state, 1)))).toEqual(['p STARTED a null', 'r INITIALIZING c null']);
  });

  test('leads and stays when the primary fails, from which its target recovered', () => {
    const promoted = failed(state, copy(state, 0));
    expect([brief(promoted), termOf(promoted)]).toEqual([['p STARTED b null', 'r UNASSIGNED null null'], 2]);
  });

  test('goes with its target when the index has no replicas any more', () => {
    const settings = { 'index.number_of_replicas': '0' };
    const none = updateIndexSettings(state, { indices: ['lib'], settings, preserveExisting: false }, context);
    expect([brief(none), inSync(none)]).toEqual([['p STARTED a null'], [copy(before, 0)?.allocationId]]);
  });

  test('ends where its index is closed, as all copies start again', () => {
    const closed = setIndexState(state, ['lib'], 'close', context);
    expect(copiesOf(closed, 'lib').every(({ relocatingNodeId }) => relocatingNodeId === null)).toBe(true);
    expect(moveRefusal(new RoutingChanges(closed), copiesOf(closed, 'lib')[0] as ShardRouting)).toMatch('not started');
  });

  test('cannot move at the same time to another node', () => {
    expect(moveRefusal(new RoutingChanges(state), copiesOf(state, 'lib')[1] as ShardRouting)).toBe(
      'shard is not started (state = RELOCATING)',
    );
  });
});

describe('a primary on the move', () => {
  const before = twoCopies();
  const state = moving(before, 0);
  const hand = { ...at(state, copy(state, 0)), target: 'target' };

  test('is not replaced by the start of its target, which knows nothing of what still runs', () => {
    expect(started(state, copy(state, 2))).toBe(state);
  });

  test('hands over in one update, in a new term', () => {
    const moved = handOverPrimary(state, hand, context);
    expect(brief(moved)).toEqual(['p STARTED c null', 'r STARTED b null']);
    expect([inSync(moved), termOf(moved)]).toEqual([[copy(before, 1)?.allocationId, 'target'], 2]);
    expect(shardGroup(moved, 'lib', 0)).toMatchObject({ primary: 'target', primaryTerm: 2 });
  });

  test('hands over once, and only for itself in its term', () => {
    const late = { type: 'no_longer_primary_shard_exception' };
    const again = (from: ClusterState, change: object) => () => handOverPrimary(from, { ...hand, ...change }, context);
    expect(again(handOverPrimary(state, hand, context), {})).toThrow(expect.objectContaining(late));
    expect(again(state, { primaryTerm: 2 })).toThrow(expect.objectContaining(late));
    expect(again(state, { allocationId: 'target' })).toThrow(expect.objectContaining(late));
    expect(again(before, {})).toThrow(expect.objectContaining({ status: 409 }));
  });

  test('ends what recovers from it when it hands over', () => {
    const settings = { 'index.number_of_replicas': '2' };
    const joined = { joined: [testNode('d')], left: [], newManager: null };
    const three = updateIndexSettings(
      withNodes(state, joined, context),
      { indices: ['lib'], settings, preserveExisting: false },
      context,
    );
    expect(brief(three)).toContain('r INITIALIZING d null');
    expect(brief(handOverPrimary(three, hand, context))).toEqual([
      'p STARTED c null',
      'r STARTED b null',
      'r UNASSIGNED null null',
    ]);
  });

  test('fails with its target, and a replica leads', () => {
    const promoted = failed(state, copy(state, 0));
    expect([brief(promoted), termOf(promoted)]).toEqual([['p STARTED b null', 'r UNASSIGNED null null'], 2]);
  });

  test('stays when the node of its target leaves', () => {
    const node = testNode('c');
    const left = withNodes(state, { joined: [], left: [{ node, reason: 'disconnected' }], newManager: null }, context);
    expect(brief(left)).toEqual(brief(before));
    expect(copy(left, 0)?.failedRelocations).toBe(undefined);
  });
});
