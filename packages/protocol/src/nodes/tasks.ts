/**
 * Tasks that a node runs: their list, and the order to cancel some of them. Any node → any node. Channel `reg`.
 */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

const TASK_TYPES = ['transport', 'direct'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export interface TaskInfo {
  /** Number of the task, counted by its node from the node's start. */
  readonly id: number;
  /** `direct`: caused by a task of the same node. */
  readonly type: TaskType;
  readonly action: string;
  /** Empty where nothing more is to be said. */
  readonly description: string;
  /** Start of the task, in milliseconds since the epoch. */
  readonly startTimeMs: number;
  readonly runningTimeNanos: number;
  readonly cancellable: boolean;
  readonly cancelled: boolean;
  /** `node:id`; null for what a client asked for. */
  readonly parentTaskId: string | null;
  /** Headers of the request that go with its tasks, such as `X-Opaque-Id`. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON of how far the task is, an object; null for one that does not tell. */
  readonly status: string | null;
}

/** Which tasks of a node are meant: those to which all of it applies. */
export interface TaskFilter {
  /** Patterns with `*`; empty: any action. */
  readonly actions: readonly string[];
  readonly parentTaskId: string | null;
  /** One task of this node, which must be there. */
  readonly taskId: number | null;
}

export interface ListTasksRequest {
  readonly filter: TaskFilter;
  /** How long the tasks found are waited for; null: not at all. */
  readonly waitMs: number | null;
}

export interface CancelTasksRequest extends ListTasksRequest {
  /** Reason that whoever waits for the task gets. */
  readonly reason: string;
}

export interface TasksResponse {
  /** Tasks in the state in which they were found. At most `TASKS_MAX`. */
  readonly tasks: readonly TaskInfo[];
}

/** Most tasks that one answer lists, so that it fits a message. */
export const TASKS_MAX = 10_000;
const PATTERNS_MAX = 1_000;
const WAIT_MS_MAX = 0x7fff_ffff;
/** Most headers of a task: as many as a request may have. */
const HEADERS_MAX = 32;

export const LIST_TASKS: ActionCodec<ListTasksRequest, TasksResponse> = {
  name: 'cluster:monitor/tasks/lists[n]',
  writeRequest: (request) => ({ message: request }),
  readRequest: ({ message }) => listRequest(ValueReader.of(message)),
  writeResponse: (response) => {
    assert(response.tasks.length <= TASKS_MAX, `${response.tasks.length} tasks in one answer, at most ${TASKS_MAX}`);
    return { message: response };
  },
  readResponse: ({ message }) => ({ tasks: ValueReader.of(message).list('tasks', readTask, TASKS_MAX) }),
};

export const CANCEL_TASKS: ActionCodec<CancelTasksRequest, TasksResponse> = {
  ...LIST_TASKS,
  name: 'cluster:admin/tasks/cancel[n]',
  readRequest: ({ message }) => {
    const r = ValueReader.of(message);
    return { ...listRequest(r), reason: r.string('reason') };
  },
};

/** Slowest pace that can be asked for: a smaller one would never end. */
const REQUESTS_PER_SECOND_MIN = 1e-6;

export interface RethrottleTaskRequest {
  /** Number of the task on the node that is asked. */
  readonly taskId: number;
  /** Above 0; null: as many as it can. */
  readonly requestsPerSecond: number | null;
}

/** Changes the pace of a throttled task, and answers with the task as it is then. */
export const RETHROTTLE_TASK: ActionCodec<RethrottleTaskRequest, TasksResponse> = {
  ...LIST_TASKS,
  name: 'cluster:admin/reindex/rethrottle[n]',
  writeRequest: (request) => ({ message: request }),
  readRequest: ({ message }) => {
    const r = ValueReader.of(message);
    const requestsPerSecond = r.optionalNumber('requestsPerSecond');
    if (requestsPerSecond !== null && !(requestsPerSecond >= REQUESTS_PER_SECOND_MIN)) {
      r.refuse('requestsPerSecond', `at least ${REQUESTS_PER_SECOND_MIN}`);
    }
    return { taskId: r.integer('taskId', 0, Number.MAX_SAFE_INTEGER), requestsPerSecond };
  },
};

function listRequest(r: ValueReader): ListTasksRequest {
  const filter = r.object('filter');
  return {
    filter: {
      actions: filter.list('actions', ValueReader.asString, PATTERNS_MAX),
      parentTaskId: filter.optionalString('parentTaskId'),
      taskId: filter.optionalInteger('taskId', 0, Number.MAX_SAFE_INTEGER),
    },
    waitMs: r.optionalInteger('waitMs', 0, WAIT_MS_MAX),
  };
}

const readTask: ItemReader<TaskInfo> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    id: r.integer('id', 0, Number.MAX_SAFE_INTEGER),
    type: r.oneOf('type', TASK_TYPES),
    action: r.string('action'),
    description: r.string('description'),
    startTimeMs: r.integer('startTimeMs', 0, Number.MAX_SAFE_INTEGER),
    runningTimeNanos: r.integer('runningTimeNanos', 0, Number.MAX_SAFE_INTEGER),
    cancellable: r.boolean('cancellable'),
    cancelled: r.boolean('cancelled'),
    parentTaskId: r.optionalString('parentTaskId'),
    headers: r.map('headers', ValueReader.asString, HEADERS_MAX),
    status: r.optionalString('status'),
  };
};
