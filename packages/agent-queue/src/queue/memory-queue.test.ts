import { createEvent, type EventValue, type LogEvent, readChunk, readEvents, writeEvents } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import type { QueuedBatch } from './event-queue.ts';
import { MemoryQueue } from './memory-queue.ts';

const events = (from: number, count: number): LogEvent[] =>
  Array.from({ length: count }, (_, i) => createEvent(new Map([['n', from + i]])));

const numbersOf = (batch: QueuedBatch): unknown[] =>
  batch.chunks.flatMap((c) => readChunk(c.bytes).map((event) => event.fields.get('n') ?? event.fields.get('message')));

const ROOMY = { bytesMax: 1024 * 1024 };

describe('a queue in memory', () => {
  test('gives lines and events in the order in which they came, in full batches of events', async () => {
    const queue = new MemoryQueue({ ...ROOMY, capacity: 8, batchSize: 4 });
    const bytes = Buffer.from('a\n\nb\nc\nd\ne\n');
    const prototype = createEvent(new Map([['message', '']]));
    const pushes = [queue.push(events(0, 3)), queue.pushLines({ bytes, prototype }), queue.push(events(3, 6))];
    const seen: unknown[][] = [];
    for (let batch = await queue.take(4); batch !== null; batch = await queue.take(4)) {
      seen.push(numbersOf(batch));
      expect(batch.count).toBe(seen[seen.length - 1]?.length);
    }
    expect(seen.flat()).toEqual([0, 1, 2, 'a', 'b', 'c', 'd', 'e', 3, 4, 5, 6, 7, 8]);
    expect(seen.every((batch) => batch.length <= 4)).toBe(true);
    expect(await Promise.all(pushes)).toEqual([undefined, 5, undefined]);
    expect(queue.sizes()).toMatchObject({ unreadCount: 0, acceptedCount: 14 });
    expect(await queue.pushLines({ bytes: Buffer.from('\n\n'), prototype })).toBe(0);
  });

  test('takes chunks of another thread as they are, those above a batch in pieces, each when there is room for an event', async () => {
    const queue = new MemoryQueue({ ...ROOMY, capacity: 4, batchSize: 3 });
    const whole = { bytes: writeEvents(events(0, 2)), count: 2 };
    const large = { bytes: writeEvents(events(2, 7)), count: 7 };
    let isDone = false;
    const pushed = queue.pushChunks([whole, large]).then(() => {
      isDone = true;
    });
    // The first chunk fills no batch: who takes batches would wait for more while the next chunk waited for room.
    expect(queue.sizes().unreadCount).toBe(5);
    const seen: unknown[] = [];
    for (let batch = await queue.take(3); batch !== null; batch = await queue.take(3)) {
      expect(batch.count).toBeLessThanOrEqual(3);
      if (seen.length === 0) expect([batch.chunks[0]?.bytes === whole.bytes, isDone]).toEqual([true, false]);
      seen.push(...numbersOf(batch));
      queue.acknowledge(batch);
    }
    await pushed;
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(queue.sizes()).toMatchObject({ unreadCount: 0, acceptedCount: 9, bytes: 0 });
  });

  test('takes no chunk beyond its memory but the first, and none when it is closed', async () => {
    const chunk = { bytes: writeEvents(events(0, 3)), count: 3 };
    const queue = new MemoryQueue({ bytesMax: chunk.bytes.byteLength - 1, capacity: 100, batchSize: 10 });
    const pushed = queue.pushChunks([chunk, chunk]);
    expect(queue.sizes().unreadCount).toBe(3);
    const batch = await queue.take(10);
    expect([batch?.count, queue.sizes().unreadCount]).toEqual([3, 0]);
    if (batch !== null) queue.acknowledge(batch);
    await pushed;
    expect(queue.sizes().unreadCount).toBe(3);
    queue.refusePushes();
    await expect(queue.pushChunks([chunk])).rejects.toThrow('takes no more events');
  });

  test('takes a push in parts as there is room, in order', async () => {
    const queue = new MemoryQueue({ ...ROOMY, capacity: 4, batchSize: 3 });
    let isDone = false;
    const pushed = queue.push(events(0, 10)).then(() => {
      isDone = true;
    });
    const seen: unknown[] = [];
    for (let batch = await queue.take(3); batch !== null; batch = await queue.take(3)) {
      seen.push(...batch.chunks.flatMap((c) => readEvents(c.bytes).map((event) => event.fields.get('n'))));
      if (seen.length <= 3) expect(isDone).toBe(false);
    }
    await pushed;
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('lets go of those who wait when it closes', async () => {
    const queue = new MemoryQueue({ ...ROOMY, capacity: 1, batchSize: 5 });
    await queue.push(events(0, 1));
    const waiting = queue.push(events(1, 1));
    queue.refusePushes();
    await expect(waiting).rejects.toThrow('takes no more events');
    expect((await queue.take(5))?.count).toBe(1);
  });

  test('hands everything to the queue after it, also what waits for room, and nothing is counted twice', async () => {
    const queue = new MemoryQueue({ ...ROOMY, capacity: 4, batchSize: 3 });
    const pushes = [queue.push(events(0, 3)), queue.push(events(3, 6))];
    const inFlight = (await queue.take(2))!;
    queue.lift();
    pushes.push(queue.push(events(9, 2)));
    await Promise.all(pushes);
    const leftovers = [...inFlight.chunks, ...queue.takeAll()];
    expect(queue.sizes()).toMatchObject({ unreadCount: 0, acceptedCount: 11 });
    const next = new MemoryQueue({ ...ROOMY, capacity: 2, batchSize: 3, leftovers });
    expect([next.carriedOverCount, next.sizes().acceptedCount, next.sizes().unreadCount]).toEqual([11, 0, 11]);
    const seen: unknown[] = [];
    for (let batch = await next.take(3); batch !== null; batch = await next.take(3)) seen.push(...numbersOf(batch));
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('holds no more bytes than it may, here and with the workers, but always one event', async () => {
    const long = 'x'.repeat(10_000);
    const large = (n: number): LogEvent =>
      createEvent(
        new Map<string, EventValue>([
          ['n', n],
          ['m', [long, long]],
        ]),
      );
    const queue = new MemoryQueue({ capacity: 1_000, batchSize: 100, bytesMax: 50_000 });
    const pushed = queue.push(Array.from({ length: 9 }, (_, n) => large(n)));
    const seen: unknown[] = [];
    while (seen.length < 9) {
      const batch = (await queue.take(100))!;
      expect(batch.count).toBeLessThanOrEqual(2);
      expect(await queue.take(100)).toBe(null);
      expect(queue.sizes().bytes).toBeLessThanOrEqual(50_000);
      seen.push(...numbersOf(batch));
      queue.acknowledge(batch);
    }
    await pushed;
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(queue.sizes().bytes).toBe(0);
    const tiny = new MemoryQueue({ capacity: 1_000, batchSize: 100, bytesMax: 1 });
    const two = tiny.push([large(0), large(1)]);
    const first = (await tiny.take(100))!;
    expect([first.count, tiny.sizes().unreadCount]).toEqual([1, 0]);
    tiny.acknowledge(first);
    expect((await tiny.take(100))?.count).toBe(1);
    await two;
  });
});
