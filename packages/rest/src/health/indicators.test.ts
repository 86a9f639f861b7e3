import { clusterSettings } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { indexOf, nodeOf, type StateParts, stateOf } from '../../../coordinator/src/coordinator.test-support.ts';
import type { StatsTree } from '../bodies/stats-tree.ts';
import { disk } from './indicators/disk.ts';
import { type HealthIndicator, type IndicatorStatus, worstOf } from './indicators/health-indicator.ts';
import { ilm } from './indicators/ilm.ts';
import { masterIsStable } from './indicators/master-is-stable.ts';
import { shardsAvailability } from './indicators/shards-availability.ts';
import { shardsCapacity } from './indicators/shards-capacity.ts';

const GIB = 1024 ** 3;

function look(
  indicator: HealthIndicator,
  state: ClusterState | StateParts,
  stats: Readonly<Record<string, StatsTree>> = {},
) {
  const read = 'metadata' in state ? state : stateOf(state);
  const settings = clusterSettings(read, {});
  return indicator.look({ state: read, settings, nodeStats: new Map(Object.entries(stats)) });
}

const space = (totalGib: number, freeGib: number): StatsTree => ({
  fs: { total: { total_in_bytes: totalGib * GIB, available_in_bytes: freeGib * GIB } },
});

test('the worst status is that of the whole; what is unknown is worse than green alone', () => {
  expect(worstOf(['green', 'unknown', 'green'])).toBe('unknown');
  expect(worstOf(['yellow', 'unknown'])).toBe('yellow');
  expect(worstOf(['red', 'yellow', 'green'])).toBe('red');
  expect(worstOf([])).toBe('green');
});

test('a cluster without a cluster manager is not stable', () => {
  const state = stateOf({});
  expect(look(masterIsStable, state)).toMatchObject({
    status: 'green',
    details: { current_master: { node_id: 'n1', name: 'n1' } },
  });
  const without = look(masterIsStable, { ...state, clusterManagerId: null });
  expect(without).toMatchObject({ status: 'red', details: { current_master: { node_id: null } } });
  expect(without.impacts.flatMap(({ areas }) => areas)).toEqual(['ingest', 'deployment_management']);
});

describe('shards', () => {
  test('that are all started are available', () => {
    const { status, details } = look(shardsAvailability, { indices: [indexOf('a', { shards: 3 })] });
    expect(status).toBe('green');
    expect(details).toMatchObject({ started_primaries: 3, unassigned_primaries: 0, started_replicas: 0 });
  });

  test('of which a primary is nowhere are not, and the report says of which index', () => {
    const parts = {
      indices: [indexOf('a'), indexOf('b', { shards: 2 })],
      place: (index: string, shard: number) => (index === 'b' && shard === 1 ? null : 'n1'),
    };
    const { status, symptom, details, impacts, diagnoses } = look(shardsAvailability, parts);
    expect(status).toBe('red');
    expect(symptom).toBe('This cluster has 1 unavailable primary shard.');
    expect(details).toMatchObject({ started_primaries: 2, unassigned_primaries: 1 });
    expect(impacts).toMatchObject([{ severity: 1, areas: ['ingest', 'search'] }]);
    expect(diagnoses.map(({ affected }) => affected)).toEqual([{ indices: ['b'] }]);
  });
});

describe('disks', () => {
  const nodes = [nodeOf('n1'), nodeOf('n2'), nodeOf('n3')];
  const looked = (...free: readonly (number | null)[]) =>
    look(
      disk,
      { nodes },
      Object.fromEntries(free.flatMap((gib, i) => (gib === null ? [] : [[`n${i + 1}`, space(1_000, gib)]]))),
    );

  test.each<[readonly (number | null)[], IndicatorStatus]>([
    [[500, 500, 500], 'green'],
    [[500, 99, 500], 'yellow'],
    [[500, 99, 49], 'red'],
    [[500, null, 500], 'unknown'],
    [[null, 99, 500], 'yellow'],
  ])('with %j GiB free of 1000 are %s', (free, status) => {
    expect(looked(...free).status).toBe(status);
  });

  const WATERMARK = 'cluster.routing.allocation.disk.watermark';

  test.each<[Readonly<Record<string, string>>, IndicatorStatus]>([
    [{}, 'yellow'],
    [{ [`${WATERMARK}.high`]: '99%', [`${WATERMARK}.flood_stage`]: '99.5%' }, 'green'],
    [{ [`${WATERMARK}.low`]: '80%', [`${WATERMARK}.high`]: '80%', [`${WATERMARK}.flood_stage`]: '85%' }, 'red'],
    [{ [`${WATERMARK}.low`]: '90gb', [`${WATERMARK}.high`]: '80gb', [`${WATERMARK}.flood_stage`]: '70gb' }, 'green'],
    [{ 'cluster.routing.allocation.disk.threshold_enabled': 'false' }, 'green'],
  ])('are as full as the watermarks of allocation say: %j', (settings, status) => {
    const stats = { n1: space(1_000, 99), n2: space(1_000, 500), n3: space(1_000, 500) };
    expect(look(disk, { nodes, settings }, stats).status).toBe(status);
  });

  test('of nodes that are short of space are named', () => {
    const { details, diagnoses } = looked(99, 49, 500);
    expect(details).toMatchObject({
      nodes_with_enough_disk_space: 1,
      nodes_over_high_watermark: 1,
      nodes_over_flood_stage_watermark: 1,
    });
    expect(diagnoses).toMatchObject([{ affected: { nodes: [{ nodeId: 'n2' }, { nodeId: 'n1' }] } }]);
  });

  test('are full enough when an index was closed to writes for it', () => {
    const indices = [indexOf('a', { settings: { 'index.blocks.read_only_allow_delete': 'true' } }), indexOf('b')];
    const found = look(disk, { indices }, { n1: space(1_000, 500) });
    expect(found).toMatchObject({ status: 'red', details: { indices_with_readonly_block: 1 } });
    expect(found.diagnoses).toMatchObject([{ affected: { indices: ['a'] } }]);
  });
});

test.each<[number, IndicatorStatus]>([
  [20, 'green'],
  [19, 'yellow'],
  [14, 'red'],
])('room for shards of which there may be %i is %s with 10 open', (max, status) => {
  const settings = { 'cluster.max_shards_per_node': String(max) };
  expect(look(shardsCapacity, { indices: [indexOf('a', { shards: 10 })], settings }).status).toBe(status);
});

test('lifecycle policies that are stopped, or missing, are told', () => {
  const lost = [indexOf('a', { settings: { 'index.lifecycle.name': 'none' } }), indexOf('b')];
  expect(look(ilm, {})).toMatchObject({ status: 'green', details: { policies: 0, ilm_status: 'RUNNING' } });
  const stagnating = look(ilm, { indices: lost });
  expect(stagnating).toMatchObject({ status: 'yellow', details: { stagnating_indices: 1 } });
  expect(stagnating.diagnoses[0]?.affected).toEqual({ indices: ['a'] });
  const state = stateOf({});
  const policies = new Map([['p', { name: 'p', version: 1, modifiedMs: 0, policy: '{"phases":{}}' }]]);
  const stopped = { ...state, metadata: { ...state.metadata, lifecycle: { isStopped: true, policies } } };
  expect(look(ilm, stopped)).toMatchObject({ status: 'yellow', details: { policies: 1, ilm_status: 'STOPPED' } });
});
