import type { Disk, File } from '@shoal/runtime';
import type { QueryShardRequest } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { PLAIN_MEMORY } from '../../memory/segment-memory.ts';
import { SEGMENT_PAGING } from '../../memory/segment-paging.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { CrashDisk } from '../lifecycle/crash-disk.test-support.ts';
import { openShard } from '../lifecycle/open-shard.ts';
import { createTestRuntime, index, LIB_MAPPING, shardOptions, shown } from '../lifecycle/shard-fixture.test-support.ts';

const DOCS = 4_000;
const BITS_TRIED = 60;
/** Every section is read by the page, however short it is. */
const RANGES = { ...SEGMENT_PAGING, wholeBytesMax: 0 };

async function filledDisk(): Promise<CrashDisk> {
  const disk = new CrashDisk();
  const shard = await openShard(createTestRuntime(disk), shardOptions());
  const operations = Array.from({ length: DOCS }, (_, i) =>
    index(`id-${i}`, { title: `a${i % 3} b${i % 500} c${i}`, tag: `t${i % 40}`, n: (i * 7919) % 10_007 }),
  );
  await shard.write(operations);
  await shard.close();
  return disk;
}

const reopened = { bootstrap: 'existing', allocationId: 'alloc-2', mapping: LIB_MAPPING } as const;

/** How many bytes of files of segments were read. */
function counting(disk: Disk): { readonly disk: Disk; readonly bytes: () => number } {
  let sum = 0;
  const open: Disk['open'] = async (path, mode) => {
    const file = await disk.open(path, mode);
    if (!path.endsWith('.seg')) return file;
    const counted: File = {
      write: (bytes, offset) => file.write(bytes, offset),
      read: (offset, count) => file.read(offset, count),
      readIntoSync: (target, offset) => {
        sum += target.length;
        return file.readIntoSync(target, offset);
      },
      writeSync: (bytes, offset) => file.writeSync(bytes, offset),
      sync: () => file.sync(),
      truncate: (sizeBytes) => file.truncate(sizeBytes),
      sizeBytes: () => file.sizeBytes(),
      close: () => file.close(),
    };
    return counted;
  };
  const proxy = new Proxy(disk, {
    get: (target, name) => {
      if (name === 'open') return open;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { disk: proxy, bytes: () => sum };
}

function request(body: unknown): QueryShardRequest {
  return shardRequest(body, { keepAliveMs: 60_000 });
}

/** Touches every part of every field. */
async function readAll(shard: Shard): Promise<string> {
  const stop = { isStopped: false };
  const found: unknown[] = [];
  for (const query of [
    { match: { title: 'a1 b7' } },
    { match_phrase: { title: 'a1 b7' } },
    { prefix: { title: 'b1' } },
    { term: { tag: 't7' } },
    { range: { n: { gte: 100, lt: 900 } } },
    { exists: { field: 'n' } },
    { ids: { values: ['id-7'] } },
  ]) {
    for (const sort of [
      ['_score', '_doc'],
      [{ n: 'asc' }, '_doc'],
      [{ tag: 'asc' }, '_doc'],
    ]) {
      const result = await shard.query(
        request({ query, sort, track_total_hits: true, seq_no_primary_term: true }),
        stop,
      );
      const { contextId, ords } = result;
      const hits =
        contextId === null ? [] : await shard.fetch({ contextId, ords, consumed: null, request: null }, stop);
      found.push(
        result.total,
        hits.map(({ id, source }) => [id, source && new TextDecoder().decode(source)]),
      );
    }
  }
  for (let i = 0; i < DOCS; i += 97) found.push(shard.get({ id: `id-${i}`, realtime: true })?.version);
  return JSON.stringify(found);
}

describe('a segment that is opened', () => {
  test('reads little of its file, and its documents are found', async () => {
    const disk = await filledDisk();
    const path = disk.paths().find((name) => name.endsWith('.seg')) ?? '';
    const size = (await disk.readFile(path)).length;
    const counted = counting(disk);
    const shard = await openShard(createTestRuntime(counted.disk), shardOptions(reopened), PLAIN_MEMORY);
    expect(size).toBeGreaterThan(200_000);
    expect(counted.bytes()).toBeLessThan(8_000);
    const { total } = await shard.query(request({ query: { term: { tag: 't7' } }, track_total_hits: true }), {
      isStopped: false,
    });
    expect(total).toEqual({ value: DOCS / 40, relation: 'eq' });
    expect(counted.bytes()).toBeLessThan(size / 4);
    await shard.close();
  });

  test.each([
    ['with kernels', () => createSegmentMemory({ bytesMax: 2 ** 30 })],
    ['without', () => createSegmentMemory({ bytesMax: 2 ** 30, hasKernels: false })],
    ['with kernels, by ranges', () => createSegmentMemory({ bytesMax: 2 ** 30, paging: RANGES })],
    ['without, by ranges', () => createSegmentMemory({ bytesMax: 2 ** 30, hasKernels: false, paging: RANGES })],
  ])('is never believed where a bit is flipped, %s', async (_, memory) => {
    const disk = await filledDisk();
    const path = disk.paths().find((name) => name.endsWith('.seg')) ?? '';
    const bits = (await disk.readFile(path)).length * 8;
    const whole = await openShard(createTestRuntime(disk.crash(() => 0)), shardOptions(reopened), memory());
    const expected = await readAll(whole);
    await whole.close();
    let foundByCheck = 0;
    for (let i = 0; i < BITS_TRIED; i++) {
      const copy = disk.crash(() => 0);
      copy.damage(path, Math.floor((bits * (i + Math.sin(i) ** 2)) / (BITS_TRIED + 1)));
      const runtime = createTestRuntime(copy);
      try {
        const shard = await openShard(runtime, shardOptions(reopened), memory());
        // What is in sections that nobody asks for is right as it is; the check in the background finds the damage too.
        expect(await readAll(shard)).toBe(expected);
        await runtime.advance(10_000);
        for (let at = 0; at < 20; at++) await runtime.advance(20);
        const [refused] = [(await shard.write([index('new', { n: 1 })])).results.at(0)];
        throw new Error(`the shard takes writes: ${shown(refused)}`);
      } catch (error) {
        expect(error).toMatchObject({ type: 'corrupt_index_exception', status: 500 });
        foundByCheck++;
      }
    }
    expect(foundByCheck).toBe(BITS_TRIED);
  });
});
