/**
 * An input: counts down, an event each time, and ends.
 *
 *     input { countdown { from => 10 every => "100 ms" } }
 */
import type { EventSink, Input, PluginContext, PluginDefinition, PluginOptions } from '@shoal/pipeline-agent';

export const countdown: PluginDefinition = {
  kind: 'input',
  name: 'countdown',
  version: '1.0.0',
  options: {
    from: { type: 'number', default: 10 },
    every: { type: 'duration', default: '1 second' },
  },
  create: (options, context) => new Countdown(options, context),
};

class Countdown implements Input {
  /** Settles at zero: a pipeline whose inputs have all ended ends too. Inputs that never end say null. */
  readonly finished: Promise<void>;
  readonly #context: PluginContext;
  readonly #everyMs: number;
  #left: number;
  #cancel: () => void = () => {};
  #pushing: Promise<void> = Promise.resolve();
  #isStopped = false;
  #end: () => void = () => {};

  constructor(options: PluginOptions, context: PluginContext) {
    this.#context = context;
    this.#left = options.number('from');
    this.#everyMs = options.milliseconds('every');
    this.finished = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(sink: EventSink): Promise<void> {
    this.#arm(sink);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#pushing;
  }

  #arm(sink: EventSink): void {
    if (this.#isStopped) return;
    if (this.#left < 0) {
      this.#end();
      return;
    }
    this.#cancel = this.#context.runtime.sched.after(this.#everyMs, () => {
      const event = this.#context.newEvent({ message: String(this.#left), left: this.#left });
      this.#left--;
      // The promise of `push` is the back-pressure: the next event comes when the queue has taken this one.
      this.#pushing = sink.push([event]).then(() => this.#arm(sink));
      this.#pushing.catch((error: unknown) => this.#context.runtime.log.error('not pushed', { error: String(error) }));
    });
  }
}
