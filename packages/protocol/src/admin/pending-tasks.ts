/**
 * Changes that wait in the queue of the elected cluster manager: any node → elected cluster manager. Channel `reg`.
 *
 * Only reads: asking must never change the queue, and a node that is not elected refuses instead of answering an empty list.
 */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { plain, reader } from './manager-codec.ts';

/** Priorities of tasks, the most urgent first. */
export const PENDING_TASK_PRIORITIES = ['immediate', 'urgent', 'high', 'normal'] as const;
export type PendingTaskPriority = (typeof PENDING_TASK_PRIORITIES)[number];

export interface PendingTask {
  /** Number counted by the cluster manager from its start: of two tasks of one priority the lower runs first. */
  readonly insertOrder: number;
  readonly priority: PendingTaskPriority;
  readonly source: string;
  readonly executing: boolean;
  readonly timeInQueueMillis: number;
}

export interface PendingTasksMessage {
  /** Tasks in the order in which they run; those that run now are first. At most `PENDING_TASKS_MAX`. */
  readonly tasks: readonly PendingTask[];
}

/** A longer queue is shown up to here, so that the answer fits one message. */
export const PENDING_TASKS_MAX = 10_000;

export const PENDING_TASKS: ActionCodec<Readonly<Record<string, never>>, PendingTasksMessage> = {
  name: 'cluster:monitor/task',
  writeRequest: plain,
  readRequest: () => ({}),
  writeResponse: (response) => {
    const count = response.tasks.length;
    assert(count <= PENDING_TASKS_MAX, `${count} waiting tasks in one answer, at most ${PENDING_TASKS_MAX}`);
    return plain(response);
  },
  readResponse: (body) => ({ tasks: reader(body).list('tasks', readTask, PENDING_TASKS_MAX) }),
};

const readTask: ItemReader<PendingTask> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    insertOrder: r.integer('insertOrder', 0, Number.MAX_SAFE_INTEGER),
    priority: r.oneOf('priority', PENDING_TASK_PRIORITIES),
    source: r.string('source'),
    executing: r.boolean('executing'),
    timeInQueueMillis: r.integer('timeInQueueMillis', 0, Number.MAX_SAFE_INTEGER),
  };
};
