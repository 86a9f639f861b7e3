import type { ClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { setIndexState } from '../metadata/open-close-index.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { reroute } from './reroute.ts';
import { applyRerouteCommands, type CommandsDone, type RerouteCommand } from './reroute-commands.ts';
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

  test('is refused for a copy that is on the move, or of a closed index', () => {
    expect(() => done(STATE, move('b', 'c'), move('b', 'c'))).toThrow('shard is not started (state = RELOCATING]');
    const closed = setIndexState(STATE, ['lib'], 'close', context);
    expect(() => done(closed, move('a', 'c'))).toThrow(expect.objectContaining({ status: 400 }));
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
