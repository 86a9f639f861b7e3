import type { ClusterState } from '@shoal/cluster-state';
import { expect, test } from 'vitest';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { expandReplicas } from './expand-replicas.ts';

const context = testContext({ find: () => null });

function replicas(state: ClusterState): number {
  const index = state.metadata.indices.get('lib');
  expect(index?.settings['index.number_of_replicas']).toBe(String(index?.numberOfReplicas));
  expect(copiesOf(state, 'lib')).toHaveLength(1 + (index?.numberOfReplicas ?? 0));
  return index?.numberOfReplicas ?? -1;
}

function join(state: ClusterState, id: string): ClusterState {
  return withNodes(state, { joined: [testNode(id)], left: [], newManager: null }, context);
}

function leave(state: ClusterState, id: string): ClusterState {
  const node = state.nodes.get(id) ?? testNode(id);
  return withNodes(state, { joined: [], left: [{ node, reason: 'disconnected' }], newManager: null }, context);
}

function lib(range: string, ...ids: readonly string[]): ClusterState {
  const cluster = clusterOf(...ids.map((id) => testNode(id)));
  return withIndex(cluster, 'lib', { settings: { auto_expand_replicas: range } }, context);
}

test.each([
  ['0-1', [0, 1, 1, 0]],
  ['0-all', [0, 1, 2, 0]],
  ['1-2', [1, 1, 2, 1]],
  ['2-all', [2, 2, 2, 2]],
])('an index with the range %s follows the nodes that come and go: %j', (range, counts) => {
  const one = lib(range, 'a');
  const two = join(one, 'b');
  const three = join(two, 'c');
  const left = leave(leave(three, 'c'), 'b');
  expect([one, two, three, left].map(replicas)).toEqual(counts);
});

test('nodes that its filters keep out do not count, whenever they are set', () => {
  const all = lib('0-all', 'a', 'b', 'c');
  const settings = { 'index.routing.allocation.exclude._name': 'name-c' };
  const without = updateIndexSettings(all, { indices: ['lib'], settings, preserveExisting: false }, context);
  expect([replicas(all), replicas(without)]).toEqual([2, 1]);
  const excluded = { persistent: { 'cluster.routing.allocation.exclude._name': 'name-b' }, transient: {} };
  expect(replicas(updateClusterSettings(without, excluded, context))).toBe(0);
});

test('another setting that changes leaves the copies alone', () => {
  const state = lib('0-1', 'a', 'b');
  const settings = { 'index.refresh_interval': '5s' };
  const next = updateIndexSettings(state, { indices: ['lib'], settings, preserveExisting: false }, context);
  expect(copiesOf(next, 'lib')).toEqual(copiesOf(state, 'lib'));
  expect(expandReplicas(next, context)).toBe(next);
});
