import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    group: { type: 'keyword' },
    number: { type: 'long' },
    n: { type: 'long' },
    text: { type: 'text' },
    at: { type: 'date' },
  },
};

interface Doc {
  readonly id: string;
  readonly group: string | null;
  readonly n: number;
}

function contextOf(segments: readonly (readonly Doc[])[]): ReturnType<typeof memoryContext> {
  return memoryContext(
    MAPPING,
    segments.map((docs) =>
      docs.map(({ id, group, n }) => ({
        id,
        source: JSON.stringify({ n, number: group === null ? undefined : group.length, group: group ?? undefined }),
      })),
    ),
  );
}

function groupsOf(column: unknown): (string | null)[] {
  const { offsets, bytes, missing } = column as { offsets: Uint32Array; bytes: Uint8Array; missing: Uint8Array };
  return Array.from(missing, (isMissing, i) =>
    isMissing === 1 ? null : Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString('utf8'),
  );
}

describe('a collapsed search', () => {
  test('shows the first document of each group, and counts all', async () => {
    const context = contextOf([
      [
        { id: '1', group: 'a', n: 3 },
        { id: '2', group: 'b', n: 9 },
        { id: '3', group: null, n: 1 },
      ],
      [
        { id: '4', group: 'a', n: 7 },
        { id: '5', group: null, n: 8 },
      ],
    ]);
    const found = await runQuery(context, { collapse: { field: 'group' }, sort: [{ n: 'desc' }] });
    expect(idsOf(context, found.ords)).toEqual(['2', '5', '4']);
    expect(groupsOf(found.groups)).toEqual(['b', null, 'a']);
    expect(found.total).toEqual({ value: 5, relation: 'eq' });
    const byNumber = await runQuery(context, { collapse: { field: 'number' }, sort: [{ n: 'asc' }] });
    expect(idsOf(context, byNumber.ords)).toEqual(['3', '1']);
    expect(groupsOf(byNumber.groups)).toEqual([null, '1']);
  });
  test.each([
    ['nothing', 'no mapping found for `nothing` in order to collapse on'],
    ['text', 'unknown type for collapse field `text`, only keywords and numbers are accepted'],
    ['at', 'unknown type for collapse field `at`, only keywords and numbers are accepted'],
  ])('by [%s] is refused', async (field, reason) => {
    const context = contextOf([[{ id: '1', group: 'a', n: 3 }]]);
    await expect(runQuery(context, { collapse: { field } })).rejects.toMatchObject({ reason });
  });
  test('by several values is refused', async () => {
    const context = memoryContext(MAPPING, [[{ id: '1', source: '{"group":["a","b"]}' }]]);
    await expect(runQuery(context, { collapse: { field: 'group' } })).rejects.toThrow('must be single valued');
  });
  test('is what sorting everything and keeping the first of each group gives', async () => {
    const doc = fc.record({ group: fc.constantFrom('a', 'b', 'c', 'd', 'e', null), n: fc.nat(6) });
    const arbitrary = fc.array(fc.array(doc, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(arbitrary, fc.integer({ min: 1, max: 7 }), async (segments, topN) => {
        const named = segments.map((docs, s) => docs.map((one, i) => ({ ...one, id: `${s}-${i}` })));
        const context = contextOf(named);
        const found = await runQuery(context, { collapse: { field: 'group' }, sort: [{ n: 'asc' }] }, { topN });
        const seen = new Set<string | null>();
        const all = named.flat().map((one, at) => ({ ...one, at }));
        const expected = all
          .sort((a, b) => a.n - b.n || a.at - b.at)
          .filter(({ group }) => !seen.has(group) && seen.add(group))
          .slice(0, topN);
        expect(idsOf(context, found.ords)).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: 150 },
    );
  });
  test('keeps no more groups than it needs', async () => {
    const docs = Array.from({ length: 2_000 }, (_, i) => ({
      id: String(i),
      group: `g${i % 700}`,
      n: (i * 37) % 2_000,
    }));
    const context = contextOf([docs]);
    const found = await runQuery(context, { collapse: { field: 'group' }, sort: [{ n: 'asc' }] }, { topN: 5 });
    const best = [...docs].sort((a, b) => a.n - b.n).slice(0, 5);
    expect(idsOf(context, found.ords)).toEqual(best.map(({ id }) => id));
  });
});

describe('a rescored search', () => {
  const context = memoryContext(MAPPING, [
    [
      { id: '1', source: '{"text":"fox fox dog"}' },
      { id: '2', source: '{"text":"fox cat"}' },
    ],
    [{ id: '3', source: '{"text":"fox dog dog dog x y z"}' }],
  ]);
  const body = (rescore: unknown) => ({ query: { match: { text: 'fox' } }, rescore });
  test('scores the best hits again and leaves the others behind', async () => {
    const query = { rescore_query: { match: { text: 'dog' } }, query_weight: 0, rescore_query_weight: 2 };
    const found = await runQuery(context, body({ window_size: 3, query }));
    expect(idsOf(context, found.ords)).toEqual(['3', '1', '2']);
    const scores = found.columns[0]?.kind === 'score' ? [...found.columns[0].values] : [];
    expect(scores[2]).toBe(0);
    expect(found.maxScore).toBe(scores[0]);
    const plain = await runQuery(context, { query: { match: { text: 'dog' } } });
    expect(scores[0]).toBeCloseTo(2 * Number(plain.maxScore), 5);
  });
  test('needs its window within the limit, and no other order', async () => {
    const query = { rescore_query: { match_all: {} } };
    await expect(runQuery(context, body([{ window_size: 10_001, query }]))).rejects.toThrow(
      'Rescore window [10001] is too large. It must be less than [10000].',
    );
    for (const sort of [['n'], ['_score', '_score'], [{ _score: 'asc' }]]) {
      await expect(runQuery(context, { ...body({ query }), sort })).rejects.toThrow(
        'Cannot use [sort] option in conjunction with [rescore].',
      );
    }
  });
  test('without a hit has nothing to rescore', async () => {
    const rescore = { query: { rescore_query: { match_all: {} } } };
    const found = await runQuery(context, { query: { match_none: {} }, sort: ['_score'], rescore });
    expect([...found.ords]).toEqual([]);
  });
});

test('an infinite boost gives a score of NaN, and the shard answers', async () => {
  const context = memoryContext(MAPPING, [[{ id: '1', source: '{"text":"fox fox dog"}' }]]);
  const found = await runQuery(context, { query: { match: { text: { query: 'fox', boost: '1e400' } } }, min_score: 0 });
  expect(found.ords.length).toBeLessThanOrEqual(1);
  const query = { dis_max: { queries: [{ match: { text: { query: 'fox', boost: '1e400' } } }], tie_breaker: 0 } };
  const scored = await runQuery(context, { query: { bool: { must: [query], should: [query] } } });
  expect(idsOf(context, scored.ords)).toEqual(['1']);
});

test('a profile tells the parts of the query with their times', async () => {
  const context = contextOf([[{ id: '1', group: 'a', n: 3 }]]);
  const query = { bool: { must: [{ term: { group: 'a' } }], filter: [{ range: { n: { gte: 1 } } }] } };
  const { profile } = await runQuery(context, { query, profile: true });
  expect(JSON.parse(Buffer.from(profile!).toString('utf8'))).toMatchObject({
    searches: [
      {
        query: [
          {
            type: 'BooleanQuery',
            description: expect.stringContaining('+group:a #'),
            breakdown: { create_weight_count: 1, build_scorer_count: 1, next_doc_count: 2 },
            children: [{ type: 'TermQuery' }, { type: 'RangeQuery' }],
          },
        ],
        collector: [{ name: 'SimpleTopScoreDocCollector', reason: 'search_top_hits' }],
      },
    ],
    aggregations: [],
  });
  expect((await runQuery(context, { query })).profile).toBeNull();
});
