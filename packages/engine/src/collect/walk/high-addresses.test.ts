/** Kernel memory above 2 GiB: WebAssembly hands addresses up there to JavaScript as negative numbers. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import { createSegmentMemory, type ThreadMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { memoryContext, runQuery, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { body: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' } } };
const HALF = 2 ** 31;
/** Untouched pages of a memory take none of the machine's. */
const BYTES_MAX = 2 ** 32;

function makeDocs(count: number, shift: number): TestDoc[] {
  return Array.from({ length: count }, (_, i) => {
    const at = i + shift;
    const words = [
      'all',
      ...(at % 2 ? [] : ['half']),
      ...(at % 3 ? [] : ['third', 'third']),
      ...(at % 301 ? [] : ['few']),
    ];
    const body = [...words, ...Array.from({ length: (at * 7) % 20 }, (_, n) => `w${(n * at) % 97}`)].join(' ');
    return { id: `${shift}-${i}`, source: JSON.stringify({ body, tag: words.at(-1), n: (at * 7919) % 5003 }) };
  });
}

const QUERIES: readonly (readonly [string, unknown])[] = [
  ['best scores of one term', { query: { match: { body: 'third' } } }],
  ['best scores of any term', { query: { match: { body: 'half third few' } } }],
  ['best scores of all terms', { query: { match: { body: { query: 'half third', operator: 'and' } } } }],
  ['a phrase', { query: { match_phrase: { body: 'half third' } } }],
  ['a sort of one term', { query: { match: { body: 'half' } }, sort: [{ n: 'desc' }, '_score'] }],
  ['a sort with scores', { query: { match: { body: 'half third' } }, sort: [{ n: 'asc' }], track_scores: true }],
  ['a sort of all terms', { query: { match: { body: { query: 'all half', operator: 'and' } } }, sort: [{ n: 'asc' }] }],
  ['a filtered search', { query: { bool: { must: { match: { body: 'third' } }, filter: { term: { tag: 'few' } } } } }],
  [
    'aggregations',
    {
      query: { match: { body: 'half third' } },
      aggs: {
        c: { cardinality: { field: 'n' } },
        t: { terms: { field: 'tag' }, aggs: { s: { stats: { field: 'n' } } } },
      },
    },
  ],
];

function raised(ballastBytes: number): ThreadMemory {
  const memory = createSegmentMemory({ bytesMax: BYTES_MAX });
  if (memory.kernels !== null) expect(memory.kernels.allocate(ballastBytes)).toBeGreaterThan(0);
  return memory;
}

describe('segments in kernel memory', () => {
  const groups = [makeDocs(6_000, 0), makeDocs(3_000, 11)];
  let plain: QueryContext;
  beforeAll(() => {
    plain = memoryContext(MAPPING, groups);
  });

  test.each([
    ['above 2 GiB', HALF],
    ['on both sides of 2 GiB', HALF - 300_000],
  ])('%s are searched as below', async (_, ballastBytes) => {
    const memory = raised(ballastBytes);
    if (memory.kernels === null) return;
    const high = memoryContext(MAPPING, groups, () => false, memory);
    for (const [name, body] of QUERIES) {
      const asked = { track_total_hits: true, ...(body as object) };
      const [expected, found] = [await runQuery(plain, asked), await runQuery(high, asked)];
      expect(found, name).toEqual(expected);
    }
    expect(memory.usedBytes).toBeGreaterThan(HALF);
  });
});

test('kernel memory ends before the last page, behind which an address would be 0 again', () => {
  const memory: KernelMemory | null = createSegmentMemory({ bytesMax: BYTES_MAX }).kernels;
  if (memory === null) return;
  const sizes = [HALF, ...Array.from({ length: 15 }, () => 2 ** 27), ...Array.from({ length: 2_100 }, () => 2 ** 16)];
  const ends = sizes.flatMap((size) => {
    const address = memory.allocate(size);
    return address === 0 ? [] : [address + size];
  });
  expect(Math.max(...ends)).toBe(2 ** 32 - 2 ** 16);
  expect(memory.allocate(64)).toBe(0);
});
