import { describe, expect, test } from 'vitest';
import { createEvent } from '../event/event.ts';
import { readEvents } from '../event/event-bytes.ts';
import type { LogEvent } from '../event/log-event.ts';
import { MemoryQueue } from './memory-queue.ts';

const events = (from: number, count: number): LogEvent[] =>
  Array.from({ length: count }, (_, i) => createEvent(new Map([['n', from + i]])));

describe('a queue in memory', () => {
  test('takes a push in parts as there is room, in order', async () => {
    const queue = new MemoryQueue(4);
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
    const queue = new MemoryQueue(1);
    await queue.push(events(0, 1));
    const waiting = queue.push(events(1, 1));
    queue.refusePushes();
    await expect(waiting).rejects.toThrow('takes no more events');
    expect((await queue.take(5))?.count).toBe(1);
  });
});
