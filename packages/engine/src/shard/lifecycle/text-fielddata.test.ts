import { createMemoryDisk } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory, type ThreadMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, shardOptions } from './shard-fixture.test-support.ts';

const NEVER = { isStopped: false };

interface Opened {
  readonly shard: Shard;
  readonly memory: ThreadMemory;
}

/** A segment a list of documents; `words` is a text with fielddata, `list` the same words as keywords. */
async function shardOf(segments: readonly (readonly string[])[], filter: unknown = undefined): Promise<Opened> {
  const memory = createSegmentMemory({ bytesMax: 64 * 1024 * 1024 });
  const frequency = filter === undefined ? {} : { fielddata_frequency_filter: filter };
  const mapping = {
    properties: {
      words: { type: 'text', analyzer: 'whitespace', fielddata: true, ...frequency },
      list: { type: 'keyword' },
      plain: { type: 'text' },
    },
  };
  const shard = await openShard(createTestRuntime(createMemoryDisk()), shardOptions({ mapping }), memory);
  let id = 0;
  for (const texts of segments) {
    await shard.write(texts.map((words) => index(`${id++}`, words === '' ? {} : { words, list: words.split(' ') })));
    await shard.refresh();
  }
  return { shard, memory };
}

async function buckets(shard: Shard, field: string): Promise<string> {
  const aggs = { t: { terms: { field, size: 100 } }, n: { cardinality: { field } }, c: { value_count: { field } } };
  const found = await shard.query(shardRequest({ size: 0, aggs }, { topN: 0 }), NEVER);
  return Buffer.from(found.aggregations ?? []).toString('hex');
}

async function order(shard: Shard, sort: unknown): Promise<readonly number[]> {
  const found = await shard.query(shardRequest({ sort: [sort] }, { topN: 50 }), NEVER);
  return [...found.ords];
}

const word = fc.constantFrom('a', 'b', 'c', 'd', 'ä', '𝒳');
const text = fc.uniqueArray(word, { maxLength: 4 }).map((words) => words.join(' '));
const someSegments = fc.array(fc.array(text, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });

describe('a text with fielddata', () => {
  test('counts and sorts as a keyword with the same values', async () => {
    await fc.assert(
      fc.asyncProperty(someSegments, fc.constantFrom('asc', 'desc'), async (segments, direction) => {
        const { shard } = await shardOf(segments);
        expect(await buckets(shard, 'words')).toBe(await buckets(shard, 'list'));
        expect(await order(shard, { words: direction })).toEqual(await order(shard, { list: direction }));
        await shard.close();
      }),
      { numRuns: 30 },
    );
  });

  test('is counted as memory of its field, cleared by field, and made again', async () => {
    const { shard, memory } = await shardOf([['a b', 'b'], ['c']]);
    expect(shard.fielddata().size).toBe(0);
    const before = await order(shard, { words: 'desc' });
    expect([...shard.fielddata().keys()]).toEqual(['words']);
    expect(shard.stats().fielddataBytes).toBe(memory.fielddata.usedBytes);
    expect(memory.fielddata.usedBytes).toBeGreaterThan(0);
    shard.clearCaches({ query: false, fielddata: true, request: false, fields: ['list'] });
    expect(memory.fielddata.usedBytes).toBeGreaterThan(0);
    shard.clearCaches({ query: false, fielddata: true, request: false, fields: ['words'] });
    expect(memory.fielddata.usedBytes).toBe(0);
    expect(await order(shard, { words: 'desc' })).toEqual(before);
    await shard.close();
    expect(memory.fielddata.usedBytes).toBe(0);
  });

  test('leaves out terms that the frequency filter does not take', async () => {
    const { shard } = await shardOf([['a b c', 'a b', 'a']], { min: 2, max: 0.7 });
    const onlyB = await shardOf([['b', 'b', '']]);
    expect(await buckets(shard, 'words')).toBe(await buckets(onlyB.shard, 'list'));
    await shard.close();
    await onlyB.shard.close();
  });

  test('takes all terms of segments that the frequency filter finds too small', async () => {
    const { shard } = await shardOf([['a b c', 'a b', 'a']], { min: 2, max: 0.7, min_segment_size: 4 });
    expect(await buckets(shard, 'words')).toBe(await buckets(shard, 'list'));
    await shard.close();
  });
});

test('a text without fielddata is refused by name', async () => {
  const { shard } = await shardOf([['a']]);
  const refused = /set fielddata=true on \[plain\]/;
  await expect(order(shard, { plain: 'asc' })).rejects.toThrow(refused);
  await expect(buckets(shard, 'plain')).rejects.toThrow(refused);
  await shard.close();
});
