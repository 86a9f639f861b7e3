import type { ClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { settled, started } from '../allocation/allocation-steps.test-support.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { clusterHealth } from './cluster-health.ts';

function counts(state: ClusterState, indices: readonly string[] | null = null): readonly unknown[] {
  const { status, activeShards, initializingShards, unassignedShards } = clusterHealth(state, indices);
  return [status, activeShards, initializingShards, unassignedShards];
}

describe('health that is read of one state after another', () => {
  const context = testContext({ find: () => null });
  const made = withIndex(withIndex(clusterOf(testNode('a'), testNode('b')), 'lib', {}, context), 'log', {}, context);

  test('follows the copies of each index', () => {
    expect(counts(made)).toEqual(['yellow', 0, 2, 2]);
    let state = made;
    const primary = copiesOf(state, 'lib').find(({ isPrimary }) => isPrimary);
    if (primary === undefined) throw new Error('no primary');
    state = started(state, primary, context);
    expect(counts(state)).toEqual(['yellow', 1, 1, 2]);
    expect(counts(state, ['log'])).toEqual(['yellow', 0, 1, 1]);
    state = settled(state, context);
    expect(counts(state)).toEqual(['green', 4, 0, 0]);
    expect(counts(made)).toEqual(['yellow', 0, 2, 2]);
  });

  test('tells the number of replicas that an index has now', () => {
    const state = settled(made, context);
    expect(clusterHealth(state, ['lib']).indices.get('lib')?.numberOfReplicas).toBe(1);
    const { indices } = state.metadata;
    const lib = indices.get('lib');
    if (lib === undefined) throw new Error('no index');
    const changed = {
      ...state,
      metadata: { ...state.metadata, indices: new Map([['lib', { ...lib, numberOfReplicas: 2 }]]) },
    };
    expect(clusterHealth(changed, ['lib']).indices.get('lib')?.numberOfReplicas).toBe(2);
  });
});
