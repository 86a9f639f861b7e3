/**
 * The maps of `aggregate`, shared by all filters of a pipeline that have the same `task_id`: such a pipeline has one worker.
 */
import type { Timestamp } from '@shoal/agent-event';

export interface AggregateTask {
  /** An object of JavaScript, filled by scripts. */
  readonly map: unknown;
  readonly startedAtMs: number;
  touchedAtMs: number;
  /** Time that the event of this map gets; null for now. */
  readonly time: Timestamp | null;
}

export type AggregateTasks = Map<string, AggregateTask>;

export class AggregateTaskMaps {
  readonly #tasks = new Map<string, AggregateTasks>();

  /** Maps by the text of `task_id` in the configuration. */
  tasksOf(taskId: string): AggregateTasks {
    const known = this.#tasks.get(taskId);
    if (known !== undefined) return known;
    const tasks: AggregateTasks = new Map();
    this.#tasks.set(taskId, tasks);
    return tasks;
  }
}
