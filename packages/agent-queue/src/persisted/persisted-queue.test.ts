import { createEvent, type EventValue, type LogEvent, readChunk, readEvents, writeEvents } from '@shoal/agent-event';
import type { Runtime } from '@shoal/runtime';
import { createWorld, type SimulatedWorld } from '@shoal/simulation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueuedBatch } from '../queue/event-queue.ts';
import { PersistedQueue, type PersistedQueueOptions } from './persisted-queue.ts';

const OPTIONS: PersistedQueueOptions = {
  directory: 'queue/main',
  pageBytes: 4096,
  bytesMax: 1024 * 1024,
  eventsMax: 0,
  checkpointWrites: 1,
  checkpointAcks: 4,
  checkpointIntervalMs: 1_000,
  recordEventsMax: 5,
  compression: 'none',
};

const eventOf = (n: number): LogEvent => createEvent(new Map([['n', n]]));
const numbersOf = (batch: QueuedBatch): number[] =>
  batch.chunks.flatMap((chunk) => readEvents(chunk.bytes).map((event) => Number(event.fields.get('n'))));

async function takeAll(queue: PersistedQueue): Promise<number[]> {
  const all: number[] = [];
  for (let batch = await queue.take(7); batch !== null; batch = await queue.take(7)) all.push(...numbersOf(batch));
  return all;
}

const openOn = (runtime: Runtime, options: Partial<PersistedQueueOptions> = {}): Promise<PersistedQueue> =>
  PersistedQueue.open(runtime, { ...OPTIONS, ...options });

async function withWorld(seed: number, body: (world: SimulatedWorld) => Promise<void>): Promise<void> {
  try {
    await body(createWorld({ seed }));
  } catch (error) {
    throw new Error(`seed ${seed}`, { cause: error });
  }
}

describe('a persisted queue', () => {
  test('gives events back in their order, over pages', async () => {
    const world = createWorld({ seed: 1 });
    const queue = await world.settle(openOn(world.node('n').runtime));
    for (let n = 0; n < 300; n += 3) await world.settle(queue.push([eventOf(n), eventOf(n + 1), eventOf(n + 2)]));
    expect(await world.settle(takeAll(queue))).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  test('keeps chunks of another thread, those above a record in pieces, and takes none once it is closed', async () => {
    const world = createWorld({ seed: 2 });
    const { runtime } = world.node('n');
    const all = Array.from({ length: 17 }, (_, n) => eventOf(n));
    const chunks = [all.slice(0, 4), all.slice(4)].map((part) => ({ bytes: writeEvents(part), count: part.length }));
    const first = await world.settle(openOn(runtime));
    await world.settle(first.pushChunks(chunks));
    expect(first.sizes().acceptedCount).toBe(17);
    await world.settle(first.close());
    await expect(first.pushChunks(chunks)).rejects.toThrow('takes no more events');
    const queue = await world.settle(openOn(runtime));
    expect(await world.settle(takeAll(queue))).toEqual(all.map((_, n) => n));
  });

  test('keeps lines as it keeps events, packed or not', async () => {
    const world = createWorld({ seed: 3 });
    const { runtime } = world.node('n');
    const prototype = createEvent(new Map([['message', '']]));
    const lines = Array.from({ length: 23 }, (_, n) => `line ${n}`);
    const bytes = Buffer.from(`\n${lines.join('\n')}\n`);
    const first = await world.settle(openOn(runtime));
    expect(await world.settle(first.pushLines({ bytes, prototype }))).toBe(lines.length);
    await world.settle(first.close());
    const queue = await world.settle(openOn(runtime, { compression: 'size' }));
    expect(queue.carriedOverCount).toBe(lines.length);
    await world.settle(queue.pushLines({ bytes, prototype }));
    const messages: unknown[] = [];
    for (let batch = await world.settle(queue.take(7)); batch !== null; batch = await world.settle(queue.take(7))) {
      for (const chunk of batch.chunks) messages.push(...readChunk(chunk.bytes).map((e) => e.fields.get('message')));
      queue.acknowledge(batch);
    }
    expect(messages).toEqual([...lines, ...lines]);
  });

  test('keeps what was not acknowledged for the next process, and nothing else', async () => {
    const world = createWorld({ seed: 2 });
    const { runtime } = world.node('n');
    const queue = await world.settle(openOn(runtime));
    await world.settle(queue.push(Array.from({ length: 50 }, (_, n) => eventOf(n))));
    const first = await world.settle(queue.take(10));
    const second = await world.settle(queue.take(10));
    queue.acknowledge(second!);
    queue.acknowledge(first!);
    await world.settle(queue.close());
    const again = await world.settle(openOn(runtime));
    expect(again.carriedOverCount).toBe(30);
    expect(await world.settle(takeAll(again))).toEqual(Array.from({ length: 30 }, (_, n) => n + 20));
  });

  test('makes events smaller on disk, and reads what was written with another setting', async () => {
    const world = createWorld({ seed: 9 });
    const { runtime } = world.node('n');
    const long = (n: number): LogEvent =>
      createEvent(
        new Map<string, EventValue>([
          ['n', n],
          ['message', 'the same text again and again '.repeat(40)],
        ]),
      );
    const sizes: number[] = [];
    for (const [i, compression] of (['none', 'speed', 'balanced', 'size'] as const).entries()) {
      const queue = await world.settle(openOn(runtime, { compression, pageBytes: 1024 * 1024, recordEventsMax: 100 }));
      const before = queue.sizes().bytes;
      await world.settle(queue.push(Array.from({ length: 100 }, (_, n) => long(i * 100 + n))));
      sizes.push(queue.sizes().bytes - before);
      await world.settle(queue.close());
    }
    expect(Math.max(...sizes.slice(1))).toBeLessThan((sizes[0] ?? 0) / 10);
    const queue = await world.settle(openOn(runtime));
    expect(await world.settle(takeAll(queue))).toEqual(Array.from({ length: 400 }, (_, n) => n));
  });

  test.each([3, 7, 20])('never holds more unread events than it may: %i', async (eventsMax) => {
    const world = createWorld({ seed: 6 });
    const queue = await world.settle(openOn(world.node('n').runtime, { eventsMax, recordEventsMax: 5 }));
    const pushed = queue.push(Array.from({ length: 60 }, (_, n) => eventOf(n)));
    const seen: number[] = [];
    while (seen.length < 60) {
      await world.run(world.nowMs + 5_000);
      expect(queue.sizes().unreadCount).toBeLessThanOrEqual(eventsMax);
      expect(queue.sizes().unreadCount).toBeGreaterThan(0);
      const batch = (await world.settle(queue.take(4)))!;
      seen.push(...numbersOf(batch));
      queue.acknowledge(batch);
    }
    await world.settle(pushed);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });

  test('hands a batch out again when only a later one was acknowledged', async () => {
    const world = createWorld({ seed: 3 });
    const { runtime } = world.node('n');
    const queue = await world.settle(openOn(runtime));
    await world.settle(queue.push(Array.from({ length: 20 }, (_, n) => eventOf(n))));
    await world.settle(queue.take(10));
    queue.acknowledge((await world.settle(queue.take(10)))!);
    await world.settle(queue.close());
    expect(await world.settle(takeAll(await world.settle(openOn(runtime))))).toHaveLength(20);
  });

  test('makes pushes wait at its size, and goes on when pages are done with', async () => {
    const world = createWorld({ seed: 4 });
    const queue = await world.settle(openOn(world.node('n').runtime, { bytesMax: 8192 }));
    let pushed = 0;
    const pushing = (async (): Promise<void> => {
      for (let n = 0; n < 400; n++) {
        await queue.push([eventOf(n)]);
        pushed++;
      }
    })();
    await world.run(world.nowMs + 60_000);
    expect(pushed).toBeLessThan(400);
    expect(queue.sizes().bytes).toBeLessThanOrEqual(8192 + 20);
    const seen: number[] = [];
    const draining = (async (): Promise<void> => {
      while (seen.length < 400) {
        const batch = await queue.take(10);
        if (batch === null) await new Promise<void>((resolve) => queue.onReadable(resolve));
        else {
          seen.push(...numbersOf(batch));
          queue.acknowledge(batch);
        }
      }
    })();
    await world.settle(Promise.all([pushing, draining]));
    expect(seen).toEqual(Array.from({ length: 400 }, (_, n) => n));
  });

  test('makes pushes wait at its number of events', async () => {
    const world = createWorld({ seed: 7 });
    const queue = await world.settle(openOn(world.node('n').runtime, { eventsMax: 20 }));
    let pushed = 0;
    const pushing = (async (): Promise<void> => {
      for (; pushed < 100; pushed++) await queue.push([eventOf(pushed)]);
    })();
    await world.run(world.nowMs + 10_000);
    expect(pushed).toBe(20);
    const batch = await world.settle(queue.take(5));
    await world.run(world.nowMs + 10_000);
    expect(pushed).toBe(25);
    queue.acknowledge(batch!);
    const rest: number[] = [];
    while (pushed < 100) {
      rest.push(...(await world.settle(takeAll(queue))));
      await world.run(world.nowMs + 100);
    }
    await world.settle(pushing);
    expect([...rest, ...(await world.settle(takeAll(queue)))]).toEqual(Array.from({ length: 95 }, (_, n) => n + 5));
  });

  test('is durable after its number of writes, or of milliseconds', async () => {
    const kept = async (seed: number, options: Partial<PersistedQueueOptions>, waitMs: number): Promise<number> => {
      const world = createWorld({ seed });
      const node = world.node('n');
      const queue = await world.settle(openOn(node.runtime, { pageBytes: 1024 * 1024, ...options }));
      for (let n = 0; n < 50; n++) await world.settle(queue.push([eventOf(n)]));
      await world.run(world.nowMs + waitMs);
      node.crash();
      node.restart();
      return (await world.settle(takeAll(await world.settle(openOn(node.runtime))))).length;
    };
    /** Disk after several sorts of power failure: what the worst of them kept. */
    const worst = async (options: Partial<PersistedQueueOptions>, waitMs: number): Promise<number> => {
      const counts: number[] = [];
      for (let seed = 0; seed < 8; seed++) counts.push(await kept(seed, options, waitMs));
      return Math.min(...counts);
    };
    expect(await worst({ checkpointWrites: 20, checkpointIntervalMs: 60_000 }, 0)).toBeGreaterThanOrEqual(40);
    expect(await worst({ checkpointWrites: 1_000, checkpointIntervalMs: 500 }, 2_000)).toBe(50);
    expect(await worst({ checkpointWrites: 1_000, checkpointIntervalMs: 60_000 }, 0)).toBeLessThan(40);
  });

  test('waits for space on a full disk and loses nothing', async () => {
    const world = createWorld({ seed: 5 });
    const node = world.node('n');
    const queue = await world.settle(openOn(node.runtime));
    node.setDiskFaults({ capacityBytes: 10 });
    let isDone = false;
    const pushed = queue.push([eventOf(1), eventOf(2)]).then(() => {
      isDone = true;
    });
    await world.run(world.nowMs + 5_000);
    expect(isDone).toBe(false);
    node.setDiskFaults({ capacityBytes: 1e9 });
    await world.settle(pushed);
    expect(await world.settle(takeAll(queue))).toEqual([1, 2]);
  });

  test('refuses pushes after a failed sync: what is on disk is not known', async () => {
    const world = createWorld({ seed: 6 });
    const node = world.node('n');
    const queue = await world.settle(openOn(node.runtime));
    node.setDiskFaults({ syncErrors: 1 });
    await expect(world.settle(queue.push([eventOf(1)]))).rejects.toThrow('can no longer be written');
    await expect(world.settle(queue.push([eventOf(2)]))).rejects.toThrow('can no longer be written');
  });

  test('starts on a folder whose files are damaged in any way', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const world = createWorld({ seed: at });
        const { runtime } = world.node('n');
        const queue = await world.settle(openOn(runtime));
        await world.settle(queue.push(Array.from({ length: 60 }, (_, n) => eventOf(n))));
        queue.acknowledge((await world.settle(queue.take(5)))!);
        await world.settle(queue.close());
        for (const name of await world.settle(runtime.disk.list('queue/main'))) {
          const file = await world.settle(runtime.disk.open(`queue/main/${name}`, 'update'));
          const size = await world.settle(file.sizeBytes());
          await world.settle(file.write(new Uint8Array([byte]), at % size));
        }
        const again = await world.settle(openOn(runtime));
        const seen = await world.settle(takeAll(again));
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
        await world.settle(again.push([eventOf(999)]));
        expect(await world.settle(takeAll(again))).toEqual([999]);
      }),
      { numRuns: 60 },
    );
  });
});

const CRASH_SEEDS = 2_000;

describe('after a machine failed at any point, a persisted queue', () => {
  test(`has every acknowledged push that was not finished, over ${CRASH_SEEDS} seeds`, {
    timeout: 300_000,
  }, async () => {
    for (let seed = 0; seed < CRASH_SEEDS; seed++) await withWorld(seed, crashAndCheck);
  });
});

/** Two crashes in one life: pushes and acknowledgements run until the machine fails somewhere in between. */
async function crashAndCheck(world: SimulatedWorld): Promise<void> {
  const node = world.node('n');
  const pushed = new Set<number>();
  const finished = new Set<number>();
  let next = 0;
  for (let life = 0; life < 2; life++) {
    const { runtime } = node;
    const random = world.random.fork(`life/${life}`);
    const live = async (): Promise<void> => {
      const queue = await openOn(runtime, { pageBytes: 512, checkpointAcks: 1 + random.below(8) });
      for (let step = 0; step < 200; step++) {
        if (random.below(2) === 0) {
          const numbers = Array.from({ length: 1 + random.below(9) }, () => next++);
          await queue.push(numbers.map(eventOf));
          for (const n of numbers) pushed.add(n);
        } else {
          const batch = await queue.take(6);
          if (batch !== null && random.below(4) > 0) {
            for (const n of numbersOf(batch)) finished.add(n);
            queue.acknowledge(batch);
          }
        }
      }
    };
    // A crash leaves this promise unsettled: nobody is left to hear of it.
    live().catch((error: unknown) => {
      throw error;
    });
    // Most failures early, when less is on disk and a world costs less; some late, over many pages.
    await world.run(world.nowMs + random.below(random.below(4) === 0 ? 150 : 40));
    node.crash();
    node.restart();
  }
  const queue = await world.settle(openOn(node.runtime, { pageBytes: 512 }));
  const found = new Set(await world.settle(takeAll(queue)));
  const lost = [...pushed].filter((n) => !found.has(n) && !finished.has(n));
  expect(lost).toEqual([]);
  // New events are not taken for finished ones.
  await world.settle(queue.push([eventOf(-1)]));
  expect(await world.settle(takeAll(queue))).toEqual([-1]);
}
