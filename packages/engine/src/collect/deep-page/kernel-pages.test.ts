import type { RankAnswer } from '@shoal/shard-api';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { memoryContext, shardRequest, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';
import { executeRankQuery } from '../../phases/query/rank-query.ts';

const MAPPING = { properties: { body: { type: 'text' }, tag: { type: 'keyword' }, n: { type: 'long' } } };
const words = ['all', 'half', 'third', 'few'];

function makeDocs(count: number, shift: number): TestDoc[] {
  return Array.from({ length: count }, (_, i) => {
    const at = i + shift;
    const body = [
      'all',
      ...(at % 2 ? [] : ['half']),
      ...(at % 3 ? [] : ['third', 'third']),
      ...(at % 501 ? [] : ['few']),
    ];
    const padding = Array.from({ length: (at * 7) % 40 }, (_, n) => `w${(n * at) % 97}`);
    const source = { body: [...body, ...padding].join(' '), tag: words[at % 4], n: (at * 7919) % 5003 };
    return { id: `${shift}-${i}`, source: JSON.stringify(source) };
  });
}

let pairs: { readonly plain: QueryContext; readonly fast: QueryContext }[] = [];

beforeAll(() => {
  const memory = createSegmentMemory({ bytesMax: 2 ** 31 });
  const groups = [makeDocs(9_000, 0), makeDocs(300, 11), makeDocs(5_000, 5)];
  pairs = [() => false, (id: string) => Number(id.split('-')[1]) % 5 === 3].map((isDeleted) => ({
    plain: memoryContext(MAPPING, groups, isDeleted),
    fast: memoryContext(MAPPING, groups, isDeleted, memory),
  }));
});

const word = fc.constantFrom(...words, 'w3', 'w60', 'nowhere');
const match = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom('or', 'and'))
  .map(([list, operator]) => ({ match: { body: { query: list.join(' '), operator } } }));
const filter = fc.oneof(
  word.map((value) => ({ term: { tag: value } })),
  fc.nat(5_000).map((gte) => ({ range: { n: { gte } } })),
);
const query = fc.oneof(
  match,
  fc.constant({ match_all: {} }),
  filter.map((one) => ({ constant_score: { filter: one } })),
  fc.tuple(match, filter, filter).map(([must, one, other]) => ({ bool: { must, filter: one, must_not: other } })),
);
const sort = fc.constantFrom<unknown>(
  undefined,
  undefined,
  [{ n: 'asc' }],
  [{ n: 'desc' }, '_score'],
  [{ _score: 'asc' }],
);

async function page(context: QueryContext, body: unknown, from: number): Promise<unknown> {
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const ask = { kind: 'page', from, size: 20 } as const;
  const options = { ask, stop: { isStopped: false }, clock, bytesMax: 1 << 24 };
  const { result, answer } = await executeRankQuery(context, shardRequest(body, { topN: 1 }), options);
  return { total: result.total, maxScore: result.maxScore, answer: shown(answer) };
}

function shown({ count, entries }: Pick<RankAnswer, 'count' | 'entries'>): unknown {
  const columns = entries.columns.map((column) =>
    column.kind === 'string' ? null : Array.from<unknown>(column.values),
  );
  return { count, columns, ords: [...entries.ords], scores: entries.scores && [...entries.scores] };
}

test('a page far back is the same on the kernels as on the scorers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1), query, sort, fc.boolean(), fc.nat(14_000), async (n, one, order, tracked, from) => {
      const { plain, fast } = pairs[n]!;
      const body = { query: one, sort: order, track_scores: tracked, track_total_hits: true };
      expect(await page(fast, body, from)).toEqual(await page(plain, body, from));
    }),
    { numRuns: 150 },
  );
});

test('a least score leaves out the same matches', async () => {
  const { plain, fast } = pairs[1]!;
  for (const least of [0.1, 0.3, 1]) {
    const body = {
      query: { match: { body: 'half third' } },
      min_score: least,
      sort: [{ n: 'asc' }],
      track_total_hits: true,
    };
    expect(await page(fast, body, 30)).toEqual(await page(plain, body, 30));
  }
});
