/**
 * The maps of `aggregate`, shared by all filters of a pipeline: such a pipeline has one worker.
 */
import { optionError } from '@shoal/agent-plugin-kit';

export interface AggregateTask {
  readonly taskId: string;
  /** A hash or an object of the language of the scripts, which fill it. */
  readonly map: unknown;
  /** Wall clock, or the time of the event where `timeout_timestamp_field` says so. */
  readonly createdMs: number;
  /** How far that time was behind the clock. */
  readonly createdLagMs: number;
  touchedMs: number;
  touchedLagMs: number;
  /** Seconds; set by a script for this task alone. */
  timeout: number | null;
  inactivityTimeout: number | null;
}

/** Tasks of one `task_id` by what it renders to, the oldest first. */
export type AggregateTasks = Map<string, AggregateTask>;

export class AggregateTaskMaps {
  readonly byTaskId: Map<string, AggregateTasks> = new Map();
  /** Who flushes the tasks of a `task_id`: the filter that has timeout options, or the first that is asked. */
  readonly flushers: Map<string, object> = new Map();
  /** The least `timeout` of any filter, in seconds: for those that have none. */
  defaultTimeout: number | null = null;
  private hasPath = false;

  tasksOf(taskId: string): AggregateTasks {
    const known = this.byTaskId.get(taskId);
    if (known !== undefined) return known;
    const tasks: AggregateTasks = new Map();
    this.byTaskId.set(taskId, tasks);
    return tasks;
  }

  /** @throws ShoalError when another filter keeps the maps in a file */
  takePath(): void {
    if (this.hasPath) throw optionError("option 'aggregate_maps_path' must be set on only one aggregate filter");
    this.hasPath = true;
  }
}
