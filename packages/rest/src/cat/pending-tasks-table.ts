/**
 * `_cat/pending_tasks`: one row for each change that waits for the cluster manager.
 */
import type { RestApi } from '../api/rest-api.ts';
import { waitingTasks } from '../cluster/pending-tasks-body.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('insertOrder', 'o', 'place in the queue', ['right']),
  column('timeInQueue', 't', 'how long the change has waited', ['right']),
  column('priority', 'p', 'priority of the change'),
  column('source', 's', 'what is to be changed'),
];

export const catPendingTasksApi: RestApi = catApi({
  usageName: 'cat_pending_cluster_tasks_action',
  paths: ['/_cat/pending_tasks'],
  privilege: 'cluster:monitor/task',
  columns: COLUMNS,
  table: async (request, context) => {
    const tasks = await waitingTasks(request, context);
    const rows = tasks.map(({ insertOrder, timeInQueueMillis, priority, source }) => [
      insertOrder,
      { kind: 'duration' as const, ms: timeInQueueMillis },
      priority.toUpperCase(),
      source,
    ]);
    return { columns: COLUMNS, rows };
  },
});
