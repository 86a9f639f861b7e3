/** Longs beyond 2^53, which doubles do not tell apart: aggregations that count by value do. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { n: { type: 'long' }, g: { type: 'keyword' } } };
const SHARDS = [
  [
    [{ n: '9007199254740992' }, { n: '9007199254740993' }, { n: '5' }],
    [{ n: '5' }, { n: '9007199254740991' }, {}],
  ],
  [[{ n: '9007199254740993' }, { n: '["9007199254740994","9007199254740995","9007199254740995"]' }]],
];

/** Answer as text: its numbers are compared to the last digit. */
async function answer(aggs: object): Promise<string> {
  const request = writeJsonText(aggs);
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(request)) as JsonObjectNode);
  const shards = [];
  for (const segments of SHARDS) {
    const docs = segments.map((list, s) =>
      list.map(({ n }: { n?: string }, i) => ({
        id: `${s}/${i}`,
        source: `{"g":"x"${n === undefined ? '' : `,"n":${n}`}}`,
      })),
    );
    const { aggregations } = await runQuery(memoryContext(MAPPING, docs), { size: 0, aggs });
    shards.push(readPartials(aggregations ?? new Uint8Array(0)));
  }
  const finished = finishAggregations(tree, shards, new BucketBudget(1_000));
  return writeJsonText(renderAggregations(tree, finished, { typedKeys: false }));
}

describe('longs beyond 2^53', () => {
  test('are distinct values, at the top and below buckets', async () => {
    expect(await answer({ c: { cardinality: { field: 'n' } } })).toBe('{"c":{"value":6}}');
    const below = { t: { terms: { field: 'g' }, aggs: { c: { cardinality: { field: 'n', missing: 7 } } } } };
    expect(await answer(below)).toContain('"c":{"value":7}');
  });

  test('are keys of composite buckets, and of the page behind one of them', async () => {
    const sources = [{ k: { terms: { field: 'n' } } }];
    const first = await answer({ c: { composite: { sources, size: 4 } } });
    expect(first).toBe(
      '{"c":{"after_key":{"k":9007199254740993},"buckets":[{"key":{"k":5},"doc_count":2},' +
        '{"key":{"k":9007199254740991},"doc_count":1},{"key":{"k":9007199254740992},"doc_count":1},' +
        '{"key":{"k":9007199254740993},"doc_count":2}]}}',
    );
    const rest = await answer({ c: { composite: { sources, size: 4, after: { k: 9007199254740993n } } } });
    expect(rest).toBe(
      '{"c":{"after_key":{"k":9007199254740995},"buckets":[{"key":{"k":9007199254740994},"doc_count":1},' +
        '{"key":{"k":9007199254740995},"doc_count":1}]}}',
    );
  });

  test('are chosen by value', async () => {
    const terms = { field: 'n', include: [9007199254740993n, 5], order: { _key: 'asc' } };
    expect(await answer({ t: { terms } })).toContain(
      '"buckets":[{"key":5,"doc_count":2},{"key":9007199254740993,"doc_count":2}]',
    );
  });
});
