/**
 * The inputs of a pipeline, in the thread that those of all pipelines share with the API, or in one of their own.
 *
 * Some cannot leave the main thread (`needsMainThread`): what other pipelines send comes by there, and standard input is its.
 */
import type { PlannedInput } from '@shoal/agent-config';
import { inputWorkMs } from '@shoal/agent-plugin-kit';
import type { EventQueue } from '@shoal/agent-queue';
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { ProcessBus } from '../delivery/pipeline-bus.ts';
import { InputRunner, type InputTrouble } from '../inputs/input-runner.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineStats } from '../statistics/pipeline-stats.ts';
import type { PipelineThreads } from '../workers/pipeline-threads.ts';
import type { SharedThread } from '../workers/shared-thread.ts';
import { RemoteInputs } from './remote-inputs.ts';

export interface PipelineInputsOptions {
  readonly runtime: Runtime;
  readonly threads: PipelineThreads;
  readonly source: PipelineSource;
  readonly plans: readonly PlannedInput[];
  readonly stats: PipelineStats;
  readonly bus: ProcessBus;
  /** Resolves when the outputs are done with all that was pushed; null where inputs need not know. */
  readonly confirmed: (() => Promise<void>) | null;
}

export class PipelineInputs {
  /** Milliseconds that those of the main thread have worked, for all pipelines of this name. */
  readonly #localWorkMs: () => number;
  readonly #local: InputRunner;
  /** null when all inputs are in the main thread. */
  readonly #remote: RemoteInputs | null;

  /** Makes those of the main thread; nothing is opened yet. */
  constructor({ runtime, threads, source, plans, stats, bus, confirmed }: PipelineInputsOptions) {
    const all = plans.map((plan, place) => {
      const own = stats.inputs[place];
      assert(own !== undefined, `input ${plan.id} has no counters`);
      return { place, plan, stats: own };
    });
    const isApart = threads.hasOwnInputs(source);
    const leaves = ({ definition }: PlannedInput): boolean => isApart && definition.needsMainThread !== true;
    const inputs = all.filter(({ plan }) => !leaves(plan));
    const places = all.filter(({ plan }) => leaves(plan));
    this.#localWorkMs = () => inputWorkMs(runtime.clock, source.id);
    this.#local = new InputRunner({ runtime, source, inputs, total: stats, bus, confirmed });
    const remote = { threads, source, places, total: stats, confirmed };
    this.#remote = places.length === 0 ? null : new RemoteInputs(remote);
  }

  /** null when they have none of their own. */
  get thread(): SharedThread | null {
    return this.#remote?.thread ?? null;
  }

  /** Time that they have worked, as it was told last; it counts from any point. */
  get workMs(): number {
    return this.#localWorkMs() + (this.#remote?.workMs ?? 0);
  }

  async prepare(): Promise<void> {
    await this.#remote?.prepare();
  }

  /** Those that run are stopped again when one cannot start. */
  async start(queue: EventQueue): Promise<void> {
    await this.#local.start(queue);
    try {
      await this.#remote?.start(queue);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Settles when all inputs have ended by themselves, rejects when they cannot go on; null when neither will be. */
  finished(): Promise<void> | null {
    const local = this.#local.finished();
    if (this.#remote === null) return local;
    // Those of the main thread never end: what is heard of the others is their failure.
    return Promise.all([local ?? new Promise<void>(() => {}), this.#remote.finished]).then(() => {});
  }

  async stop(): Promise<void> {
    await Promise.all([this.#local.stop(), this.#remote?.stop()]);
  }

  /** Ends their own thread, whatever they do in it. */
  async release(): Promise<void> {
    await this.#remote?.release();
  }

  troubles(): readonly InputTrouble[] {
    return [...this.#local.troubles(), ...(this.#remote?.troubles() ?? [])];
  }

  stuckInputs(): readonly string[] {
    return [...this.#local.stuckInputs(), ...(this.#remote?.stuckInputs() ?? [])];
  }
}
