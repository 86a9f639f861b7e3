/**
 * The tasks of one node: what clients asked of it and what other tasks caused here, each from its begin to its end.
 *
 * A task that can be cancelled has a flag that its work looks at or hands on to shards. Beginning and ending one costs every
 * request, so that nothing is put into words before somebody asks for the list.
 */
import { assert, type CancelFlag, CancelSource, NumberedEntries, simpleMatch, writeJsonText } from '@shoal/core';
import { TASKS_MAX, type TaskFilter, type TaskInfo, type TaskType } from '@shoal/protocol';
import type { Clock } from '@shoal/runtime';

export interface TaskStart {
  readonly type: TaskType;
  readonly action: string;
  readonly isCancellable: boolean;
  /** `node:id`; null without. */
  readonly parentTaskId: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Called when it is shown. */
  readonly describe: () => string;
}

/** Descriptions are cut there: a search may be as long as its body. */
const DESCRIPTION_CHARS_MAX = 8_192;
const NANOS_PER_MILLI = 1e6;

export class Task {
  readonly id: number;
  readonly start: TaskStart;
  readonly startedWallMs: number;
  readonly startedMs: number;
  readonly #cancel: CancelSource | null;
  /** Makes the `status` of a task that tells how far it is; null for one that does not. Set by its work. */
  status: (() => unknown) | null = null;
  /** Changes how many requests a second a throttled task makes, Infinity for any number; null for others. Set by its work. */
  rethrottle: ((requestsPerSecond: number) => void) | null = null;
  /** Description where the work knows better than whoever began the task; null where it does not. Set by its work. */
  description: string | null = null;
  /** Its work goes on behind the answer to the request that caused it. Set by its work, which then ends it. */
  isDetached = false;
  #onEnd: (() => void)[] = [];
  #hasEnded = false;

  constructor(id: number, start: TaskStart, clock: Clock) {
    this.id = id;
    this.start = start;
    this.startedWallMs = clock.wallMs();
    this.startedMs = clock.monotonicMs();
    this.#cancel = start.isCancellable ? new CancelSource() : null;
  }

  /** Flag of a task that can be cancelled. */
  get flag(): CancelFlag {
    assert(this.#cancel !== null, `task ${this.id} [${this.start.action}] cannot be cancelled`);
    return this.#cancel.flag;
  }

  get isCancelled(): boolean {
    return this.#cancel?.flag.cancelled ?? false;
  }

  /** Does nothing to one that cannot be cancelled. */
  cancel(reason: string): void {
    this.#cancel?.cancel(reason);
  }

  ended(): void {
    this.#hasEnded = true;
    const waiting = this.#onEnd;
    this.#onEnd = [];
    for (const tell of waiting) tell();
  }

  whenEnded(): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    return new Promise((resolve) => this.#onEnd.push(resolve));
  }
}

export class TaskRegistry {
  readonly #clock: Clock;
  readonly #tasks = new NumberedEntries<Task>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(start: TaskStart): Task {
    const task = new Task(++this.#lastId, start, this.#clock);
    this.#tasks.set(task.id, task);
    return task;
  }

  end(task: Task): void {
    if (this.#tasks.delete(task.id)) task.ended();
  }

  get size(): number {
    return this.#tasks.size;
  }

  task(id: number): Task | null {
    return this.#tasks.get(id) ?? null;
  }

  /** Oldest first, at most `TASKS_MAX`. */
  find({ actions, parentTaskId, taskId }: TaskFilter): readonly Task[] {
    const found: Task[] = [];
    for (const task of this.#tasks.sortedValues()) {
      if (taskId !== null && task.id !== taskId) continue;
      if (parentTaskId !== null && task.start.parentTaskId !== parentTaskId) continue;
      if (actions.length > 0 && !actions.some((pattern) => simpleMatch(pattern, task.start.action))) continue;
      found.push(task);
      if (found.length >= TASKS_MAX) break;
    }
    return found;
  }

  info(task: Task): TaskInfo {
    const { type, action, parentTaskId, headers, isCancellable, describe } = task.start;
    return {
      id: task.id,
      type,
      action,
      description: (task.description ?? describe()).slice(0, DESCRIPTION_CHARS_MAX),
      startTimeMs: task.startedWallMs,
      runningTimeNanos: Math.max(0, Math.round((this.#clock.monotonicMs() - task.startedMs) * NANOS_PER_MILLI)),
      cancellable: isCancellable,
      cancelled: task.isCancelled,
      parentTaskId,
      headers,
      status: task.status === null ? null : writeJsonText(task.status()),
    };
  }
}
