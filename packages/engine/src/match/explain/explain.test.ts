import { parseJson } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { memoryContext, runQuery, shardSearch, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text', analyzer: 'whitespace' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    at: { type: 'date' },
  },
};
const WORDS = ['a', 'b', 'c', 'd'];

type Json = Record<string, unknown>;
interface Node {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Node[];
}

const word = fc.constantFrom(...WORDS);
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));
const boost = fc.constantFrom(1, 2, 0.5);
const { query: queryArb } = fc.letrec<{ query: Json }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(word, boost).map(([value, b]): Json => ({ term: { t: { value, boost: b } } })),
    words.map((query): Json => ({ match: { t: query } })),
    fc.tuple(words, fc.nat(3)).map(([query, slop]): Json => ({ match_phrase: { t: { query, slop } } })),
    boost.map((b): Json => ({ match_all: { boost: b } })),
    fc.constantFrom('x', 'y').map((k): Json => ({ terms: { k: [k, 'z'] } })),
    words.map((query): Json => ({ intervals: { t: { match: { query } } } })),
    fc.tuple(word, word).map(([a, b]): Json => {
      return { span_near: { clauses: [{ span_term: { t: a } }, { span_term: { t: b } }], slop: 2, in_order: false } };
    }),
    fc.constant<Json>({ distance_feature: { field: 'at', origin: '2024-01-05', pivot: '2d' } }),
    fc.tuple(tie('query'), boost).map(([filter, b]): Json => ({ constant_score: { filter, boost: b } })),
    fc
      .tuple(fc.array(tie('query'), { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 0.3))
      .map(([queries, t]): Json => ({ dis_max: { queries, tie_breaker: t } })),
    fc.tuple(tie('query'), tie('query'), boost).map(([positive, negative, b]): Json => {
      return { boosting: { positive, negative, negative_boost: 0.5, boost: b } };
    }),
    fc
      .record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 2 }),
        filter: fc.array(tie('query'), { maxLength: 1 }),
        must_not: fc.array(tie('query'), { maxLength: 1 }),
      })
      .map((bool): Json => ({ bool })),
    fc
      .tuple(
        tie('query'),
        fc.constantFrom('multiply', 'sum', 'avg', 'first', 'max', 'min'),
        fc.constantFrom('multiply', 'replace', 'sum', 'avg', 'max', 'min'),
        tie('query'),
      )
      .map(([query, scoreMode, boostMode, filter]): Json => {
        const functions = [
          { weight: 3, filter },
          { field_value_factor: { field: 'n', missing: 1 }, weight: 2 },
        ];
        return { function_score: { query, functions, score_mode: scoreMode, boost_mode: boostMode } };
      }),
  ),
}));

const docArb = fc.record(
  {
    t: fc.array(word, { maxLength: 8 }).map((list) => list.join(' ')),
    k: fc.constantFrom('x', 'y'),
    n: fc.nat(4),
    at: fc.constantFrom('2024-01-01', '2024-01-09'),
  },
  { requiredKeys: [] },
);

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(a));
}

/** The value of a node is what its description makes of its details. */
function checkNode(node: Node): void {
  const values = node.details.map(({ value }) => value);
  const sum = values.reduce((a, b) => a + b, 0);
  const product = values.reduce((a, b) => a * b, 1);
  const { description } = node;
  let expected: number | null = null;
  if (/idf, sum of:$|^sum of:$/.test(description)) expected = sum;
  else if (/product of:$|computed as boost \* idf \* tf from:$/.test(description)) expected = product;
  else if (/result of:$/.test(description)) expected = values[0] ?? 0;
  else if (description === 'max of:') expected = Math.max(...values);
  else if (/^min of:?$/.test(description)) expected = Math.min(...values);
  else if (description === 'avg of') expected = sum / values.length;
  const plus = /^max plus (.*) times others of:$/.exec(description);
  if (plus) expected = Math.max(...values) + (sum - Math.max(...values)) * Number(plus[1]);
  if (expected !== null) expect(near(node.value, expected), `${JSON.stringify(node)} is not ${expected}`).toBe(true);
  for (const inner of node.details) checkNode(inner);
}

test('an explanation adds up to the score, and names the documents that do not match', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(docArb, { minLength: 1, maxLength: 12 }), queryArb, async (docs, query) => {
      const all = docs.map((doc, i): TestDoc => ({ id: String(i), source: JSON.stringify(doc) }));
      const context = memoryContext(
        MAPPING,
        [all.slice(0, 5), all.slice(5)].filter((part) => part.length > 0),
      );
      const found = await runQuery(context, { query }, { topN: 50 });
      const [column] = found.columns;
      const scores = new Map(
        Array.from(found.ords, (ord, i) => [ord, column?.kind === 'score' ? column.values[i]! : 0]),
      );
      const { request } = shardSearch({ query, explain: true });
      const ords = Uint32Array.from(docs, (_, i) => i);
      const clock = { monotonicMs: () => 0, wallMs: () => 0 };
      const hits = await fetchHits(context, { ords, request }, { isStopped: false }, clock);
      for (const [ord, { explanation }] of hits.entries()) {
        const tree = parseJson(explanation!.tree) as Node;
        const score = scores.get(ord);
        expect([explanation!.isMatch, tree.description], JSON.stringify(query)).toEqual([
          score !== undefined,
          tree.description,
        ]);
        if (score === undefined) continue;
        expect(near(tree.value, score), `${JSON.stringify(query)} scores ${score}: ${JSON.stringify(tree)}`).toBe(true);
        checkNode(tree);
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  [1, 'result of:', 0.09808561352022904, ['product of:']],
  [2, 'product of:', 0.19617122, ['boost', 'product of:']],
])(
  'a demoted document is told in double precision until its boost rounds it: %d',
  async (queryBoost, by, value, of) => {
    const boosting = {
      positive: { constant_score: { filter: { match_all: {} }, boost: 0.49042806 } },
      negative: { match_all: {} },
      negative_boost: 0.2,
      boost: queryBoost,
    };
    const { request } = shardSearch({ query: { boosting }, explain: true });
    const context = memoryContext(MAPPING, [[{ id: '0', source: '{}' }]]);
    const clock = { monotonicMs: () => 0, wallMs: () => 0 };
    const [hit] = await fetchHits(context, { ords: Uint32Array.of(0), request }, { isStopped: false }, clock);
    const tree = parseJson(hit?.explanation?.tree ?? new Uint8Array()) as Node;
    expect([tree.value, tree.description.split('), ').at(-1)]).toEqual([value, by]);
    expect(tree.details.map(({ description }) => description)).toEqual(of);
  },
);

test('boosts of a query within another are multiplied as floats', async () => {
  const inner = { constant_score: { filter: { match_all: {} }, boost: 0.3 } };
  const context = memoryContext(MAPPING, [[{ id: '0', source: '{}' }]]);
  const { maxScore } = await runQuery(context, { query: { bool: { must: [inner], boost: 3 } } });
  expect(maxScore).toBe(Math.fround(0.90000004));
  expect(maxScore).not.toBe(Math.fround(0.9));
});
