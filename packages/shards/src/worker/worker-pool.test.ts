import { createNodeRuntime, createSilentLog, type Runtime, type WorkerHandle } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { packBody } from '../calls/packed-body.ts';
import { type FromWorker, NO_SHARD, type ToWorker, type WorkerCalls } from '../calls/worker-calls.ts';
import { WorkerPool } from './worker-pool.ts';

/** The other side of a worker, played by the test. */
class Played {
  readonly name: string;
  readonly received: ToWorker[] = [];
  /** Memory that was handed over to it. */
  readonly moved: ArrayBuffer[] = [];
  #say: (messages: unknown) => void = () => {};
  #exit: (reason: string) => void = () => {};
  #wake: () => void = () => {};

  constructor(name: string) {
    this.name = name;
  }

  get handle(): WorkerHandle {
    return {
      post: (messages, moved = []) => {
        // Cloned between threads; memory that is handed over is copied here.
        this.moved.push(...(moved as readonly ArrayBuffer[]));
        this.received.push(...structuredClone(messages as readonly ToWorker[]));
        this.#wake();
      },
      onMessage: (handler) => {
        this.#say = handler;
      },
      onExit: (handler) => {
        this.#exit = handler;
      },
      terminate: async () => {},
    };
  }

  say(message: FromWorker): void {
    this.#say([message]);
  }

  end(): void {
    this.#exit('it was the test');
  }

  /** The first message of a kind, once it came. */
  async until<Kind extends ToWorker['kind']>(kind: Kind): Promise<Extract<ToWorker, { kind: Kind }>> {
    for (;;) {
      const at = this.received.findIndex((message) => message.kind === kind);
      if (at >= 0) return this.received.splice(at, 1)[0] as Extract<ToWorker, { kind: Kind }>;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function poolOf(workerCount: number): { readonly pool: WorkerPool; readonly played: Played[] } {
  const played: Played[] = [];
  const runtime: Runtime = {
    ...createNodeRuntime({ log: createSilentLog() }),
    workers: {
      isInline: false,
      spawn: (_, name) => {
        const worker = new Played(name);
        played.push(worker);
        return worker.handle;
      },
    },
  };
  const pool = new WorkerPool(runtime, {
    workerCount,
    memoryBytesMax: 2 ** 26,
    requestCacheBytesMax: 0,
    requestBytesMax: 2 ** 26,
    parent: { limitBytes: 2 ** 30, usesRealMemory: false },
    silentMsMax: -1,
    refreshesBeforeSearch: false,
    program: null,
    onShardFailed: () => {},
    onCopyOutput: () => {},
    onShardsLost: () => {},
  });
  return { pool, played };
}

// What is handed on is not looked into.
const ARGS = { key: NO_SHARD, shared: { parts: [], claims: new SharedArrayBuffer(8) } } as unknown;
const WANTED: FromWorker = {
  kind: 'guestsWanted',
  askId: 7,
  args: ARGS as WorkerCalls['searchAsGuest']['args'],
};
const FOUND = [{ parts: [2], total: 5, states: [{ arrays: [Float64Array.of(1, 2)], children: [] }] }];

describe('a long search of a thread', () => {
  test('has the threads as guests that nobody needed yet, and hears each of them', async () => {
    const { pool, played } = poolOf(3);
    await pool.pin('a');
    const [owner] = played as [Played];
    expect((await owner.until('begin')).hasOthers).toBe(true);
    owner.say(WANTED);
    expect(pool.runningThreads).toBe(3);
    const guests = played.slice(1);
    for (const [i, guest] of guests.entries()) {
      const call = await guest.until('call');
      expect(call).toMatchObject({ name: 'searchAsGuest', args: { key: NO_SHARD } });
      guest.say({ kind: 'result', id: call.id, value: FOUND });
      expect(await owner.until('guestAnswer')).toEqual({
        kind: 'guestAnswer',
        askId: 7,
        found: FOUND,
        isLast: i === 1,
      });
    }
    await pool.close();
  });

  test('has no guest where all threads have work, or there is no other', async () => {
    const none = { kind: 'guestAnswer', askId: 7, found: null, isLast: true };
    const { pool, played } = poolOf(2);
    await pool.pin('a');
    const busy = await pool.pin('b');
    busy.call('refresh', { key: 'b' }).catch(() => {});
    const [owner] = played as [Played];
    owner.say(WANTED);
    expect(await owner.until('guestAnswer')).toEqual(none);
    await pool.close();
    const alone = poolOf(1);
    await alone.pool.pin('a');
    const [only] = alone.played as [Played];
    expect((await only.until('begin')).hasOthers).toBe(false);
    only.say(WANTED);
    expect(await only.until('guestAnswer')).toEqual(none);
    await alone.pool.close();
  });

  test('hears of a guest that failed, and of one that ended', async () => {
    const { pool, played } = poolOf(2);
    await pool.pin('a');
    const [owner] = played as [Played];
    for (const isEnded of [false, true]) {
      owner.say(WANTED);
      const guest = played[1] as Played;
      const { id } = await guest.until('call');
      const error = { type: 'circuit_breaking_exception', reason: 'no room', status: 429 };
      if (isEnded) guest.end();
      else guest.say({ kind: 'error', id, error: error as never });
      expect(await owner.until('guestAnswer')).toMatchObject({ found: null, isLast: true });
    }
    await pool.close();
  });
});

test('what another copy asks is handed over to the thread, not copied', async () => {
  const { pool, played } = poolOf(1);
  const worker = await pool.pin('a');
  const [owner] = played as [Played];
  const call = packBody({ message: null, sections: [new Uint8Array(100_000)] });
  worker.copyRequest({ key: 'a', call, timeoutMs: 1_000 }).catch(() => {});
  expect(await owner.until('call')).toMatchObject({ name: 'copyRequest' });
  expect(owner.moved).toEqual([call.bytes.buffer]);
  await pool.close();
});
