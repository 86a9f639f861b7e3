/**
 * Finishes the segment that a shard is writing, a few milliseconds at a time: searches and reads go on, writes wait.
 */
import { assert } from '@shoal/core';
import type { Clock, ThreadTurns } from '@shoal/runtime';
import type { ShardWriter } from './shard-writer.ts';

/** Longest time of sealing before others get their turn. */
const SLICE_MS = 5;
/** What is sealed in one go, since it takes no longer than a slice or two. */
const SMALL_BYTES = 512 * 1024;

export interface ShardSealingOptions {
  readonly clock: Clock;
  readonly turns: ThreadTurns;
  readonly writer: ShardWriter;
}

export class ShardSealing {
  private readonly options: ShardSealingOptions;
  private running: Promise<void> | null = null;

  constructor(options: ShardSealingOptions) {
    this.options = options;
  }

  /** What a write has to wait for before it may do anything; null: nothing. To be asked again after the wait. */
  beforeWrite(): Promise<void> | null {
    return this.running ?? (this.options.writer.isFull() ? this.run() : null);
  }

  /**
   * Calls `use` at a moment at which everything written is in finished segments: at once where that takes no time to speak
   * of (then null), else when the promise resolves.
   */
  whenSealed(use: () => void): Promise<void> | null {
    const { writer } = this.options;
    if (this.running !== null || writer.unsealedBytes > SMALL_BYTES) return this.sealThen(use);
    writer.seal();
    use();
    return null;
  }

  /** Resolves when nothing is being finished. */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  private async sealThen(use: () => void): Promise<void> {
    await this.run();
    // Writes that waited go on first; they may have filled the next segment.
    await this.idle();
    // What they wrote in their slice is little.
    this.options.writer.seal();
    assert(this.running === null, 'a segment is being finished at the moment of a commit');
    use();
  }

  private run(): Promise<void> {
    this.running ??= this.runSteps().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async runSteps(): Promise<void> {
    const { clock, turns, writer } = this.options;
    const steps = writer.sealInSteps();
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    while (steps.next().done !== true) {
      if (clock.monotonicMs() < sliceEndMs) continue;
      await turns.next();
      sliceEndMs = clock.monotonicMs() + SLICE_MS;
    }
  }
}
