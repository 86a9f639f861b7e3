/** Aggregations of children and parents, against the documents themselves. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery, type TestDoc } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    tag: { type: 'keyword' },
    n: { type: 'long' },
    j: { type: 'join', relations: { question: ['answer', 'comment'] } },
  },
};

interface Shown {
  readonly doc_count: number;
  readonly value: number;
  readonly buckets: readonly Shown[];
  readonly [name: string]: Shown | unknown;
}

async function answer(docs: readonly TestDoc[], aggs: object, query: object = { match_all: {} }, mapping = MAPPING) {
  const segments = [docs.filter((_, i) => i % 2 === 0), docs.filter((_, i) => i % 2 === 1)];
  const context = memoryContext(
    mapping,
    segments.filter((list) => list.length > 0),
    (id) => id === 'a1' || id === 'q2',
  );
  const { aggregations } = await runQuery(context, { size: 0, aggs, query }, { topN: 0 });
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const shards = aggregations === null ? [] : [readPartials(aggregations)];
  const finished = finishAggregations(tree, shards, new BucketBudget(10_000));
  const shown: Record<string, Shown> = JSON.parse(
    writeJsonText(renderAggregations(tree, finished, { typedKeys: false })),
  );
  return shown;
}

const tags = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 });

describe('aggregations of parents and children', () => {
  test('go from the documents of a bucket to those they are joined with, each once', async () => {
    const questions = fc.array(tags, { minLength: 1, maxLength: 5 });
    const answers = fc.array(fc.tuple(fc.nat(5), fc.nat(9), tags), { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(questions, answers, async (parents, links) => {
        const docs: TestDoc[] = [
          ...links.map(([of, n, tag], i) => ({
            id: `a${i}`,
            routing: 'x',
            source: JSON.stringify({ n, tag, j: { name: 'answer', parent: `q${of}` } }),
          })),
          ...parents.map((tag, i) => ({ id: `q${i}`, source: JSON.stringify({ tag, j: 'question' }) })),
        ];
        const live = links.flatMap(([of, n, tag], i) => (i === 1 ? [] : [{ of, n, tag }]));
        const there = parents.flatMap((tag, of) => (of === 2 ? [] : [{ of, tag }]));
        const sum = { sum: { sum: { field: 'n' } } };
        const back = { parent: { type: 'answer' }, aggs: { tags: { terms: { field: 'tag' } } } };
        const { keys, up } = await answer(docs, {
          keys: { terms: { field: 'tag' }, aggs: { down: { children: { type: 'answer' }, aggs: { ...sum, back } } } },
          up: { parent: { type: 'answer' } },
        });
        for (const bucket of keys?.buckets ?? []) {
          // Answers have tags too, and no children: they are in the bucket, and lead nowhere.
          const of = there.filter(({ tag }) => (tag as readonly unknown[]).includes(bucket.key)).map((one) => one.of);
          const found = live.filter((one) => of.includes(one.of));
          const down = bucket.down as Shown & { readonly sum: Shown; readonly back: Shown };
          expect(down.doc_count).toBe(found.length);
          expect(down.sum.value).toBe(found.reduce((total, { n }) => total + n, 0));
          expect(down.back.doc_count).toBe(new Set(found.map((one) => one.of)).size);
        }
        expect(up?.doc_count).toBe(there.filter(({ of }) => live.some((one) => one.of === of)).length);
      }),
      { numRuns: 40 },
    );
  });

  test('hand on documents that all have the score 1', async () => {
    const docs: TestDoc[] = [
      { id: 'q0', source: '{"j":"question"}' },
      { id: 'a0', routing: 'q0', source: '{"n":7,"j":{"name":"answer","parent":"q0"}}' },
    ];
    const top = { top_hits: { _source: 'n' } };
    const { down } = await answer(
      docs,
      { down: { children: { type: 'answer' }, aggs: { top } } },
      { term: { j: 'question' } },
    );
    expect(down?.top).toMatchObject({ hits: { max_score: 1, hits: [{ _id: 'a0', _score: 1, _source: { n: 7 } }] } });
  });

  test('find nothing where nothing is joined', async () => {
    const docs: TestDoc[] = [{ id: 'q0', source: '{"j":"question"}' }];
    const aggs = { c: { children: { type: 'zz' } }, p: { parent: { type: 'question' } } };
    expect(await answer(docs, aggs)).toEqual({ c: { doc_count: 0 }, p: { doc_count: 0 } });
  });

  test.each([
    [{ children: {} }, 'Missing [child_type] field for children aggregation [x]'],
    [{ parent: { type: 'answer', foo: 1 } }, 'Unexpected token VALUE_NUMBER in [x].'],
  ])('%j is refused', async (x, message) => {
    await expect(answer([], { x })).rejects.toThrow(message);
  });
});
