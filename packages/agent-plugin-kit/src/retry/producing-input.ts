/**
 * Life cycle of inputs that make events by themselves: a loop that runs until it ends or is stopped, and waits in between.
 */
import type { Runtime } from '@shoal/runtime';
import type { EventSink, Input } from '../contract/plugin-definition.ts';
import { type LoopControl, StoppableWait } from './stoppable-wait.ts';

/** @param options `isEndless`: the loop has no end but `stop`; `prepare`: what must succeed before the loop begins */
export function producingInput(
  runtime: Runtime,
  options: { readonly isEndless: boolean; readonly prepare?: () => Promise<void> },
  produce: (sink: EventSink, control: LoopControl) => Promise<void>,
): Input {
  const control = new StoppableWait(runtime);
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
      await options.prepare?.();
      running = produce(sink, control).then(finish, (error) => {
        sink.failed?.(error);
        fail(error);
      });
    },
    async stop() {
      control.stop();
      await running;
    },
  };
}
