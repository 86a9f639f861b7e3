/**
 * The life of inputs that make events by themselves: a loop that runs until it ends or is stopped, and waits in between.
 */
import type { Runtime } from '@shoal/runtime';
import type { EventSink, Input } from '../contract/plugin-definition.ts';

export interface LoopControl {
  readonly isStopped: boolean;
  /** Ends early when stopped. */
  pause(ms: number): Promise<void>;
  /** Called once when the input is stopped; at once when it is already. What it returns takes the call back. */
  onStop(end: () => void): () => void;
}

/** @param isEndless no end but `stop` */
export function producingInput(
  runtime: Runtime,
  options: { readonly isEndless: boolean },
  produce: (sink: EventSink, control: LoopControl) => Promise<void>,
): Input {
  const control = new LoopStop(runtime);
  let running: Promise<void> = Promise.resolve();
  let finish: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const finished = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  // Whoever runs the pipeline looks at it; before that a failure must not end the process.
  finished.catch(() => undefined);
  return {
    finished: options.isEndless ? null : finished,
    async start(sink) {
      running = produce(sink, control).then(finish, (error) => {
        if (options.isEndless) runtime.log.error('an input ended', { error: String(error) });
        fail(error);
      });
    },
    async stop() {
      control.stop();
      await running;
    },
  };
}

/** Stops waits of a plugin at once when it is stopped. */
export class LoopStop implements LoopControl {
  private readonly runtime: Runtime;
  private readonly enders = new Set<() => void>();
  isStopped = false;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  pause(ms: number): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.enders.delete(end);
        resolve();
      };
      const cancel = this.runtime.sched.after(ms, end);
      this.enders.add(end);
    });
  }

  onStop(end: () => void): () => void {
    if (this.isStopped) end();
    else this.enders.add(end);
    return () => void this.enders.delete(end);
  }

  stop(): void {
    this.isStopped = true;
    for (const end of [...this.enders]) end();
    this.enders.clear();
  }
}
