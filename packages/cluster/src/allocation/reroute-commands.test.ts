import type { ClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { shardGroup } from '../reading/shard-group.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { reroute } from './reroute.ts';
import type { RerouteCommand } from './reroute-command.ts';
import { applyRerouteCommands, type CommandsDone } from './reroute-commands.ts';
import { applyShardStarted } from './shard-transitions.ts';

const context = testContext({ find: () => null });
const coordinator = testNode('x', { roles: [] });

/** Primary on `a`, replica on `b`, both started; nothing on `c`. */
function twoCopies(): ClusterState {
  const nodes = [testNode('a'), testNode('b'), testNode('c'), coordinator];
  let state = withIndex(clusterOf(...nodes), 'lib', { settings: { number_of_replicas: 1 } }, context);
  for (let copy = 0; copy < 2; copy++) {
    const allocationId = copiesOf(state, 'lib')[copy]?.allocationId ?? '';
    state = reroute(applyShardStarted(state, { index: 'lib', shard: 0, allocationId, primaryTerm: 1 }), context);
  }
  return state;
}

const STATE = twoCopies();
const move = (fromNode: string, toNode: string, index = 'lib'): RerouteCommand => {
  return { kind: 'move', index, shard: 0, fromNode, toNode };
};
const cancel = (node: string, allowPrimary = false): RerouteCommand => {
  return { kind: 'cancel', index: 'lib', shard: 0, node, allowPrimary };
};
const done = (state: ClusterState, ...commands: readonly RerouteCommand[]): CommandsDone =>
  applyRerouteCommands(state, commands, false, context);
const explained = (state: ClusterState, command: RerouteCommand): CommandsDone =>
  applyRerouteCommands(state, [command], true, context);
const brief = ({ state }: CommandsDone): unknown =>
  copiesOf(state, 'lib').map((copy) => `${copy.isPrimary ? 'p' : 'r'} ${copy.state} ${copy.nodeId}`);

describe('the command to move a copy', () => {
  test('begins the move, by names or ids of nodes, also where allocation is disabled', () => {
    const settings = { 'cluster.routing.allocation.enable': 'none' };
    const off = updateClusterSettings(STATE, { persistent: settings, transient: {} }, context);
    for (const state of [STATE, off]) {
      const { explanations } = done(state, move('name-a', 'c'));
      expect(brief(done(state, move('name-a', 'c')))).toEqual(['p RELOCATING a', 'r STARTED b', 'r INITIALIZING c']);
      expect(explanations).toMatchObject([
        { command: 'move', parameters: { index: 'lib', shard: 0, from_node: 'name-a', to_node: 'c' } },
      ]);
    }
  });

  test.each([
    [move('a', 'b'), 'a copy of this shard is already allocated to this node'],
    [move('a', 'a'), 'this shard is already allocated to this node'],
    [move('c', 'b'), "[move_allocation] can't move 0, failed to find it on node {name-c}"],
    [move('a', 'x'), 'target [name-x] is not a data node.'],
    [move('a', 'nowhere'), 'failed to resolve [nowhere], no matching nodes'],
    [move('a', 'c', 'other'), 'failed to find it on node'],
  ])('%j is refused', (command, text) => {
    expect(() => done(STATE, command)).toThrow(expect.objectContaining({ status: 400 }));
    expect(() => done(STATE, command)).toThrow(text);
  });

  test('is refused for a copy that is on the move', () => {
    expect(() => done(STATE, move('b', 'c'), move('b', 'c'))).toThrow('shard is not started (state = RELOCATING]');
  });

  test('is judged and not done when it is to be explained', () => {
    const { state, explanations } = explained(STATE, move('b', 'c'));
    expect(state).toBe(STATE);
    expect(explanations[0]?.decisions.every(({ decision }) => decision === 'YES')).toBe(true);
    expect(explained(STATE, move('c', 'b')).explanations[0]?.decisions).toEqual([
      { decider: 'move_allocation_command', decision: 'NO', explanation: 'shard 0 not found' },
    ]);
  });
});

describe('the command to cancel', () => {
  test('ends a move: its target goes, and its source stays', () => {
    expect(copiesOf(done(STATE, move('a', 'c'), cancel('c')).state, 'lib')).toEqual(copiesOf(STATE, 'lib'));
    expect(copiesOf(done(STATE, move('b', 'c'), cancel('c')).state, 'lib')).toEqual(copiesOf(STATE, 'lib'));
  });

  test('takes a replica from its node, which is not in sync any more', () => {
    const cancelled = done(STATE, cancel('b'));
    expect(brief(cancelled)).toEqual(['p STARTED a', 'r UNASSIGNED null']);
    expect(copiesOf(cancelled.state, 'lib')[1]?.unassigned?.reason).toBe('REROUTE_CANCELLED');
    expect(cancelled.state.metadata.indices.get('lib')?.inSyncAllocations[0]).toHaveLength(1);
  });

  test('takes a primary only where that is allowed, and another copy leads', () => {
    expect(() => done(STATE, cancel('a'))).toThrow('shard is primary and started');
    expect(brief(done(STATE, cancel('a', true)))).toEqual(['p STARTED b', 'r UNASSIGNED null']);
    expect(explained(STATE, cancel('a')).explanations[0]?.decisions).toMatchObject([{ decision: 'NO' }]);
  });

  test('never takes the last copy in sync from the set', () => {
    const alone = done(STATE, cancel('b'), cancel('a', true));
    expect(brief(alone)).toEqual(['p UNASSIGNED null', 'r UNASSIGNED null']);
    expect(alone.state.metadata.indices.get('lib')?.inSyncAllocations[0]).toHaveLength(1);
  });
});

describe('the command to allocate', () => {
  const replica = (node: string): RerouteCommand => ({ kind: 'allocate_replica', index: 'lib', shard: 0, node });
  const primary = (kind: 'stale' | 'empty', node: string, acceptDataLoss = true): RerouteCommand => {
    return { kind: `allocate_${kind}_primary`, index: 'lib', shard: 0, node, acceptDataLoss };
  };
  /** Neither copy has a node; the primary was started once. */
  const lost = done(STATE, cancel('b'), cancel('a', true)).state;

  test('a replica puts it on that node, also where allocation is disabled, and explains what keeps it away', () => {
    const settings = { 'cluster.routing.allocation.enable': 'none' };
    const off = updateClusterSettings(STATE, { persistent: settings, transient: {} }, context);
    const missing = done(off, cancel('b')).state;
    expect(brief(done(missing, replica('name-c')))).toEqual(['p STARTED a', 'r INITIALIZING c']);
    expect(() => done(missing, replica('a'))).toThrow(
      expect.objectContaining({
        status: 400,
        message: expect.stringMatching(/is not allowed, reason: \[NO\(a copy of/),
      }),
    );
    const { state, explanations } = explained(missing, replica('a'));
    expect(state).toBe(missing);
    expect(explanations[0]?.decisions).toContainEqual(
      expect.objectContaining({ decider: 'same_shard', decision: 'NO' }),
    );
  });

  test.each([
    [STATE, replica('c'), 'all copies of [lib][0] are already assigned. Use the move allocation command instead'],
    [lost, replica('c'), 'while corresponding primary shard is still unassigned'],
    [lost, replica('x'), 'allocation can only be done on data nodes, not [x]'],
    [STATE, primary('empty', 'c'), 'primary [lib][0] is already assigned'],
    [
      lost,
      primary('empty', 'c', false),
      'allocating an empty primary for [lib][0] can result in data loss. Please confirm',
    ],
    [
      lost,
      primary('stale', 'c', false),
      'allocating a stale primary for [lib][0] can result in data loss. Please confirm',
    ],
    [lost, primary('stale', 'c'), 'No data for shard [0] of index [lib] found on node [name-c]'],
  ])('what makes no sense is refused or explained (%#)', (state, command, text) => {
    expect(() => done(state, command)).toThrow(text);
    const { explanations, state: after } = explained(state, command);
    expect(after).toBe(state);
    expect(explanations[0]?.decisions).toMatchObject([{ decision: 'NO', explanation: expect.stringContaining(text) }]);
  });

  test('a primary that was never started wants no loss accepted, and has no stale copy', () => {
    const settings = { number_of_replicas: 0, 'routing.allocation.require._id': 'nowhere' };
    const never = withIndex(clusterOf(testNode('a')), 'lib', { settings }, context);
    expect(brief(done(never, primary('empty', 'a', false)))).toEqual(['p INITIALIZING a']);
    expect(() => done(never, primary('stale', 'a'))).toThrow('while no such shard has ever been active');
  });

  test('an empty primary begins from nothing in the next term, as the only copy in sync', () => {
    const { state } = done(lost, primary('empty', 'c'));
    const [copy] = copiesOf(state, 'lib');
    expect(copy).toMatchObject({
      nodeId: 'c',
      recoverySource: 'EMPTY_STORE',
      unassigned: {
        reason: 'FORCED_EMPTY_PRIMARY',
        details: 'force empty allocation from previous reason REROUTE_CANCELLED',
      },
    });
    const before = lost.metadata.indices.get('lib')?.primaryTerms[0] ?? 0;
    const at = { index: 'lib', shard: 0, allocationId: copy?.allocationId ?? '', primaryTerm: before + 1 };
    const metadata = applyShardStarted(state, at).metadata.indices.get('lib');
    expect(metadata?.inSyncAllocations).toEqual([[copy?.allocationId]]);
  });

  test('a stale primary begins another history from what lies on the disk of its node', () => {
    const stores = { find: ({ nodeId }: { nodeId: string }) => (nodeId === 'c' ? 'left-over' : null) };
    const { state } = applyRerouteCommands(lost, [primary('stale', 'c')], false, { ...context, stores });
    expect(copiesOf(state, 'lib')[0]).toMatchObject({ nodeId: 'c', allocationId: 'left-over', isForced: true });
    expect(state.metadata.indices.get('lib')?.inSyncAllocations).toEqual([['left-over']]);
    expect(shardGroup(state, 'lib', 0)?.copies.get('left-over')).toMatchObject({ isForced: true });
    const primaryTerm = state.metadata.indices.get('lib')?.primaryTerms[0] ?? 0;
    const begun = applyShardStarted(state, { index: 'lib', shard: 0, allocationId: 'left-over', primaryTerm });
    expect(copiesOf(begun, 'lib')[0]).not.toHaveProperty('isForced');
    expect(shardGroup(begun, 'lib', 0)?.copies.get('left-over')).toMatchObject({ isForced: false });
  });
});
