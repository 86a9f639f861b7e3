/**
 * What a shard's own file says of it while it is open: a change is there when it is durable, and changes wait for each other.
 */
import type { Disk } from '@shoal/runtime';
import { replaceShardState, type ShardState } from './shard-state-file.ts';

export class ShardIdentity {
  #state: ShardState;
  private readonly disk: Disk;
  private readonly shardPath: string;
  private last: Promise<void> = Promise.resolve();

  /** @param state what its file says */
  constructor(disk: Disk, shardPath: string, state: ShardState) {
    this.disk = disk;
    this.shardPath = shardPath;
    this.#state = state;
  }

  get historyUuid(): string {
    return this.#state.historyUuid;
  }

  get primaryTerm(): number {
    return this.#state.primaryTerm;
  }

  change(change: Partial<Pick<ShardState, 'historyUuid' | 'primaryTerm'>>): Promise<void> {
    const done = this.last.then(async () => {
      const next = { ...this.#state, ...change };
      await replaceShardState(this.disk, this.shardPath, next);
      this.#state = next;
    });
    this.last = done.catch(() => {});
    return done;
  }
}
