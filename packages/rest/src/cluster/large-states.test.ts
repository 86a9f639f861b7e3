import { runSteps, type Steps } from '@shoal/core';
import { expect, test } from 'vitest';
import { indexOf, nodeOf, stateOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { indicesTable } from '../cat/indices-table.ts';
import { indexStatsBody } from '../indices/index-stats-body.ts';
import { NO_FIELDS } from '../request/field-patterns.ts';
import { clusterStateBody, STATE_METRICS } from './cluster-state-body.ts';
import { clusterStatsBody } from './cluster-stats-body.ts';

const INDICES = 1_000;
const properties = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`field${i}`, { type: 'keyword' }]));
const numbers = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`number${i}`, i]));
const indices = Array.from({ length: INDICES }, (_, i) => indexOf(`index${i}`, { mapping: { properties } }));
const names = indices.map(({ name }) => name);
const nodes = [nodeOf('n1')];
const state = stateOf({ nodes, indices });
const copies = [...state.routing.indices.values()].flat(2).map(({ index, shard, allocationId }) => ({
  index,
  shard,
  allocationId: allocationId ?? '',
  stats: { ...numbers, docCount: 1 },
}));

const header = { total: INDICES, successful: INDICES, failed: 0, failures: [] };
const view = { indices: names, metrics: null, fields: NO_FIELDS } as const;
const bodies: Readonly<Record<string, () => Steps<unknown>>> = {
  _stats: () => indexStatsBody(state, copies, header, { ...view, level: 'indices' }),
  '_stats of shards': () => indexStatsBody(state, copies, header, { ...view, level: 'shards' }),
  '_cat/indices': () => indicesTable(state, names, copies, null),
  '_cluster/state': () =>
    clusterStateBody(state, { metrics: new Set(STATE_METRICS), indices: names, isFlatSettings: false }),
  '_cluster/stats': () => clusterStatsBody(state, { nodes, infos: [], stats: [], copies, nowMs: 0 }),
};

test.each(Object.entries(bodies))('%s of a thousand indices is made in steps', (_name, body) => {
  const steps = body();
  let count = 0;
  while (steps.next().done !== true) count++;
  expect(count).toBeGreaterThan(10);
});

test('numbers of all indices are the sum over each', () => {
  const body = JSON.parse(JSON.stringify(runSteps(bodies._stats?.() ?? expect.fail('no body'))));
  expect(body._all.total.docs.count).toBe(INDICES);
  expect(body.indices.index7.primaries.docs.count).toBe(1);
});
