/**
 * Persisted queues on disks that are full, and over pages that changed on their disk.
 */
import { createEvent, type LogEvent, readEvents } from '@shoal/agent-event';
import { createRecordingLog, type Runtime } from '@shoal/runtime';
import { createWorld } from '@shoal/simulation';
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
const eventsOf = (from: number, to: number): LogEvent[] =>
  Array.from({ length: to - from }, (_, i) => eventOf(from + i));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const numbersOf = (batch: QueuedBatch): number[] =>
  batch.chunks.flatMap((chunk) => readEvents(chunk.bytes).map((event) => Number(event.fields.get('n'))));

async function takeAll(queue: PersistedQueue): Promise<number[]> {
  const all: number[] = [];
  for (let batch = await queue.take(7); batch !== null; batch = await queue.take(7)) {
    all.push(...numbersOf(batch));
    queue.acknowledge(batch);
  }
  return all;
}

/** A world with one machine, its runtime with a log that is kept, and a queue opened on it. */
function machine(options: Partial<PersistedQueueOptions> = {}) {
  const world = createWorld({ seed: 1 });
  const node = world.node('n');
  const log = createRecordingLog();
  const runtime: Runtime = { ...node.runtime, log };
  const open = (): Promise<PersistedQueue> => world.settle(PersistedQueue.open(runtime, { ...OPTIONS, ...options }));
  const logged = (text: string): readonly unknown[] =>
    log.lines.filter(({ message }) => message.includes(text)).map(({ fields }) => fields);
  const change = async (name: string, edit: (bytes: Uint8Array) => void): Promise<void> => {
    const path = `queue/main/${name}`;
    const bytes = (await world.settle(runtime.disk.readFile(path))).slice();
    edit(bytes);
    const file = await world.settle(runtime.disk.open(path, 'update'));
    await world.settle(file.write(bytes, 0));
    await world.settle(file.close());
  };
  const names = (): Promise<readonly string[]> => world.settle(runtime.disk.list('queue/main'));
  return { world, node, runtime, open, logged, change, names };
}

describe('a full disk', () => {
  test.each([0, 1, 30, 200, 1_000, 4_000])('is waited for as long as it is full, with %i bytes left', async (left) => {
    const { world, node, open, logged } = machine({ pageBytes: 1_000 });
    const queue = await open();
    await world.settle(queue.push(eventsOf(0, 20)));
    const used = queue.sizes().bytes;
    node.setDiskFaults({ capacityBytes: used + left });
    let isDone = false;
    const pushed = queue.push(eventsOf(20, 400)).then(() => {
      isDone = true;
    });
    // Acknowledging what is there writes checkpoints too, and frees pages.
    const seen = [...numbersOf((await world.settle(queue.take(5)))!)];
    await world.run(world.nowMs + 60_000);
    expect(isDone).toBe(false);
    expect(queue.sizes().trouble).toContain('full');
    expect(logged('waits for space')).toHaveLength(1);
    node.setDiskFaults({ capacityBytes: Number.MAX_SAFE_INTEGER });
    await world.settle(pushed);
    expect(queue.sizes().trouble).toBe(null);
    seen.push(...(await world.settle(takeAll(queue))));
    expect(seen).toEqual(range(0, 400));
  });

  test('lets a queue start, which gives out what it has and goes on when there is room', async () => {
    const { world, node, open } = machine();
    const before = await open();
    await world.settle(before.push(eventsOf(0, 20)));
    await world.settle(before.close());
    node.setDiskFaults({ capacityBytes: 0 });
    const queue = await open();
    expect(queue.carriedOverCount).toBe(20);
    const refused = expect(queue.push(eventsOf(20, 25))).rejects.toThrow('takes no more');
    expect(await world.settle(takeAll(queue))).toEqual(range(0, 20));
    await world.run(world.nowMs + 10_000);
    await world.settle(queue.close());
    await refused;
    node.setDiskFaults({ capacityBytes: Number.MAX_SAFE_INTEGER });
    const again = await open();
    await world.settle(again.push(eventsOf(20, 25)));
    expect((await world.settle(takeAll(again))).slice(-5)).toEqual(range(20, 25));
  });
});

describe('damage of a page', () => {
  test('costs the events of the records that it hit, and is copied aside', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(3_000), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        const { world, open, logged, change, names } = machine({ pageBytes: 1_200 });
        const before = await open();
        await world.settle(before.push(eventsOf(0, 100)));
        await world.settle(before.close());
        const pages = (await names()).filter((name) => name.startsWith('page.'));
        const page = pages[at % pages.length]!;
        let isForeign = false;
        await change(page, (bytes) => {
          const position = at % bytes.byteLength;
          bytes[position] = (bytes[position] ?? 0) ^ (1 << bit);
          isForeign = position === 4;
        });
        if (isForeign) {
          await expect(open()).rejects.toThrow('another version');
          expect(await names()).toEqual(expect.arrayContaining(pages));
          return;
        }
        const queue = await open();
        const { lostCount } = queue.sizes();
        const seen = await world.settle(takeAll(queue));
        expect(seen.length).toBeGreaterThanOrEqual(95);
        expect(seen.length + lostCount).toBe(100);
        expect(seen).toEqual([...seen].sort((a, b) => a - b));
        const reports = logged('damage in a queue page');
        const lost = lostCount === 0 ? [] : [{ lostEvents: lostCount }];
        expect(logged('events of the queue are lost')).toMatchObject(lost);
        if (lostCount > 0) expect(reports).toHaveLength(1);
        if (reports.length > 0) expect((await names()).some((name) => name.includes('.damaged.'))).toBe(true);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test('that comes while the queue is open costs no more, and every event is accounted for', async () => {
    const { world, open, change, logged } = machine();
    const queue = await open();
    await world.settle(queue.push(eventsOf(0, 50)));
    await change('page.1', (bytes) => {
      bytes[200] = (bytes[200] ?? 0) ^ 1;
    });
    const seen = await world.settle(takeAll(queue));
    expect(seen).toHaveLength(45);
    expect(queue.sizes()).toMatchObject({ unreadCount: 0, lostCount: 5, lostUnreadCount: 5 });
    expect(logged('can no longer be read')).toMatchObject([{ lostEvents: 5 }]);
  });

  test('in the form of another version is refused, and nothing is deleted', async () => {
    const { world, open, change, names } = machine({ pageBytes: 1_200 });
    const before = await open();
    await world.settle(before.push(eventsOf(0, 100)));
    await world.settle(before.close());
    const there = await names();
    await change('page.2', (bytes) => {
      bytes[4] = 2;
    });
    await expect(open()).rejects.toThrow('page.2 has another version of the format');
    expect(await names()).toEqual(there);
  });
});
