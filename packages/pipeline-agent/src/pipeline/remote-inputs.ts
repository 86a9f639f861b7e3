/**
 * The main thread's side of inputs that have a thread of their own: starts and stops them, takes what they push into the queue,
 * and shows what they tell.
 *
 * A thread that ends by itself takes its inputs along: the pipeline is given up, as when its queue fails.
 */
import { type PlannedInput, positionText } from '@shoal/agent-config';
import type { EventQueue } from '@shoal/agent-queue';
import { assert, ShoalError } from '@shoal/core';
import type { InputTrouble } from '../inputs/input-runner.ts';
import { refusalOf } from '../inputs/refusal.ts';
import type { FromInputs, ToInputs, ToldInput } from '../messages/input-messages.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import type { PipelineStats, PluginStats } from '../statistics/pipeline-stats.ts';
import type { PipelineThreads } from '../workers/pipeline-threads.ts';
import type { SharedThread } from '../workers/shared-thread.ts';

/** An input that runs there, by its place among all of the pipeline. */
export interface RemotePlace {
  readonly place: number;
  readonly plan: PlannedInput;
  readonly stats: PluginStats;
}

export interface RemoteInputsOptions {
  readonly threads: PipelineThreads;
  readonly source: PipelineSource;
  readonly places: readonly RemotePlace[];
  readonly total: Pick<PipelineStats, 'queuePushMs'>;
  readonly confirmed: (() => Promise<void>) | null;
}

interface Expected {
  readonly kind: 'built' | 'started' | 'stopped';
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class RemoteInputs {
  /** Resolves when all have ended by themselves; rejects when one fails, or their thread ends. */
  readonly finished: Promise<void>;
  readonly #options: RemoteInputsOptions;
  #thread: SharedThread | null = null;
  #queue: EventQueue | null = null;
  #expected: Expected[] = [];
  #told: readonly ToldInput[] = [];
  #workMs = 0;
  #state: 'made' | 'built' | 'stopping' | 'ended' = 'made';
  #resolveFinished: () => void = () => {};
  #rejectFinished: (error: Error) => void = () => {};

  constructor(options: RemoteInputsOptions) {
    this.#options = options;
    this.finished = new Promise((resolve, reject) => {
      this.#resolveFinished = resolve;
      this.#rejectFinished = reject;
    });
    // Who waits for it hears of it; a pipeline that is not run waits for nothing.
    this.finished.catch(() => undefined);
  }

  /** null before they are built, and behind their end. */
  get thread(): SharedThread | null {
    return this.#thread;
  }

  /** Makes the inputs; nothing is opened yet. */
  async prepare(): Promise<void> {
    const { threads, source, places, confirmed } = this.#options;
    this.#thread = threads.startInputs({
      receive: (message) => this.#receive(message),
      exited: (reason) => this.#exited(reason),
    });
    const numbers = places.map(({ place }) => place);
    await this.#ask('built', { kind: 'build', source, places: numbers, confirms: confirmed !== null });
    this.#state = 'built';
  }

  async start(queue: EventQueue): Promise<void> {
    this.#queue = queue;
    await this.#ask('started', { kind: 'start' });
  }

  /** Resolves when nothing of them will be pushed any more. */
  async stop(): Promise<void> {
    if (this.#state === 'built') {
      this.#state = 'stopping';
      await this.#ask('stopped', { kind: 'stop' });
    }
    await this.release();
  }

  /** Ends the thread, whatever it does. */
  async release(): Promise<void> {
    this.#state = 'ended';
    const thread = this.#thread;
    this.#thread = null;
    this.#rejectExpected('the pipeline has ended');
    await thread?.endInputs();
  }

  /** Time that they have worked, as it was told last. */
  get workMs(): number {
    return this.#workMs;
  }

  troubles(): readonly InputTrouble[] {
    return this.#options.places.flatMap(({ plan }, i) => {
      const trouble = this.#told[i]?.trouble ?? null;
      return trouble === null ? [] : [{ name: plan.name, id: plan.id, ...trouble }];
    });
  }

  /** Name, id and position of those that have not stopped. */
  stuckInputs(): readonly string[] {
    return this.#options.places
      .filter((_, i) => this.#state === 'stopping' || this.#told[i]?.isHeld === true)
      .map(({ plan }) => `${plan.name} ${plan.id} at ${positionText(plan.position)}`);
  }

  #ask(kind: Expected['kind'], message: ToInputs): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return Promise.reject(threadEnded('it has ended'));
    return new Promise((resolve, reject) => {
      this.#expected.push({ kind, resolve, reject });
      thread.postInputs(message);
    });
  }

  #receive(message: FromInputs): void {
    switch (message.kind) {
      case 'push':
        this.#answer(message.call, this.#pushed(message.chunks));
        break;
      case 'confirm':
        this.#answer(message.call, this.#confirmed());
        break;
      case 'told':
        this.#apply(message.inputs);
        this.#workMs = message.workMs;
        if (this.#thread !== null && message.heap !== null) this.#thread.heap = message.heap;
        break;
      case 'failed':
        for (const { reject } of this.#expected.splice(0))
          reject(new ShoalError('pipeline_exception', 400, message.message));
        break;
      case 'finished':
        if (message.failure === null) this.#resolveFinished();
        else this.#rejectFinished(new Error(message.failure));
        break;
      case 'built':
        if (this.#thread !== null) this.#thread.threadId = message.threadId;
        this.#came('built');
        break;
      default:
        this.#came(message.kind);
    }
  }

  #came(kind: Expected['kind']): void {
    const at = this.#expected.findIndex((expected) => expected.kind === kind);
    if (at >= 0) this.#expected.splice(at, 1)[0]?.resolve();
  }

  async #pushed(chunks: Extract<FromInputs, { readonly kind: 'push' }>['chunks']): Promise<void> {
    assert(this.#queue !== null, `inputs of ${this.#options.source.id} push before they are started`);
    await this.#queue.pushChunks(chunks);
  }

  async #confirmed(): Promise<void> {
    const { confirmed, source } = this.#options;
    assert(confirmed !== null, `inputs of ${source.id} wait for outputs that confirm nothing`);
    await confirmed();
  }

  #answer(call: number, done: Promise<void>): void {
    done
      .then(() => null, refusalOf)
      .then((refusal) => this.#thread?.postInputs({ kind: 'answer', call, refusal }))
      .catch((error: unknown) => this.#exited(String(error)));
  }

  #apply(told: readonly ToldInput[]): void {
    const { places, total } = this.#options;
    this.#told = told;
    for (const [i, { stats }] of places.entries()) {
      const now = told[i];
      if (now === undefined) continue;
      total.queuePushMs += now.queuePushMs - stats.queuePushMs;
      stats.in = now.in;
      stats.out = now.out;
      stats.queuePushMs = now.queuePushMs;
      Object.assign(stats.codec, now.codec);
      for (const [name, value] of now.metrics) stats.metrics.set(name, value);
    }
  }

  #exited(reason: string): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#thread = null;
    this.#rejectExpected(reason);
    this.#rejectFinished(threadEnded(reason));
  }

  #rejectExpected(reason: string): void {
    // What stops has stopped with its thread.
    for (const { kind, resolve, reject } of this.#expected.splice(0)) {
      if (kind === 'stopped') resolve();
      else reject(threadEnded(reason));
    }
  }
}

function threadEnded(reason: string): ShoalError {
  return new ShoalError('pipeline_exception', 500, `thread of the inputs: ${reason}`);
}
