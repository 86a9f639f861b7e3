/**
 * What became of a task that nobody waited for: a document of the index `.tasks` under the task's id, which outlives the task and
 * its node.
 */
import { isAssertionFailure, isShoalError, writeJson } from '@shoal/core';
import { BulkItems, NO_EXTRAS } from '../bulk/bulk-items.ts';
import { executeBulk } from '../bulk/execute-bulk.ts';
import type { CoordinatorContext } from '../context/coordinator-context.ts';

export const TASKS_INDEX = '.tasks';

const CREATE_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 60_000;
/** Attempts to store a result, and the wait before the second, which doubles. */
const ATTEMPTS_MAX = 8;
const RETRY_WAIT_MS = 250;

const KEYWORD = { type: 'keyword' };
const LONG = { type: 'long' };
const BOOLEAN = { type: 'boolean' };
/** Results of any shape must not become fields. */
const UNINDEXED = { type: 'object', enabled: false };

const MAPPINGS = {
  dynamic: 'strict',
  properties: {
    completed: BOOLEAN,
    task: {
      properties: {
        action: KEYWORD,
        cancellable: BOOLEAN,
        cancelled: BOOLEAN,
        description: { type: 'text' },
        headers: UNINDEXED,
        id: LONG,
        node: KEYWORD,
        parent_task_id: KEYWORD,
        running_time_in_nanos: LONG,
        start_time_in_millis: LONG,
        status: UNINDEXED,
        type: KEYWORD,
      },
    },
    response: UNINDEXED,
    error: UNINDEXED,
  },
};

/** A result that cannot be stored is logged: the work itself is done. */
export async function storeTaskResult(context: CoordinatorContext, taskId: string, result: unknown): Promise<void> {
  const { sched, log } = context.runtime;
  for (let attempt = 1; ; attempt++) {
    try {
      await createTasksIndex(context);
      return await write(context, taskId, result);
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      if (attempt === ATTEMPTS_MAX) {
        log.error('the result of a task was not stored', { taskId, error: String(error) });
        return;
      }
      await new Promise<void>((resolve) => void sched.after(RETRY_WAIT_MS * 2 ** (attempt - 1), resolve));
    }
  }
}

async function createTasksIndex(context: CoordinatorContext): Promise<void> {
  const { cluster } = context;
  if (cluster.state().metadata.indices.has(TASKS_INDEX)) return;
  try {
    await cluster.admin.createIndex({
      index: TASKS_INDEX,
      settings: { 'index.number_of_shards': '1', 'index.auto_expand_replicas': '0-1' },
      mappings: MAPPINGS,
      aliases: {},
      waitForActiveShards: 1,
      masterTimeoutMs: CREATE_TIMEOUT_MS,
      timeoutMs: CREATE_TIMEOUT_MS,
    });
  } catch (error) {
    if (!isShoalError(error) || error.type !== 'resource_already_exists_exception') throw error;
  }
  // The manager applied it; this node may be a moment behind.
  await cluster.waitForState((state) => state.metadata.indices.has(TASKS_INDEX), CREATE_TIMEOUT_MS);
}

async function write(context: CoordinatorContext, taskId: string, result: unknown): Promise<void> {
  const items = BulkItems.of({
    ...NO_EXTRAS,
    action: 'index',
    index: TASKS_INDEX,
    id: taskId,
    source: writeJson(result),
  });
  const options = { refresh: 'none', timeoutMs: WRITE_TIMEOUT_MS, waitForActiveShards: null } as const;
  const outcome = (await executeBulk(context, items, options)).at(0);
  if (outcome.kind === 'failed') throw outcome.error;
}
