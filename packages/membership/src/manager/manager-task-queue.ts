/**
 * Changes that wait to be made by this node as cluster manager: in order of priority, as many as wait in one state.
 */

import { RoutingChanges } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { assert, isShoalError, ShoalError } from '@shoal/core';
import { PENDING_TASK_PRIORITIES, PENDING_TASKS_MAX, type PendingTask } from '@shoal/protocol';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { CoordinationBackend } from '../service/coordination-backend.ts';

/** Lower runs first. */
export const TASK_PRIORITY = { immediate: 0, urgent: 1, high: 2, normal: 3 } as const;
export type TaskPriority = (typeof TASK_PRIORITY)[keyof typeof TASK_PRIORITY];

interface AnyTask {
  /** Name of the change, for logs and for the error when it waited too long. */
  readonly source: string;
  readonly priority: TaskPriority;
  /** Longest time in the queue; then `process_cluster_event_timeout_exception`. */
  readonly queueTimeoutMs: number;
  /** Pure. Runs once behind all tasks of one state that name the same function, if any of them changed it. */
  readonly settle?: (state: ClusterState) => ClusterState;
}

export interface StateTask extends AnyTask {
  /** Pure. A `ShoalError` it throws is the caller's alone and leaves the state as it was. */
  readonly update: (state: ClusterState) => ClusterState;
}

/** A change of routing that is made together with those beside it in the queue: a state for each of a thousand would be copied a thousand times. */
export interface RoutingTask extends AnyTask {
  /** A `ShoalError` it throws is the caller's alone, and has changed nothing. */
  readonly route: (changes: RoutingChanges) => void;
}

export type ManagerTask = StateTask | RoutingTask;

export interface TaskResult {
  /** Every node of the state applied it. */
  readonly allApplied: boolean;
}

interface Waiting {
  readonly task: ManagerTask;
  readonly order: number;
  readonly sinceMs: number;
  readonly stopTimer: Cancel;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
  failure: ShoalError | null;
}

const TASKS_MAX = 100_000;
const BATCH_MAX = 1_000;

/** This node is not the elected cluster manager: nothing was done, another one may be asked. */
export function notManager(reason: string): ShoalError {
  return new ShoalError('not_master_exception', 503, reason);
}

export class ManagerTaskQueue {
  readonly #runtime: Runtime;
  readonly #backend: CoordinationBackend;
  #waiting: Waiting[] = [];
  /** The batch that is being published. */
  #executing: readonly Waiting[] = [];
  #isRunning = false;
  #lastOrder = 0;

  constructor(runtime: Runtime, backend: CoordinationBackend) {
    this.#runtime = runtime;
    this.#backend = backend;
  }

  /**
   * Resolves when the change is committed and its publication has ended. Rejects with the task's own error, with
   * `not_master_exception` (nothing was done) or `failed_to_commit_cluster_state_exception` (nobody knows).
   */
  submit(task: ManagerTask): Promise<TaskResult> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= TASKS_MAX) {
        reject(
          new ShoalError('es_rejected_execution_exception', 429, `too many cluster state updates wait [${TASKS_MAX}]`),
        );
        return;
      }
      const stopTimer = this.#runtime.sched.after(task.queueTimeoutMs, () => this.#expire(waiting));
      const order = ++this.#lastOrder;
      const sinceMs = this.#runtime.clock.monotonicMs();
      const waiting: Waiting = { task, order, sinceMs, stopTimer, resolve, reject, failure: null };
      this.#waiting.push(waiting);
      // In a later turn, so that what comes together is published together.
      if (!this.#isRunning) {
        this.#isRunning = true;
        this.#runtime.sched.soon(() => void this.#run());
      }
    });
  }

  /** Tasks that run, then those that wait; at most `PENDING_TASKS_MAX`. */
  pending(): readonly PendingTask[] {
    const nowMs = this.#runtime.clock.monotonicMs();
    const running = this.#executing.map((waiting) => pendingTask(waiting, true, nowMs));
    const waiting = [...this.#waiting].sort(byTurn).map((other) => pendingTask(other, false, nowMs));
    return [...running, ...waiting].slice(0, PENDING_TASKS_MAX);
  }

  #expire(waiting: Waiting): void {
    if (!this.#waiting.includes(waiting)) return;
    this.#waiting = this.#waiting.filter((other) => other !== waiting);
    const { source, queueTimeoutMs } = waiting.task;
    waiting.reject(
      new ShoalError(
        'process_cluster_event_timeout_exception',
        503,
        `failed to process cluster event (${source}) within ${queueTimeoutMs}ms`,
      ),
    );
  }

  async #run(): Promise<void> {
    assert(this.#executing.length === 0, `${this.#executing.length} tasks run while others are started`);
    while (this.#waiting.length > 0) {
      const sorted = this.#waiting.sort(byTurn);
      const batch = sorted.slice(0, BATCH_MAX);
      this.#waiting = sorted.slice(BATCH_MAX);
      for (const { stopTimer } of batch) stopTimer();
      this.#executing = batch;
      await this.#publish(batch);
      this.#executing = [];
    }
    this.#isRunning = false;
  }

  async #publish(batch: readonly Waiting[]): Promise<void> {
    const sources = [...new Set(batch.map(({ task }) => task.source))].slice(0, 10).join(', ');
    let broken: { readonly error: unknown } | null = null;
    const result = await this.#backend.propose(sources, (start) => {
      const made = new BatchState(start);
      for (const waiting of batch) {
        try {
          made.add(waiting.task);
        } catch (error) {
          if (isShoalError(error)) waiting.failure = error;
          else broken ??= { error };
        }
      }
      try {
        made.finishRouting();
      } catch (error) {
        broken ??= { error };
      }
      return broken === null ? made.settled(sources) : start;
    });
    for (const waiting of batch) {
      if (broken !== null) waiting.reject(brokenError(broken));
      else if (waiting.failure !== null) waiting.reject(waiting.failure);
      else if (result.kind === 'committed') waiting.resolve({ allApplied: result.allApplied });
      else if (result.kind === 'notManager') waiting.reject(notManager(result.reason));
      else waiting.reject(new ShoalError('failed_to_commit_cluster_state_exception', 503, result.reason));
    }
  }
}

/** The state that the tasks of a batch make, one after another. */
class BatchState {
  readonly #start: ClusterState;
  #state: ClusterState;
  /** Changes of the routing tasks since the last other one, not yet in the state. */
  #changes: RoutingChanges | null = null;
  readonly #routed: RoutingTask[] = [];
  readonly #settles = new Set<NonNullable<ManagerTask['settle']>>();

  constructor(start: ClusterState) {
    this.#start = start;
    this.#state = start;
  }

  add(task: ManagerTask): void {
    if ('route' in task) {
      this.#changes ??= new RoutingChanges(this.#state);
      task.route(this.#changes);
      this.#routed.push(task);
      return;
    }
    this.finishRouting();
    this.#become(task.update(this.#state), [task]);
  }

  /** Takes the changes of routing tasks into the state. */
  finishRouting(): void {
    if (this.#changes !== null) this.#become(this.#changes.finish(), this.#routed.splice(0));
    this.#changes = null;
  }

  /** The state behind all tasks and what follows from them once. */
  settled(sources: string): ClusterState {
    let state = this.#state;
    for (const settle of this.#settles) state = settle(state);
    assertUnstamped(this.#start, state, sources);
    return state;
  }

  #become(next: ClusterState, by: readonly ManagerTask[]): void {
    assertUnstamped(this.#start, next, by[0]?.source ?? '');
    for (const { settle } of by) if (next !== this.#state && settle !== undefined) this.#settles.add(settle);
    this.#state = next;
  }
}

/** Order of tasks: by priority, then by arrival. */
function byTurn(a: Waiting, b: Waiting): number {
  return a.task.priority - b.task.priority || a.order - b.order;
}

function pendingTask({ task, order, sinceMs }: Waiting, executing: boolean, nowMs: number): PendingTask {
  const priority = PENDING_TASK_PRIORITIES[task.priority];
  return {
    insertOrder: order,
    priority,
    source: task.source,
    executing,
    timeInQueueMillis: Math.floor(nowMs - sinceMs),
  };
}

/** Asserts that a task leaves terms, versions and members alone: a change of them would break the quorums. */
function assertUnstamped(start: ClusterState, next: ClusterState, source: string): void {
  const isSame = next.term === start.term && next.version === start.version && next.stateUuid === start.stateUuid;
  assert(isSame, `task [${source}] turns state ${start.term}/${start.version} into ${next.term}/${next.version}`);
  assert(next.nodes === start.nodes, `task [${source}] changes the members of state ${start.version}`);
  const [before, after] = [start.metadata.coordination, next.metadata.coordination];
  assert(
    after.lastAcceptedConfig === before.lastAcceptedConfig && after.lastCommittedConfig === before.lastCommittedConfig,
    `task [${source}] changes the voting configuration [${before.lastAcceptedConfig}]`,
  );
}

function brokenError(broken: { readonly error: unknown } | null): unknown {
  assert(broken !== null, 'no error to report');
  return broken.error;
}
