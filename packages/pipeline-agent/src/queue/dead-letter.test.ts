import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { createEvent } from '../event/event.ts';
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
