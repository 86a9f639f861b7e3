/**
 * One input of a pipeline over all of its instances: one that fails is stopped, and another is made and started after a
 * pause that grows while it goes on failing.
 *
 * The first start is not repeated: a pipeline whose inputs cannot be opened does not start, and the one before it goes on.
 * Nothing that an instance does after it failed or was stopped counts.
 */

import type { EventSink, Input } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import type { Cancel, Log, Runtime } from '@shoal/runtime';

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;

/** Where the events of all instances go. */
export type SupervisedSink = Required<Pick<EventSink, 'push' | 'pushLines'>> & Pick<EventSink, 'confirmed'>;

export interface SupervisedInputOptions {
  readonly runtime: Runtime;
  readonly log: Log;
  /** Makes an instance; nothing is opened yet. */
  readonly make: () => Input;
  readonly sink: SupervisedSink;
  /** Called with each failure. */
  readonly failed: (failure: { readonly error: string; readonly failures: number }) => void;
}

export class SupervisedInput {
  /** Resolves when an instance ends by itself; null when none ever does. */
  readonly finished: Promise<void> | null;
  readonly #options: SupervisedInputOptions;
  #instance: Input;
  #state: 'made' | 'running' | 'failed' | 'stopped' = 'made';
  /** Failures in a row, since an instance last ran for as long as the pause before it. */
  #failures = 0;
  #error: string | null = null;
  #trouble: string | null = null;
  /** Ends the pause that goes on, or the time for which an instance has to run before it counts as well. */
  #cancelTimer: Cancel = () => {};
  /** Settles when the instance that failed is stopped. */
  #stopped: Promise<void> = Promise.resolve();
  #restarting: Promise<void> = Promise.resolve();
  #resolveFinished: () => void = () => {};

  constructor(options: SupervisedInputOptions) {
    this.#options = options;
    this.#instance = options.make();
    this.finished =
      this.#instance.finished === null
        ? null
        : new Promise((resolve) => {
            this.#resolveFinished = resolve;
          });
  }

  /** Why it does not run as it should; null when it does. */
  get trouble(): string | null {
    return this.#error ?? this.#trouble;
  }

  /** Not running: it failed and waits for its next start. */
  get isDown(): boolean {
    return this.#state === 'failed';
  }

  async start(): Promise<void> {
    await this.#start(this.#instance);
  }

  /** Resolves when nothing of it will be pushed any more. */
  async stop(): Promise<void> {
    const wasRunning = this.#state === 'running';
    const wasStarted = this.#state !== 'made';
    this.#state = 'stopped';
    this.#cancelTimer();
    if (!wasStarted) return;
    if (wasRunning) await this.#instance.stop();
    await this.#stopped;
    await this.#restarting;
  }

  async #start(instance: Input): Promise<void> {
    this.#state = 'running';
    const { push, pushLines, confirmed } = this.#options.sink;
    const watched = <Given extends unknown[]>(call: (...given: Given) => Promise<void>) => {
      return async (...given: Given): Promise<void> => {
        try {
          await call(...given);
        } catch (error) {
          this.#fail(instance, error);
          throw error;
        }
      };
    };
    await instance.start({
      push: watched(push),
      pushLines: watched(pushLines),
      ...(confirmed === undefined ? {} : { confirmed }),
      failed: (error) => this.#fail(instance, error),
      troubled: (reason) => {
        if (instance === this.#instance) this.#trouble = reason;
      },
    });
    instance.finished?.then(
      () => this.#resolveFinished(),
      (error: unknown) => this.#fail(instance, error),
    );
  }

  #fail(instance: Input, error: unknown): void {
    if (instance !== this.#instance || this.#state !== 'running') return;
    this.#stopped = instance.stop().catch((failure: unknown) => {
      this.#options.log.warn('an input that failed could not be stopped', { error: String(failure) });
    });
    this.#pause(error);
  }

  #pause(error: unknown): void {
    const { runtime, log, failed } = this.#options;
    this.#state = 'failed';
    this.#failures++;
    this.#error = messageOf(error);
    const pauseMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** (this.#failures - 1));
    log.error('an input failed and is started again after a pause', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      failures: this.#failures,
      pauseMs,
    });
    failed({ error: this.#error, failures: this.#failures });
    this.#cancelTimer();
    this.#cancelTimer = runtime.sched.after(pauseMs, () => {
      this.#restarting = this.#stopped.then(() => this.#restart(pauseMs));
    });
  }

  async #restart(pauseMs: number): Promise<void> {
    if (this.#state !== 'failed') return;
    const { runtime, log, make } = this.#options;
    let instance: Input;
    try {
      instance = make();
    } catch (error) {
      this.#pause(error);
      return;
    }
    this.#instance = instance;
    this.#trouble = null;
    try {
      await this.#start(instance);
    } catch (error) {
      this.#fail(instance, error);
      return;
    }
    if (this.#isStopped() || this.isDown) return;
    this.#cancelTimer = runtime.sched.after(pauseMs, () => {
      this.#failures = 0;
      this.#error = null;
      log.info('an input that failed runs again');
    });
  }

  /** The state may have changed behind any call. */
  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
