import { describe, expect, test } from 'vitest';
import { ALL_RULES } from '../rules/replication-rules.ts';
import {
  assignPrimary,
  assignReplica,
  copyFailed,
  copyStarted,
  forcePrimary,
  type GroupChange,
  nodeLeft,
} from './group-changes.ts';
import type { ShardGroup } from './shard-group.ts';

/** Primary `a` and replica `b` started and in sync, `c` still recovering. */
const GROUP: ShardGroup = {
  version: 7,
  primaryTerm: 3,
  primary: 'a',
  inSync: new Set(['a', 'b']),
  copies: new Map([
    ['a', { node: 'n1', state: 'started', isForced: false, replaces: null }],
    ['b', { node: 'n2', state: 'started', isForced: false, replaces: null }],
    ['c', { node: 'n3', state: 'initializing', isForced: false, replaces: null }],
  ]),
};

function groupOf(change: GroupChange): ShardGroup {
  if (change.kind !== 'changed') throw new Error(JSON.stringify(change));
  return change.group;
}

describe('a copy that failed', () => {
  test('is marked stale for its primary, and its entry goes', () => {
    const group = groupOf(copyFailed(GROUP, { allocationId: 'b', primaryTerm: 3, markStale: true }, ALL_RULES));
    expect([[...group.inSync], [...group.copies.keys()], group.version]).toEqual([['a'], ['a', 'c'], 8]);
  });

  test('stays in sync when it failed by itself: no write went by it yet', () => {
    const group = groupOf(copyFailed(GROUP, { allocationId: 'b', primaryTerm: 0, markStale: false }, ALL_RULES));
    expect([[...group.inSync], [...group.copies.keys()]]).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
  });

  test('is not failed by the primary of an older term', () => {
    const failure = { allocationId: 'b', primaryTerm: 2, markStale: true };
    expect(copyFailed(GROUP, failure, ALL_RULES)).toEqual({ kind: 'refused', reason: 'noLongerPrimary' });
  });

  test('and was the last in sync keeps its mark: the shard is red until it comes back', () => {
    const alone: ShardGroup = { ...GROUP, inSync: new Set(['b']), primary: null, copies: new Map() };
    const failure = { allocationId: 'b', primaryTerm: 3, markStale: true };
    expect(copyFailed(alone, failure, ALL_RULES)).toEqual({ kind: 'refused', reason: 'lastInSync' });
  });
});

describe('a node that leaves with the primary', () => {
  test('promotes a started copy in sync in a new term, and ends recoveries from the old primary', () => {
    const group = groupOf(nodeLeft(GROUP, 'n1', ALL_RULES));
    expect([group.primary, group.primaryTerm, [...group.copies.keys()]]).toEqual(['b', 4, ['b']]);
    expect([...group.inSync]).toEqual(['a', 'b']);
  });

  test('leaves the shard red when nobody else is in sync', () => {
    const group = groupOf(nodeLeft({ ...GROUP, inSync: new Set(['a']) }, 'n1', ALL_RULES));
    expect([group.primary, group.primaryTerm, [...group.inSync]]).toEqual([null, 3, ['a']]);
  });
});

describe('an unassigned primary', () => {
  const red: ShardGroup = { ...GROUP, primary: null, copies: new Map() };

  test('is assigned to the disk of a copy in sync, in a new term', () => {
    const group = groupOf(assignPrimary(red, { allocationId: 'b', node: 'n2' }, ALL_RULES));
    expect([group.primary, group.primaryTerm, group.copies.get('b')?.state]).toEqual(['b', 4, 'initializing']);
  });

  test('goes on from another copy only by force, which is then alone in sync and has a mark', () => {
    const group = groupOf(forcePrimary(red, { allocationId: 'x', node: 'n3' }, ALL_RULES));
    expect([[...group.inSync], group.primaryTerm, group.copies.get('x')?.isForced]).toEqual([['x'], 4, true]);
    expect(forcePrimary(GROUP, { allocationId: 'x', node: 'n3' }, ALL_RULES).kind).toBe('refused');
  });

  test('is not assigned to any other', () => {
    expect(assignPrimary(red, { allocationId: 'c', node: 'n3' }, ALL_RULES).kind).toBe('refused');
  });
});

describe('a replica', () => {
  test('is assigned only beside a started primary, and once a node', () => {
    expect(groupOf(assignReplica(GROUP, { allocationId: 'd', node: 'n4' }, ALL_RULES)).copies.has('d')).toBe(true);
    expect(assignReplica(GROUP, { allocationId: 'd', node: 'n3' }, ALL_RULES).kind).toBe('refused');
    const red: ShardGroup = { ...GROUP, primary: null, copies: new Map() };
    expect(assignReplica(red, { allocationId: 'd', node: 'n4' }, ALL_RULES).kind).toBe('refused');
  });

  test('that has recovered is in sync, unless that was in another term or another assignment', () => {
    const group = groupOf(copyStarted(GROUP, { allocationId: 'c', primaryTerm: 3 }, ALL_RULES));
    expect([...group.inSync]).toEqual(['a', 'b', 'c']);
    expect(copyStarted(GROUP, { allocationId: 'c', primaryTerm: 2 }, ALL_RULES).kind).toBe('unchanged');
    expect(copyStarted(GROUP, { allocationId: 'x', primaryTerm: 3 }, ALL_RULES).kind).toBe('unchanged');
  });
});
