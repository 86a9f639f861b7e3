/**
 * Waits of a plugin between attempts, which end at once when the plugin is stopped.
 */
import type { Runtime } from '@shoal/runtime';

export interface LoopControl {
  readonly isStopped: boolean;
  /** Resolves after `ms`, or at once when stopped. */
  pause(ms: number): Promise<void>;
  /** Calls `end` once on stop, immediately when already stopped. Returns the function that removes `end`. */
  onStop(end: () => void): () => void;
}

export class StoppableWait implements LoopControl {
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
