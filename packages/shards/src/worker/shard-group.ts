/**
 * The query phase of several shards of one thread, asked for in one call: a bounded number of them runs at a time, and what has
 * no room beside the answers of the others is let go of and left out.
 */
import { asShoalError, assert, isAssertionFailure, toWireError } from '@shoal/core';
import type { Shard, StopSignal } from '@shoal/engine';
import { QUERY_PHASE, type SearchCodec } from '@shoal/protocol';
import type { Runtime, ThreadTurns } from '@shoal/runtime';
import type { ShardSearch } from '@shoal/shard-api';
import { packBody } from '../calls/packed-body.ts';
import type { GroupAnswer, ShardKey, WorkerCalls } from '../calls/worker-calls.ts';

/** Longest time in which shards begin one after the other: after it the event loop runs timers, disks and answers. */
const SLICE_MS = 5;

export interface ShardGroupParts {
  readonly runtime: Runtime;
  readonly turns: ThreadTurns;
  readonly searches: SearchCodec;
  /** @throws ShoalError when the shard is not open */
  readonly shardOf: (key: ShardKey) => Shard;
}

type GroupArgs = WorkerCalls['queryShards']['args'];

export class ShardGroup {
  readonly #parts: ShardGroupParts;
  readonly #args: GroupArgs;
  readonly #stop: StopSignal;
  readonly #answers: (GroupAnswer | null)[];
  #search: ShardSearch | null = null;
  #bytes = 0;
  #isFull = false;
  #sliceEndMs = 0;
  #slices = 0;

  constructor(parts: ShardGroupParts, args: GroupArgs, stop: StopSignal) {
    this.#parts = parts;
    this.#args = args;
    this.#stop = stop;
    this.#answers = new Array<null>(args.shards.length).fill(null);
  }

  /** One answer a shard, in order; null for those that are to be asked again. */
  async query(): Promise<readonly (GroupAnswer | null)[]> {
    const { shards, concurrency } = this.#args;
    const { clock } = this.#parts.runtime;
    this.#sliceEndMs = clock.monotonicMs() + SLICE_MS;
    let next = 0;
    const runner = async (): Promise<void> => {
      while (next < shards.length && !this.#isFull && !this.#stop.isStopped) {
        const position = next++;
        this.#answers[position] = await this.#within(position);
        if (clock.monotonicMs() < this.#sliceEndMs) continue;
        await this.#parts.turns.next(this.#slices++);
        this.#sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, shards.length) }, runner));
    return this.#answers;
  }

  /** The shard's answer, unless it takes longer than it may: then it is told to stop, and the others go on. */
  #within(position: number): Promise<GroupAnswer | null> {
    return new Promise((resolve, reject) => {
      const outer = this.#stop;
      let isLate = false;
      const stop: StopSignal = {
        get isStopped(): boolean {
          return isLate || outer.isStopped;
        },
      };
      const stopTimer = this.#parts.runtime.sched.after(this.#args.waitMs, () => {
        isLate = true;
        resolve({ kind: 'late' });
      });
      const work = this.#run(position, stop, () => isLate);
      work.then(resolve, reject).finally(stopTimer);
    });
  }

  async #run(position: number, stop: StopSignal, isLate: () => boolean): Promise<GroupAnswer | null> {
    const asked = this.#args.shards[position];
    assert(asked, `shard ${position} of ${this.#args.shards.length} is asked`);
    const { key, aliasFilter, shardIndex, reader, indexBoost } = asked;
    const { searches, shardOf } = this.#parts;
    try {
      const shard = shardOf(key);
      const { query } = this.#args;
      // Read once: all shards of the group are asked the same.
      this.#search ??= searches.readSearch(query.search);
      const filter = aliasFilter === null ? null : searches.readQuery(aliasFilter);
      const packed = { search: query.search, aliasFilter };
      const own = { packed, aliasFilter: filter, shardIndex, reader, indexBoost };
      const result = await shard.query({ ...query, search: this.#search, ...own }, stop);
      const body = packBody(QUERY_PHASE.writeResponse({ result, hits: null }));
      const { contextId } = result;
      const hasRoom = this.#bytes === 0 || this.#bytes + body.bytes.length <= this.#args.bytesMax;
      if (!hasRoom) this.#isFull = true;
      if (hasRoom && !isLate()) {
        this.#bytes += body.bytes.length;
        return { kind: 'answered', contextId, body };
      }
      if (contextId !== null && reader === null) shard.freeContext(contextId);
      return null;
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      return { kind: 'failed', error: toWireError(asShoalError(error)) };
    }
  }
}
