import { createEvent } from '@shoal/agent-event';
import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { DeadLetterReader } from './dead-letter-reader.ts';
import { type DeadLetterOptions, DeadLetterWriter } from './dead-letter-writer.ts';

const OPTIONS: DeadLetterOptions = {
  directory: 'dlq/main',
  bytesMax: 2_000,
  flushIntervalMs: 60_000,
  storagePolicy: 'drop_newer',
  retainAgeMs: null,
};

const runtimeOf = (): Runtime => ({ ...createNodeRuntime({ log: createSilentLog() }), disk: createMemoryDisk() });
const entry = (n: number, entryTimeMs = n) => ({
  entryTimeMs,
  pluginType: 'elasticsearch',
  pluginId: 'out',
  reason: `no. ${n}`,
  event: createEvent(new Map([['message', 'x'.repeat(100)]]), new Map([['index', n]])),
});

describe('a dead letter queue', () => {
  test('is read as it was written, while it is written and after a restart', async () => {
    const runtime = runtimeOf();
    const writer = await DeadLetterWriter.open(runtime, OPTIONS);
    const reader = new DeadLetterReader(runtime.disk, OPTIONS.directory);
    expect(await reader.next(10)).toEqual([]);
    await writer.write(entry(1));
    await writer.write(entry(2));
    expect((await reader.next(1)).map((e) => e.reason)).toEqual(['no. 1']);
    await writer.close();
    const again = await DeadLetterWriter.open(runtime, OPTIONS);
    await again.write(entry(3));
    const rest = await new DeadLetterReader(runtime.disk, OPTIONS.directory, reader.position).next(10);
    expect(rest.map((e) => e.reason)).toEqual(['no. 2', 'no. 3']);
    expect(rest[0]?.event.metadata.get('index')).toBe(2);
    await again.close();
  });

  test('refuses new entries when it is full', async () => {
    const writer = await DeadLetterWriter.open(runtimeOf(), OPTIONS);
    const written: boolean[] = [];
    for (let n = 0; n < 20; n++) written.push(await writer.write(entry(n)));
    expect(written.indexOf(false)).toBeGreaterThan(3);
    expect(writer.stats().droppedCount).toBe(written.filter((ok) => !ok).length);
    expect(writer.stats().lastError).toContain('full');
    await writer.close();
  });

  test('gives up its oldest segment instead, if told so', async () => {
    const runtime = runtimeOf();
    const writer = await DeadLetterWriter.open(runtime, { ...OPTIONS, storagePolicy: 'drop_older' });
    for (let n = 0; n < 20; n++) expect(await writer.write(entry(n))).toBe(true);
    await writer.close();
    const left = await new DeadLetterReader(runtime.disk, OPTIONS.directory).next(100);
    expect(left.at(-1)?.reason).toBe('no. 19');
    expect(left.length).toBe(20 - writer.stats().droppedCount);
  });

  test('deletes segments that are older than their age', async () => {
    const runtime = runtimeOf();
    const first = await DeadLetterWriter.open(runtime, OPTIONS);
    await first.write(entry(1, 1_000));
    await first.close();
    const second = await DeadLetterWriter.open(runtime, { ...OPTIONS, retainAgeMs: 500 });
    await second.write(entry(2, 2_000));
    expect(second.stats().expiredCount).toBe(1);
    await second.close();
  });

  test('loses what its reader has consumed, and has room again', async () => {
    const runtime = runtimeOf();
    let writer = await DeadLetterWriter.open(runtime, OPTIONS);
    const reader = new DeadLetterReader(runtime.disk, OPTIONS.directory);
    const reasons: string[] = [];
    for (let n = 0; n < 40; n++) {
      expect(await writer.write(entry(n))).toBe(true);
      if (n % 4 !== 3) continue;
      // Close and open like a restart or a quiet interval: the segment is sealed and another one begins.
      await writer.close();
      writer = await DeadLetterWriter.open(runtime, OPTIONS);
      reasons.push(...(await reader.next(100)).map(({ reason }) => reason));
      await reader.removeConsumed();
      expect((await runtime.disk.list(OPTIONS.directory)).length).toBeLessThanOrEqual(1);
    }
    expect(reasons).toEqual(Array.from({ length: 40 }, (_, n) => `no. ${n}`));
    await writer.close();
  });

  test('is full no more when a reader deletes while it is written', async () => {
    const runtime = runtimeOf();
    const writer = await DeadLetterWriter.open(runtime, { ...OPTIONS, flushIntervalMs: 1 });
    const reader = new DeadLetterReader(runtime.disk, OPTIONS.directory);
    let n = 0;
    while (await writer.write(entry(n++)));
    while ((await runtime.disk.list(OPTIONS.directory)).some((name) => name.endsWith('.tmp'))) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const name of await runtime.disk.list(OPTIONS.directory))
      await runtime.disk.unlink(`${OPTIONS.directory}/${name}`);
    expect(await writer.write(entry(n))).toBe(true);
    expect((await reader.next(100)).map(({ reason }) => reason)).toEqual([`no. ${n}`]);
    expect(writer.stats().queueBytes).toBeLessThan(500);
    await writer.close();
  });

  test('cuts a damaged end and goes on', async () => {
    const runtime = runtimeOf();
    const writer = await DeadLetterWriter.open(runtime, OPTIONS);
    await writer.write(entry(1));
    await writer.write(entry(2));
    const file = await runtime.disk.open('dlq/main/1.log.tmp', 'update');
    await file.truncate((await file.sizeBytes()) - 3);
    const again = await DeadLetterWriter.open(runtime, OPTIONS);
    await again.write(entry(3));
    await again.close();
    const left = await new DeadLetterReader(runtime.disk, OPTIONS.directory).next(100);
    expect(left.map((e) => e.reason)).toEqual(['no. 1', 'no. 3']);
  });
});
