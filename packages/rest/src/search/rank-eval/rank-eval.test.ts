import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';
import { RANK_METRICS } from './rank-metrics.ts';

/** Ratings of five hits; the one that nobody found is rated 2. */
const HITS = [null, 3, null, 1, 0];
const KNOWN = [3, 1, 0, 2];

const evaluate = (name: string, members: Readonly<Record<string, number | boolean>>) =>
  RANK_METRICS.get(name)
    ?.create((member) => members[member] ?? null)
    .evaluate(HITS, KNOWN);

describe('a metric', () => {
  test.each([
    ['precision', {}, 2 / 5, { relevant_docs_retrieved: 2, docs_retrieved: 5 }],
    ['precision', { ignore_unlabeled: true }, 2 / 3, { relevant_docs_retrieved: 2, docs_retrieved: 3 }],
    ['precision', { relevant_rating_threshold: 4 }, 0, { relevant_docs_retrieved: 0, docs_retrieved: 5 }],
    ['recall', {}, 2 / 3, { relevant_docs_retrieved: 2, relevant_docs: 3 }],
    ['recall', { relevant_rating_threshold: 4 }, 0, { relevant_docs_retrieved: 0, relevant_docs: 0 }],
    ['mean_reciprocal_rank', {}, 1 / 2, { first_relevant: 2 }],
    ['mean_reciprocal_rank', { relevant_rating_threshold: 4 }, 0, { first_relevant: -1 }],
    ['expected_reciprocal_rank', { maximum_relevance: 3 }, 0.44140625, { unrated_docs: 2 }],
  ] as const)('%s with %j', (name, members, score, details) => {
    expect(evaluate(name, members)).toEqual({ score: expect.closeTo(score, 10), details });
  });

  test('dcg discounts by the logarithm of the rank, and is normalized by the best order of what was rated', () => {
    const dcg = 7 / Math.log2(3) + 1 / Math.log2(5);
    const ideal = 7 + 3 / Math.log2(3) + 1 / Math.log2(4);
    const shown = (details: unknown) => JSON.parse(JSON.stringify(details));
    expect(evaluate('dcg', {})?.score).toBeCloseTo(dcg, 10);
    const normalized = evaluate('dcg', { normalize: true });
    expect(normalized?.score).toBeCloseTo(dcg / ideal, 10);
    expect(Object.keys(shown(normalized?.details))).toEqual(['dcg', 'ideal_dcg', 'normalized_dcg', 'unrated_docs']);
    const assumed = evaluate('dcg', { unknown_doc_rating: 1 });
    expect(assumed?.score).toBeCloseTo(dcg + 1 + 1 / Math.log2(4), 10);
    expect(assumed?.details.unrated_docs).toBe(2);
  });

  test.each([
    ['precision', { k: 0 }, 'Window size k must be positive.'],
    ['recall', { relevant_rating_threshold: -1 }, 'Relevant rating threshold for recall must be positive integer.'],
    ['expected_reciprocal_rank', {}, 'Required [maximum_relevance]'],
  ])('%s with %j is refused', (name, members, reason) => {
    expect(() => evaluate(name, members)).toThrow(reason);
  });
});

async function library(): Promise<TestNode> {
  const mapping = { properties: { t: { type: 'text' }, n: { type: 'long' } } };
  const node = testNode({ indices: [indexOf('lib', { shards: 2, mapping })] });
  const docs = [1, 2, 3, 4].flatMap((n) => [{ index: { _id: `${n}` } }, { t: 'berlin', n }]);
  await node.ask('POST', '/lib/_bulk', lines(...docs));
  return node;
}

const SEARCH = { query: { match: { t: 'berlin' } }, sort: ['n'], size: 1 };
const RATINGS = [{ _index: 'lib', _id: '2', rating: 1 }];

describe('_rank_eval', () => {
  test('shows of each search its hits with their ratings, and the mean of all that were answered', async () => {
    const node = await library();
    const body = {
      requests: [
        { id: 'a', request: SEARCH, ratings: RATINGS, summary_fields: ['n'] },
        { id: 'b', request: SEARCH, ratings: [] },
        { id: 'c', request: { query: { range: { n: { gte: 'x' } } } }, ratings: [] },
      ],
      metric: { precision: { k: 2 } },
      max_concurrent_searches: 1,
    };
    const { status, json } = await node.ask('POST', '/lib/_rank_eval', JSON.stringify(body));
    expect(status).toBe(200);
    const plain = { _index: 'lib', _score: null };
    expect(json).toMatchObject({
      metric_score: 0.25,
      details: {
        a: {
          metric_score: 0.5,
          unrated_docs: [{ _index: 'lib', _id: '1' }],
          hits: [
            { hit: { ...plain, _id: '1', _source: { n: 1 }, sort: [1] }, rating: null },
            { hit: { ...plain, _id: '2', _source: { n: 2 }, sort: [2] }, rating: 1 },
          ],
          metric_details: { precision: { relevant_docs_retrieved: 1, docs_retrieved: 2 } },
        },
        b: { metric_score: 0, hits: [{ hit: { ...plain, _id: '1', sort: [1] }, rating: null }, {}] },
      },
      failures: { c: { error: { type: 'search_phase_execution_exception' } } },
    });
    expect(Object.keys((json as { details: object }).details)).toEqual(['a', 'b']);
    const none = { ...body, requests: [body.requests[0]] };
    expect((await node.ask('POST', '/none/_rank_eval', JSON.stringify(none))).json).toMatchObject({
      metric_score: 'NaN',
      details: {},
      failures: { a: { error: { type: 'index_not_found_exception' } } },
    });
  });

  const one = { id: 'a', request: SEARCH, ratings: RATINGS };
  const templated = { id: 'a', template_id: 't', params: { word: 'berlin' }, ratings: RATINGS };
  const precision = { precision: {} };
  test.each([{ source: { query: { match: { t: '{{word}}' } } } }, { id: 'stored' }])(
    'makes searches of templates: %j',
    async (template) => {
      const node = await library();
      const script = { lang: 'mustache', source: { query: { match: { t: '{{word}}' } } } };
      await node.ask('PUT', '/_scripts/stored', { script });
      const body = { requests: [templated], templates: [{ id: 't', template }], metric: precision };
      const { json } = await node.ask('POST', '/lib/_rank_eval', body);
      expect(json).toMatchObject({ metric_score: 0.25, failures: {} });
    },
  );

  test.each([
    [{ metric: precision }, 'Required [requests]'],
    [{ requests: [one] }, 'Required [metric]'],
    [{ requests: [], metric: precision }, 'Cannot evaluate ranking if no search requests'],
    [{ requests: [{ ...one, id: undefined }], metric: precision }, 'Required [id]'],
    [{ requests: [{ ...one, ratings: undefined }], metric: precision }, 'Required [ratings]'],
    [{ requests: [{ ...one, request: undefined }], metric: precision }, 'Need to set at least test request'],
    [
      { requests: [{ ...one, ratings: [...RATINGS, ...RATINGS] }], metric: precision },
      'Found duplicate rated document',
    ],
    [{ requests: [{ ...one, ratings: [{ _index: 'lib', _id: '1' }] }], metric: precision }, 'Required [rating]'],
    [{ requests: [{ ...one, x: 1 }], metric: precision }, '[request] unknown field [x]'],
    [{ requests: [{ ...one, params: { x: 1 } }], metric: precision }, 'Ambiguous rated request'],
    [{ requests: [templated], metric: precision }, 'if neither template nor evaluation request is provided'],
    [{ requests: [templated], metric: precision, templates: [{ id: 'other', template: { source: '{}' } }] }, '[t]'],
    [{ requests: [templated], metric: precision, templates: [{ id: 't' }] }, 'Required [template]'],
    [{ requests: [templated], metric: precision, templates: [{ id: 't', template: '{}' }] }, 'VALUE_STRING'],
    [{ requests: [{ ...templated, params: {} }], metric: precision, templates: [] }, 'Need to set at least'],
    [{ requests: [one], metric: { x: {} } }, 'unknown field [x]'],
    [{ requests: [one], metric: { precision: { x: 1 } } }, '[precision] unknown field [x]'],
    [{ requests: [one], metric: { precision: { k: 0 } } }, 'Window size k must be positive.'],
    [
      { requests: [one], metric: precision, max_concurrent_searches: 0 },
      'maxConcurrentSearchRequests must be positive',
    ],
    [
      { requests: [{ ...one, request: { aggs: { a: { terms: { field: 'n' } } } } }], metric: precision },
      'aggregations.',
    ],
    [{ requests: [{ ...one, request: { explain: true } }], metric: precision }, 'should not use explain.'],
    [{ requests: [{ ...one, request: { profile: true } }], metric: precision }, 'should not use profile.'],
  ])('%j is refused', async (body, reason) => {
    const node = await library();
    const { status, json } = await node.ask('POST', '/lib/_rank_eval', JSON.stringify(body));
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(reason);
  });
});
