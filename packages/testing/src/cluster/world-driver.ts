/**
 * Drives a simulated world for those who wait for something in it: time passes there only while somebody does.
 */
import type { SimulatedWorld } from '@shoal/simulation';

export class WorldDriver {
  readonly #world: SimulatedWorld;
  #waiting = 0;
  /** Those who want time to pass, by the virtual time that they wait for. */
  readonly #advances: { readonly untilMs: number; readonly reached: () => void }[] = [];
  #running: Promise<void> | null = null;

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  /** Runs the world until the work is done, which begins now. Rejects when the world stands still before. */
  async settle<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const done = work();
    const counted = (): void => void this.#waiting--;
    done.then(counted, counted);
    for (let isDone = false; !isDone; ) {
      isDone = await Promise.race([this.#drive().then(() => false), done.then(() => true)]);
    }
    return done;
  }

  /** Lets so much time pass in the world; what is asked meanwhile may go on behind it. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#world.nowMs + ms;
    const reached = new Promise<void>((resolve) => this.#advances.push({ untilMs, reached: resolve }));
    await Promise.race([this.#drive().then(() => reached), reached]);
  }

  /** One run serves all who wait: two at a time would take each other's events. */
  #drive(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    for (;;) {
      const next = this.#nextMs();
      // Who wants time to pass does not wait for answers: those may take longer.
      if (next !== null) {
        await this.#world.run(next);
        this.#tellReached();
      } else if (this.#waiting > 0) {
        await this.#world.run(() => this.#waiting === 0 || this.#advances.length > 0);
      } else return;
    }
  }

  #nextMs(): number | null {
    return this.#advances.length === 0 ? null : Math.min(...this.#advances.map(({ untilMs }) => untilMs));
  }

  #tellReached(): void {
    for (const advance of [...this.#advances]) {
      if (advance.untilMs > this.#world.nowMs) continue;
      this.#advances.splice(this.#advances.indexOf(advance), 1);
      advance.reached();
    }
  }
}
