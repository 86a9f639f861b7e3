import { clusterHealth } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { type HealthConditions, meetsConditions, parseNodeCount } from '../bodies/health-conditions.ts';
import { clusterHealthBody } from './cluster-health-body.ts';
import { shardRoutingBody } from './cluster-state-body.ts';
import { EMPTY_QUEUE } from './pending-tasks-body.ts';
import { lib, libCopy, recordedState, stateWith, unassignedReplica } from './recorded-state.test-support.ts';

const nothing: HealthConditions = {
  status: null,
  nodes: null,
  activeShards: null,
  noRelocating: false,
  noInitializing: false,
};

function libWith(...copies: readonly ShardRouting[]): ClusterState {
  return stateWith([{ metadata: lib, shards: [copies] }]);
}

describe('the health body', () => {
  test('has the recorded keys in the recorded order, and those that version 8 added', () => {
    const body = clusterHealthBody(clusterHealth(recordedState, ['lib']), {
      timedOut: false,
      level: 'shards',
      queue: EMPTY_QUEUE,
    });
    expect(writeJsonText(body)).toBe(
      '{"cluster_name":"peer-19290","status":"green","timed_out":false,"number_of_nodes":1,"number_of_data_nodes":1,' +
        '"active_primary_shards":1,"active_shards":1,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,' +
        '"unassigned_primary_shards":0,"delayed_unassigned_shards":0,"number_of_pending_tasks":0,' +
        '"number_of_in_flight_fetch":0,"task_max_waiting_in_queue_millis":0,"active_shards_percent_as_number":100.0,' +
        '"indices":{"lib":{"status":"green","number_of_shards":1,"number_of_replicas":0,"active_primary_shards":1,' +
        '"active_shards":1,"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,' +
        '"unassigned_primary_shards":0,"shards":{"0":{"status":"green","primary_active":true,"active_shards":1,' +
        '"relocating_shards":0,"initializing_shards":0,"unassigned_shards":0,"unassigned_primary_shards":0}}}}}',
    );
  });

  test('without a level says nothing of indices', () => {
    const body = clusterHealthBody(clusterHealth(recordedState, ['lib']), {
      timedOut: true,
      level: 'cluster',
      queue: EMPTY_QUEUE,
    });
    expect(body).not.toHaveProperty('indices');
    expect(body).toMatchObject({ timed_out: true });
  });
});

test('a replica that waits for its node is told apart, in health and in the state', () => {
  const info = unassignedReplica.unassigned;
  const waiting: ShardRouting = {
    ...unassignedReplica,
    unassigned: info && { ...info, reason: 'NODE_LEFT', allocationStatus: 'delayed_allocation' },
  };
  const outcome = { timedOut: false, level: 'cluster', queue: EMPTY_QUEUE } as const;
  expect(clusterHealthBody(clusterHealth(libWith(libCopy, waiting), null), outcome)).toMatchObject({
    status: 'yellow',
    unassigned_shards: 1,
    delayed_unassigned_shards: 1,
  });
  expect(shardRoutingBody(waiting, [waiting])).toMatchObject({
    recovery_source: { type: 'PEER' },
    unassigned_info: { reason: 'NODE_LEFT', delayed: true, allocation_status: 'no_attempt' },
  });
});

describe('a request that waits', () => {
  const yellow = clusterHealth(libWith(libCopy, unassignedReplica), ['lib']);

  test('for a status is content with a better one', () => {
    expect(meetsConditions(yellow, { ...nothing, status: 'yellow' })).toBe(true);
    expect(meetsConditions(yellow, { ...nothing, status: 'red' })).toBe(true);
    expect(meetsConditions(yellow, { ...nothing, status: 'green' })).toBe(false);
  });

  test('for shards counts those that serve; all means none missing', () => {
    expect(meetsConditions(yellow, { ...nothing, activeShards: 1 })).toBe(true);
    expect(meetsConditions(yellow, { ...nothing, activeShards: 2 })).toBe(false);
    expect(meetsConditions(yellow, { ...nothing, activeShards: 'all' })).toBe(false);
  });

  test.each([
    ['1', true],
    ['>=1', true],
    ['ge(2)', false],
    ['<=1', true],
    ['lt(1)', false],
    ['>0', true],
    ['gt(1)', false],
    ['<2', true],
  ])('for %s nodes, with one there: %s', (text, met) => {
    expect(meetsConditions(yellow, { ...nothing, nodes: parseNodeCount(text) })).toBe(met);
  });

  test('for a number of nodes that is none is refused', () => {
    expect(() => parseNodeCount('many')).toThrow('wait_for_nodes');
  });
});
