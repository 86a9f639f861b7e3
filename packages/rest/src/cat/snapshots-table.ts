/**
 * `_cat/snapshots`: the snapshots of a repository, oldest first.
 */
import { ShoalError } from '@shoal/core';
import { withoutEffect } from '@shoal/http';
import { GET_SNAPSHOTS, type SnapshotInfo } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { snapshotTimeouts } from '../snapshots/snapshot-timeouts.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, column } from './table/cat-table.ts';

const MS_PER_SECOND = 1_000;

const COLUMNS: readonly CatColumn[] = [
  column('id', 'id,snapshot', 'unique snapshot'),
  column('status', 's,status', 'snapshot name'),
  column('start_epoch', 'ste,startEpoch', 'start time in seconds since 1970-01-01 00:00:00'),
  column('start_time', 'sti,startTime', 'start time in HH:MM:SS'),
  column('end_epoch', 'ete,endEpoch', 'end time in seconds since 1970-01-01 00:00:00'),
  column('end_time', 'eti,endTime', 'end time in HH:MM:SS'),
  column('duration', 'dur,duration', 'duration'),
  column('indices', 'i,indices', 'number of indices'),
  column('successful_shards', 'ss,successful_shards', 'number of successful shards'),
  column('failed_shards', 'fs,failed_shards', 'number of failed shards'),
  column('total_shards', 'ts,total_shards', 'number of total shards'),
  column('reason', 'r,reason', 'reason for failures', ['hidden']),
];

export const catSnapshotsApi: RestApi = catApi({
  usageName: 'cat_snapshot_action',
  paths: ['/_cat/snapshots', '/_cat/snapshots/{repository}'],
  privilege: 'cluster:admin/snapshot/get',
  columns: COLUMNS,
  params: {
    ignore_unavailable: 'boolean',
    local: withoutEffect('boolean', 'the cluster manager alone reads repositories'),
  },
  table: async (request, { cluster }) => {
    const repository = request.params.string('repository');
    if (repository === null) {
      const why = 'Validation Failed: 1: repository is missing;';
      throw new ShoalError('action_request_validation_exception', 400, why);
    }
    const message = {
      ...snapshotTimeouts(request),
      repository,
      names: [],
      ignoresUnavailable: request.params.boolean('ignore_unavailable', false),
    };
    const { snapshots } = await cluster.admin.ask(GET_SNAPSHOTS, message, message);
    return { columns: COLUMNS, rows: snapshots.map(rowOf) };
  },
});

function rowOf(info: SnapshotInfo): readonly CatCell[] {
  const { startMs, endMs, totalShards, failures } = info;
  const isOver = endMs > 0;
  return [
    info.name,
    info.state,
    Math.floor(startMs / MS_PER_SECOND),
    timeOfDay(startMs),
    isOver ? Math.floor(endMs / MS_PER_SECOND) : 0,
    timeOfDay(endMs),
    { kind: 'duration', ms: Math.max(endMs - startMs, 0) },
    info.indices.length,
    isOver ? totalShards - failures.length : 0,
    failures.length,
    totalShards,
    info.reason,
  ];
}

/** UTC. */
function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
