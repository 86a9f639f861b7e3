/**
 * Documents by query: deletes, rewrites or copies the documents that a search finds, alone or in slices that work side by side.
 *
 * Nothing is held but a page a slice. Whatever ends it, the answer says how far it came.
 */
import { assert, isAssertionFailure } from '@shoal/core';
import type { Slice } from '@shoal/query';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { maintainShards } from '../nodes/node-requests.ts';
import { TaskCluster } from '../tasks/task-cluster.ts';
import type { Task } from '../tasks/task-registry.ts';
import type { ByQueryRequest } from './by-query-request.ts';
import { type ByQueryStatus, joinedStatus, renderByQueryStatus, TASK_STATUS_VIEW } from './by-query-status.ts';
import { type SliceOutcome, type SlicePart, SliceRun } from './run-slice.ts';

export interface ByQueryOutcome extends Omit<SliceOutcome, 'indices'> {
  readonly tookMs: number;
}

/** Slices that work at the same time; the others wait for their turn. */
const SLICES_AT_ONCE = 32;

/** Runs as the task of its context, which tells how far it is, and can be cancelled and given another pace. */
export async function executeByQuery(context: CoordinatorContext, request: ByQueryRequest): Promise<ByQueryOutcome> {
  const { clock } = context.runtime;
  const startedMs = clock.monotonicMs();
  const { task } = context;
  assert(task !== null, `${request.action} runs without a task`);
  const outcome =
    request.slices > 1 ? await new SlicedRun(context, request, task).run() : await alone(context, request, task);
  const { status, timedOut, writeFailures, searchFailures, indices } = outcome;
  if (request.refreshes) await refresh(context, indices);
  const tookMs = Math.round(clock.monotonicMs() - startedMs);
  return { tookMs, status, timedOut, writeFailures, searchFailures };
}

function alone(context: CoordinatorContext, request: ByQueryRequest, task: Task): Promise<SliceOutcome> {
  const { ownSlice, documentsMax, requestsPerSecond } = request;
  const shownId = ownSlice?.id ?? null;
  const part = { slice: ownSlice, shownId, documentsMax, requestsPerSecond, flag: task.flag };
  return runAsTask(context, request, part, task);
}

function runAsTask(
  context: CoordinatorContext,
  request: ByQueryRequest,
  part: SlicePart,
  task: Task,
): Promise<SliceOutcome> {
  const run = new SliceRun(context, request, part);
  task.status = () => renderByQueryStatus(run.status(), TASK_STATUS_VIEW);
  task.rethrottle = (requestsPerSecond) => run.rethrottle(requestsPerSecond);
  return run.run();
}

/** Slices as tasks below the task of the whole. */
class SlicedRun {
  readonly #context: CoordinatorContext;
  readonly #request: ByQueryRequest;
  readonly #task: Task;
  readonly #running = new Map<number, Task>();
  readonly #outcomes: (SliceOutcome | null)[];
  #requestsPerSecond: number;

  constructor(context: CoordinatorContext, request: ByQueryRequest, task: Task) {
    this.#context = context;
    this.#request = request;
    this.#task = task;
    this.#outcomes = new Array<SliceOutcome | null>(request.slices).fill(null);
    this.#requestsPerSecond = request.requestsPerSecond;
  }

  async run(): Promise<SliceOutcome> {
    const { slices } = this.#request;
    this.#task.status = () => renderByQueryStatus(this.#status(), TASK_STATUS_VIEW);
    this.#task.rethrottle = (requestsPerSecond) => this.#rethrottle(requestsPerSecond);
    const errors: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < slices && !this.#task.isCancelled && errors.length === 0) {
        const id = next++;
        try {
          this.#outcomes[id] = await this.#runSlice({ id, max: slices });
        } catch (error) {
          if (isAssertionFailure(error)) throw error;
          errors.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(slices, SLICES_AT_ONCE) }, work));
    if (errors.length > 0) throw errors[0];
    return this.#joined();
  }

  async #runSlice(slice: Slice): Promise<SliceOutcome> {
    const { tasks, cluster } = this.#context;
    const { documentsMax, slices, action, description } = this.#request;
    const { headers } = this.#task.start;
    const nodeId = cluster.localNode.id;
    const parentTaskId = `${nodeId}:${this.#task.id}`;
    const task = tasks.begin({
      type: 'transport',
      action,
      isCancellable: true,
      parentTaskId,
      headers,
      describe: () => description,
    });
    this.#running.set(slice.id, task);
    this.#task.flag.onCancel(() => task.cancel(this.#task.flag.reason ?? ''));
    const own = new TaskCluster(cluster, { taskId: `${nodeId}:${task.id}`, headers });
    const part = {
      slice,
      shownId: slice.id,
      documentsMax: documentsMax === null ? null : Math.floor(documentsMax / slices),
      requestsPerSecond: this.#requestsPerSecond / slices,
      flag: task.flag,
    };
    try {
      return await runAsTask({ ...this.#context, cluster: own, task }, this.#request, part, task);
    } finally {
      this.#running.delete(slice.id);
      tasks.end(task);
    }
  }

  /** The pace is shared by the slices that still work. */
  #rethrottle(requestsPerSecond: number): void {
    this.#requestsPerSecond = requestsPerSecond;
    for (const task of this.#running.values()) task.rethrottle?.(requestsPerSecond / this.#running.size);
  }

  #status(): ByQueryStatus {
    const ended = this.#outcomes.map((outcome) => outcome?.status ?? null);
    return joinedStatus(this.#request.kind, ended, this.#task.isCancelled ? this.#task.flag.reason : null);
  }

  #joined(): SliceOutcome {
    const ended = this.#outcomes.filter((outcome) => outcome !== null);
    return {
      status: this.#status(),
      timedOut: ended.some((outcome) => outcome.timedOut),
      writeFailures: ended.flatMap((outcome) => outcome.writeFailures),
      searchFailures: ended.flatMap((outcome) => outcome.searchFailures),
      indices: new Set(ended.flatMap((outcome) => [...outcome.indices])),
    };
  }
}

async function refresh(context: CoordinatorContext, indices: ReadonlySet<string>): Promise<void> {
  const state = context.cluster.state();
  const known = [...indices].filter((index) => state.metadata.indices.has(index));
  if (known.length > 0) await maintainShards(context, state, { kind: 'refresh' }, known);
}
