/**
 * `_cat/health`: the health of the cluster in one row.
 */
import { type ClusterHealth, clusterHealth } from '@shoal/cluster';
import type { CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { type QueueCounts, queueCounts } from '../cluster/pending-tasks-body.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { TIME_COLUMNS, timeCells } from './table/time-columns.ts';

/** Cell of a value that does not exist. */
const NOTHING = '-';

const COLUMNS: readonly CatColumn[] = [
  ...TIME_COLUMNS,
  column('cluster', 'cl', 'cluster name'),
  column('status', 'st', 'health status'),
  column('node.total', 'nt,nodeTotal', 'number of nodes', ['right']),
  column('node.data', 'nd,nodeData', 'number of nodes that can hold data', ['right']),
  column('shards', 't,sh,shards.total,shardsTotal', 'number of active shards', ['right']),
  column('pri', 'p,shards.primary,shardsPrimary', 'number of active primaries', ['right']),
  column('relo', 'r,shards.relocating,shardsRelocating', 'number of shards on the move', ['right']),
  column('init', 'i,shards.initializing,shardsInitializing', 'number of shards being set up', ['right']),
  column('unassign', 'u,shards.unassigned,shardsUnassigned', 'number of unassigned shards', ['right']),
  column('pending_tasks', 'pt,pendingTasks', 'number of waiting changes to the cluster state', ['right']),
  column('max_task_wait_time', 'mtwt,maxTaskWaitTime', 'how long the oldest of them waits', ['right']),
  column('active_shards_percent', 'asp,activeShardsPercent', 'share of the shards that are active', ['right']),
];

export const catHealthApi: RestApi = catApi({
  usageName: 'cat_health_action',
  paths: ['/_cat/health'],
  privilege: 'cluster:monitor/health',
  columns: COLUMNS,
  table: health,
});

async function health(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const queue = await queueCounts(request, context, state);
  return healthTable(clusterHealth(state, null), queue, context.runtime.clock.wallMs());
}

export function healthTable(health: ClusterHealth, queue: QueueCounts, nowMs: number): CatTable {
  return {
    columns: COLUMNS,
    rows: [
      [
        ...timeCells(nowMs),
        health.clusterName,
        health.status,
        health.numberOfNodes,
        health.numberOfDataNodes,
        health.activeShards,
        health.activePrimaryShards,
        health.relocatingShards,
        health.initializingShards,
        health.unassignedShards,
        queue.waiting,
        queue.longestMs === 0 ? NOTHING : { kind: 'duration', ms: queue.longestMs },
        `${health.activeShardsPercent.toFixed(1)}%`,
      ],
    ],
  };
}
