/**
 * The maps of `aggregate`, shared by all filters of a pipeline that have the same `task_id`.
 *
 * They hang on the runtime of the process or thread, by pipeline: a pipeline with this filter has one worker, and a test with a
 * runtime of its own has maps of its own.
 */

import type { Timestamp } from '../../event/timestamp.ts';
import type { PluginContext } from '../../plugin/plugin-definition.ts';

export interface AggregateTask {
  /** An object of JavaScript, filled by scripts. */
  readonly map: unknown;
  readonly startedAtMs: number;
  touchedAtMs: number;
  /** Time that the event of this map gets; null for now. */
  readonly time: Timestamp | null;
}

export type AggregateTasks = Map<string, AggregateTask>;

const SHARED = new WeakMap<object, Map<string, AggregateTasks>>();

export function tasksOf(context: PluginContext, taskId: string): AggregateTasks {
  let pipelines = SHARED.get(context.runtime);
  if (pipelines === undefined) {
    pipelines = new Map();
    SHARED.set(context.runtime, pipelines);
  }
  const key = `${context.pipelineId}\n${taskId}`;
  let tasks = pipelines.get(key);
  if (tasks === undefined) {
    tasks = new Map();
    pipelines.set(key, tasks);
  }
  return tasks;
}
