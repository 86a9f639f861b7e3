import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    rank: { type: 'rank_feature' },
    length: { type: 'rank_feature', positive_score_impact: false },
    topics: { type: 'rank_features' },
    word: { type: 'keyword' },
  },
};
const SOURCES = [
  '{"rank":10.3,"length":22,"topics":{"a":20,"b":5.7,"none":null}}',
  '{"rank":"8","length":3.14159,"topics":{"a":"1"}}',
  '{"rank":50}',
];

const context = (sources = SOURCES) =>
  memoryContext(MAPPING, [sources.map((source, at) => ({ id: String(at), source }))]);

/** Best score and ids, best first. */
async function ranked(rankFeature: object): Promise<readonly [number | null, string[]]> {
  const searched = context();
  const { ords, maxScore } = await runQuery(searched, { query: { rank_feature: rankFeature } });
  return [maxScore, idsOf(searched, ords)];
}

describe('a rank_feature query', () => {
  // Scores as a real server answered them.
  test.each([
    [{ field: 'rank' }, 0.76226777, ['2', '0', '1']],
    [{ field: 'rank', saturation: { pivot: 8 } }, 0.86206895, ['2', '0', '1']],
    [{ field: 'rank', log: { scaling_factor: 4 } }, 3.988984, ['2', '0', '1']],
    [{ field: 'length', saturation: { pivot: 5 } }, 0.059687793, ['1', '0']],
    [{ field: 'rank', linear: {} }, 50, ['2', '0', '1']],
    [{ field: 'length', linear: {}, boost: 2 }, 0.634765625, ['1', '0']],
    [{ field: 'topics.a' }, 0.8163265, ['0', '1']],
    [{ field: 'topics.none' }, null, []],
    [{ field: 'nowhere' }, null, []],
  ])('scores by the value: %j', async (query, best, ids) => {
    const [score, found] = await ranked(query);
    expect(found).toEqual(ids);
    if (best === null) expect(score).toBeNull();
    else expect(score).toBeCloseTo(best, 6);
  });

  test.each([
    [{ field: 'word' }, 'only works on [rank_feature] fields and features of [rank_features] fields, not [keyword]'],
    [
      { field: 'topics' },
      'only works on [rank_feature] fields and features of [rank_features] fields, not [rank_features]',
    ],
    [{ field: 'length', log: { scaling_factor: 4 } }, 'Cannot use the [log] function with a field that has a negative'],
    [{ field: 'rank', saturation: { pivot: -8 } }, '[feature] failed to parse field [saturation]'],
    [{ field: 'rank', saturation: { pivot: null } }, '[feature] failed to parse field [saturation]'],
    [{ field: 'rank', linear: { x: 1 } }, '[feature] failed to parse field [linear]'],
    [{ field: 'rank', log: { scaling_factor: 0.5 } }, '[feature] failed to parse field [log]'],
    [{ field: 'rank', log: {} }, '[feature] failed to parse field [log]'],
    [{ field: 'rank', sigmoid: { pivot: 7 } }, '[feature] failed to parse field [sigmoid]'],
    [
      { field: 'rank', log: { scaling_factor: 4 }, saturation: {} },
      'Failed to build [feature] after last required field arrived',
    ],
    [{ field: 'rank', x: 1 }, '[feature] unknown field [x]'],
    [{ field: ['rank'] }, "[feature] field doesn't support values of type: START_ARRAY"],
    [{ boost: 2 }, 'Required [field]'],
  ])('refuses %j', async (query, reason) => {
    await expect((async () => ranked(query))()).rejects.toThrow(reason);
  });
});

describe('a feature', () => {
  test.each([
    ['{"rank":0}', 'featureValue must be a positive normal float, got: 0.0'],
    ['{"rank":[1,2]}', 'do not support indexing multiple values for the same field [rank]'],
    ['{"topics":5}', '[rank_features] fields must be json objects'],
    ['{"topics":[{"a":1},{"a":2}]}', 'multiple values for the same rank feature [topics.a]'],
    ['{"topics":{"a":[1]}}', 'but got unexpected token START_ARRAY'],
  ])('is refused: %s', (source, reason) => {
    let cause = '';
    try {
      context([source]);
    } catch (error) {
      cause = String((error as { causedBy?: Error }).causedBy?.message);
    }
    expect(cause).toContain(reason);
  });

  test.each([
    [{ query: { term: { rank: 1 } } }, 'Queries on [rank_feature] fields are not supported'],
    [{ query: { exists: { field: 'topics' } } }, '[rank_features] fields do not support [exists] queries'],
    [{ sort: 'rank' }, '[rank_feature] fields do not support sorting, scripting or aggregating'],
    [
      { aggs: { a: { avg: { field: 'rank' } } } },
      '[rank_feature] fields do not support sorting, scripting or aggregating',
    ],
  ])('has no other use: %j', async (body, reason) => {
    await expect(runQuery(context(), body)).rejects.toThrow(reason);
  });

  test('is shown as it was sent', async () => {
    const { request } = shardSearch({ fields: ['rank', 'length', 'topics'] });
    const page = { ords: Uint32Array.of(1), request };
    const [hit] = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({
      rank: [8],
      length: [3.14159],
      topics: [{ a: '1' }],
    });
  });
});
