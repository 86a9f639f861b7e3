import { createMemoryDisk, type Disk } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, remove, shardOptions, shown, sourceOf } from './shard-fixture.test-support.ts';

const mapping = {
  properties: {
    tag: { type: 'keyword' },
    items: {
      type: 'nested',
      properties: {
        color: { type: 'keyword' },
        count: { type: 'long' },
        parts: { type: 'nested', properties: { count: { type: 'long' } } },
      },
    },
  },
};

interface Item {
  readonly color?: string;
  readonly count: number;
  readonly parts?: readonly { readonly count: number }[];
}

interface Source {
  readonly tag: string;
  readonly items: readonly Item[];
}

const COLORS = ['red', 'green', 'blue'];
const few = fc.nat(3);
const item: fc.Arbitrary<Item> = fc.record(
  {
    color: fc.constantFrom(...COLORS),
    count: few,
    parts: fc.array(fc.record({ count: few }), { maxLength: 3 }),
  },
  { requiredKeys: ['count'] },
);
const source: fc.Arbitrary<Source> = fc.record({
  tag: fc.constantFrom('a', 'b'),
  items: fc.array(item, { maxLength: 4 }),
});
const id = fc.nat(25).map(String);

type Step =
  | { readonly kind: 'index'; readonly id: string; readonly source: Source }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'refresh' | 'flush' | 'reopen' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('index' as const), id, source }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'reopen' as const) }) },
);

/** A query, and what it means. */
interface Question {
  readonly query: object;
  readonly matches: (source: Source) => boolean;
}

const nested = (path: string, query: object): object => ({ nested: { path, query } });
const always = { match_all: {} };

function questions(color: string, n: number): readonly Question[] {
  const isColor = { term: { 'items.color': color } };
  const isCount = { term: { 'items.count': n } };
  const hasPart = nested('items.parts', { range: { 'items.parts.count': { gte: n } } });
  const part = ({ parts = [] }: Item): boolean => parts.some(({ count }) => count >= n);
  const both = ({ items }: Source): boolean => items.some((one) => one.color === color && one.count === n);
  return [
    { query: always, matches: () => true },
    { query: isCount, matches: () => false },
    { query: { exists: { field: 'items.count' } }, matches: () => false },
    { query: { bool: { must_not: [isColor] } }, matches: () => true },
    { query: nested('items', always), matches: ({ items }) => items.length > 0 },
    { query: nested('items', { bool: { must: [isColor, isCount] } }), matches: both },
    {
      query: { bool: { must_not: [nested('items', isColor)], filter: [{ term: { tag: 'a' } }] } },
      matches: ({ tag, items }) => tag === 'a' && items.every((one) => one.color !== color),
    },
    {
      query: nested('items', { bool: { must_not: [{ exists: { field: 'items.color' } }] } }),
      matches: ({ items }) => items.some((one) => one.color === undefined),
    },
    { query: hasPart, matches: ({ items }) => items.some(part) },
    {
      query: nested('items', { bool: { must: [isColor, hasPart] } }),
      matches: ({ items }) => items.some((one) => one.color === color && part(one)),
    },
    {
      query: nested('items', { bool: { must: [isColor], must_not: [hasPart] } }),
      matches: ({ items }) => items.some((one) => one.color === color && !part(one)),
    },
  ];
}

class Model {
  private readonly disk: Disk = createMemoryDisk();
  private readonly runtime = createTestRuntime(this.disk);
  private readonly written = new Map<string, Source>();
  private shard: Shard | null = null;

  async open(): Promise<Shard> {
    const bootstrap = this.shard === null ? 'create' : 'existing';
    await this.shard?.close();
    this.shard = await openShard(
      this.runtime,
      shardOptions({ mapping, bootstrap }),
      createSegmentMemory({ bytesMax: 2 ** 31 }),
    );
    return this.shard;
  }

  async run(steps: readonly Step[]): Promise<void> {
    let shard = await this.open();
    for (const one of steps) {
      if (one.kind === 'index') {
        const { results } = await shard.write([index(one.id, one.source)]);
        expect(shown(results.at(0))).toBe(this.written.has(one.id) ? 'updated' : 'created');
        this.written.set(one.id, one.source);
      } else if (one.kind === 'remove') {
        await shard.write([remove(one.id)]);
        this.written.delete(one.id);
      } else if (one.kind === 'reopen') shard = await this.open();
      else await (one.kind === 'flush' ? shard.flush(true) : shard.refresh());
      await this.runtime.advance(1_000);
    }
    await shard.refresh();
  }

  async check({ query, matches }: Question): Promise<void> {
    const { shard } = this;
    if (shard === null) throw new Error('not open');
    const body = { query, size: 100, track_total_hits: true, sort: ['_doc'] };
    const stop = { isStopped: false };
    const { total, contextId, ords } = await shard.query(shardRequest(body, { topN: 100 }), stop);
    const hits = contextId === null ? [] : await shard.fetch({ contextId, ords, consumed: null, request: null }, stop);
    const wanted = [...this.written].filter(([, one]) => matches(one)).map(([name]) => name);
    expect([hits.map((hit) => hit.id).toSorted(), total?.value]).toEqual([wanted.toSorted(), wanted.length]);
  }

  async end(): Promise<void> {
    const { shard } = this;
    if (shard === null) return;
    for (const [name, one] of this.written) expect(sourceOf(shard, name)).toBe(JSON.stringify(one));
    const count = [...this.written.values()].reduce(
      (sum, { items }) => sum + 1 + items.reduce((all, { parts = [] }) => all + 1 + parts.length, 0),
      0,
    );
    expect(shard.stats().docCount).toBe(count);
    await shard.close();
  }
}

describe('nested documents', () => {
  test('are found as their objects say, whatever was written, deleted, merged or opened again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 60 }),
        fc.constantFrom(...COLORS),
        few,
        async (steps, color, n) => {
          const model = new Model();
          await model.run(steps);
          for (const question of questions(color, n)) await model.check(question);
          await model.end();
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);
});
