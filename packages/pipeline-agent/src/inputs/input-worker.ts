/**
 * The inputs of one pipeline in a thread of their own: what they decode slows no other pipeline and no answer of the API.
 *
 * They are run as in the main thread (`input-runner`), before a queue that sends what is pushed to the real one and waits for
 * its answer, so that a full queue holds their sources back from there too.
 */
import { inputWorkMs } from '@shoal/agent-plugin-kit';
import { cutEvents, cutLines, type EventChunk } from '@shoal/agent-queue';
import { assert } from '@shoal/core';
import type { Cancel, HeapSample, Runtime } from '@shoal/runtime';
import type { FromInputs, ToInputs, ToldInput } from '../messages/input-messages.ts';
import { loadPlan } from '../sources/load-plan.ts';
import { PluginStats } from '../statistics/pipeline-stats.ts';
import { InputRunner } from './input-runner.ts';
import { errorOf, textOf } from './refusal.ts';

/** Counts and troubles that have changed are told so often. */
const TELL_INTERVAL_MS = 250;

export interface InputWorkerOptions {
  readonly post: (message: FromInputs) => void;
  readonly runtime: Runtime;
  /** Kernel's id of the thread; null where it has none. */
  readonly threadId: number | null;
  /** null when it was told only just now. */
  readonly heapNow: () => HeapSample | null;
}

interface OpenCall {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class InputWorker {
  readonly #options: InputWorkerOptions;
  readonly #calls = new Map<number, OpenCall>();
  #nextCall = 0;
  #runner: InputRunner | null = null;
  #stats: readonly PluginStats[] = [];
  #pipelineId = '';
  #batchSize = 1;
  #told = '';
  #timer: Cancel = () => {};
  /** Messages are worked on in their order; answers and the stop are not kept waiting by a start. */
  #tail: Promise<void> = Promise.resolve();

  constructor(options: InputWorkerOptions) {
    this.#options = options;
  }

  receive(message: ToInputs): void {
    if (message.kind === 'answer') {
      const call = this.#calls.get(message.call);
      this.#calls.delete(message.call);
      if (message.refusal === null) call?.resolve();
      else call?.reject(errorOf(message.refusal));
      return;
    }
    const done = message.kind === 'stop' ? this.#stop() : this.#tail.then(() => this.#handle(message));
    this.#tail = done.catch((error: unknown) => this.#options.post({ kind: 'failed', message: textOf(error) }));
  }

  async #handle(message: Extract<ToInputs, { readonly kind: 'build' | 'start' }>): Promise<void> {
    const { post, threadId } = this.#options;
    if (message.kind === 'build') {
      this.#runner = await this.#build(message);
      post({ kind: 'built', threadId });
      return;
    }
    const runner = this.#running();
    await runner.start({
      push: (events) => this.#push(cutEvents(events, this.#batchSize)),
      pushLines: async (block) => {
        const chunks = cutLines(block, this.#batchSize);
        await this.#push(chunks);
        return chunks.reduce((sum, { count }) => sum + count, 0);
      },
    });
    const finished = runner.finished();
    this.#tell();
    post({ kind: 'started', isEndless: finished === null });
    this.#tellLater();
    finished
      ?.then(() => null, textOf)
      .then((failure) => {
        this.#tell();
        post({ kind: 'finished', failure });
      })
      .catch((error: unknown) => this.#options.runtime.log.error('end of inputs not told', { error: textOf(error) }));
  }

  async #build({ source, places, confirms }: Extract<ToInputs, { readonly kind: 'build' }>): Promise<InputRunner> {
    const { runtime } = this.#options;
    const plan = await loadPlan(source, runtime.clock);
    const inputs = places.map((place) => {
      const input = plan.inputs[place];
      assert(input !== undefined, `no input ${place} among ${plan.inputs.length}`);
      return { plan: input, stats: new PluginStats(input) };
    });
    this.#stats = inputs.map(({ stats }) => stats);
    this.#pipelineId = source.id;
    this.#batchSize = source.settings.batchSize;
    const confirmed = confirms ? () => this.#call((call) => ({ kind: 'confirm', call })) : null;
    return new InputRunner({ runtime, source, inputs, total: { queuePushMs: 0 }, bus: NO_BUS, confirmed });
  }

  async #stop(): Promise<void> {
    await this.#runner?.stop();
    this.#timer();
    this.#tell();
    this.#options.post({ kind: 'stopped' });
  }

  #running(): InputRunner {
    assert(this.#runner !== null, 'inputs are built before they are started');
    return this.#runner;
  }

  async #push(chunks: readonly EventChunk[]): Promise<void> {
    if (chunks.length > 0) await this.#call((call) => ({ kind: 'push', call, chunks }));
  }

  #call(message: (call: number) => FromInputs): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = this.#nextCall++;
      this.#calls.set(call, { resolve, reject });
      this.#options.post(message(call));
    });
  }

  #tellLater(): void {
    this.#timer = this.#options.runtime.sched.after(TELL_INTERVAL_MS, () => {
      this.#tell();
      this.#tellLater();
    });
  }

  #tell(): void {
    const states = this.#runner?.states() ?? [];
    const inputs: ToldInput[] = this.#stats.map(({ in: taken, out, queuePushMs, codec, metrics }, i) => ({
      in: taken,
      out,
      queuePushMs,
      codec: { ...codec },
      metrics: [...metrics],
      trouble: states[i]?.trouble ?? null,
      isHeld: states[i]?.isHeld ?? false,
    }));
    const told = JSON.stringify(inputs);
    if (told === this.#told) return;
    this.#told = told;
    const workMs = inputWorkMs(this.#options.runtime.clock, this.#pipelineId);
    this.#options.post({ kind: 'told', inputs, workMs, heap: this.#options.heapNow() });
  }
}

/** Inputs that listen to other pipelines stay in the main thread. */
const NO_BUS = {
  send: async (): Promise<void> => {
    throw new Error('an input sends nothing to other pipelines');
  },
  listen: (): never => {
    throw new Error('an input in a thread of its own cannot listen to other pipelines');
  },
};
