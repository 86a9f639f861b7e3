/**
 * Work on shards in order: everything about one shard waits in one queue, one step after the other; queues of different shards do not
 * wait for each other.
 */
import { asShoalError, isAssertionFailure } from '@shoal/core';
import type { Cancel, Runtime } from '@shoal/runtime';
import type { ShardKey } from '../calls/worker-calls.ts';
import { stopProcess } from '../worker/stop-process.ts';

export class ShardQueues {
  readonly #runtime: Runtime;
  readonly #released: (key: ShardKey) => Promise<void>;
  readonly #queues = new Map<ShardKey, Promise<void>>();

  /** @param released resolves when no thread that is being ended may still write to the shard's folder */
  constructor(runtime: Runtime, released: (key: ShardKey) => Promise<void>) {
    this.#runtime = runtime;
    this.#released = released;
  }

  /**
   * A step is over only when no thread that is being ended may still write to the shard's folder: calls to such a thread fail
   * before it has stopped, and what comes next opens or deletes the folder.
   */
  enqueue(key: ShardKey, work: () => Promise<void>): void {
    const before = this.#queues.get(key) ?? Promise.resolve();
    const next = before.then(work).catch((error: unknown) => {
      if (isAssertionFailure(error)) {
        stopProcess(this.#runtime, error);
        return;
      }
      this.#runtime.log.error('step of a shard failed', { shard: key, error: asShoalError(error).message });
    });
    const queue = next.then(async () => {
      await this.#released(key);
      if (this.#queues.get(key) === queue) this.#queues.delete(key);
    });
    this.#queues.set(key, queue);
  }

  /** Resolves when what waits now for the shard is done. */
  async doneOfShard(key: ShardKey): Promise<void> {
    await this.#queues.get(key);
  }

  /** Resolves when what waits now for shards of the index is done. */
  async doneOf(indexUuid: string): Promise<void> {
    const keys = [...this.#queues.keys()].filter((key) => key.startsWith(`${indexUuid}/`));
    await Promise.all(keys.map((key) => this.#queues.get(key)));
  }

  /** Shards that something waits for, or is done to. */
  get size(): number {
    return this.#queues.size;
  }

  /** Resolves when what waits now for any shard is done. */
  async done(): Promise<void> {
    await Promise.all(this.#queues.values());
  }

  /** False when it takes longer. */
  async doneWithin(ms: number): Promise<boolean> {
    let cancel: Cancel = () => {};
    const late = new Promise<false>((resolve) => {
      cancel = this.#runtime.sched.after(ms, () => resolve(false));
    });
    const isDone = await Promise.race([this.done().then(() => true), late]);
    cancel();
    return isDone;
  }
}
