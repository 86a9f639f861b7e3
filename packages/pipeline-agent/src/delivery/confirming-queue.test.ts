import { createEvent, type LogEvent } from '@shoal/agent-event';
import { MemoryQueue, type QueuedBatch } from '@shoal/agent-queue';
import { describe, expect, test } from 'vitest';
import { ConfirmingQueue } from './confirming-queue.ts';

const events = (count: number): LogEvent[] => Array.from({ length: count }, () => createEvent());
const queueOf = (capacity: number) =>
  new ConfirmingQueue(new MemoryQueue({ bytesMax: 1024 * 1024, capacity, batchSize: 2 }));

async function taken(queue: ConfirmingQueue): Promise<QueuedBatch> {
  return (await queue.take(2)) ?? expect.unreachable();
}

/** Whether it has resolved by now. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise.then(() => true), Promise.resolve(pending).then((it) => it)])) !== pending;
}

describe('events are confirmed', () => {
  test('when all batches up to them are acknowledged, in whichever order', async () => {
    const queue = queueOf(10);
    await queue.push(events(3));
    const first = queue.confirmed();
    await queue.push(events(1));
    const second = queue.confirmed();
    const batches = [await taken(queue), await taken(queue)];
    queue.acknowledge(batches[1]!);
    expect(await isSettled(first)).toBe(false);
    queue.acknowledge(batches[0]!);
    await Promise.all([first, second, queue.confirmed()]);
  });
  test('not by those that come later', async () => {
    const queue = queueOf(10);
    await queue.push(events(2));
    const first = queue.confirmed();
    await queue.push(events(2));
    queue.acknowledge(await taken(queue));
    await first;
    expect(await isSettled(queue.confirmed())).toBe(false);
  });
  test('at once when there are none', async () => {
    await queueOf(1).confirmed();
  });
});

test('who waits is told when nobody waits for the outputs any more', async () => {
  const queue = queueOf(10);
  await queue.push(events(1));
  const waiting = queue.confirmed();
  queue.giveUpConfirming();
  await expect(waiting).rejects.toThrow('stops before its outputs have everything');
  await expect(queue.confirmed()).rejects.toThrow('stops before');
});
