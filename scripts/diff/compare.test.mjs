import { describe, expect, test } from 'vitest';
import { differenceOf } from './compare.mjs';
import { explanationOf } from './explained.mjs';
import { shrink } from './shrink.mjs';

const answer = (value, status = 200) => ({ status, text: typeof value === 'string' ? value : JSON.stringify(value) });
const difference = (ours, theirs) => differenceOf(answer(ours), answer(theirs));
const hit = (_id, _score, more = {}) => ({ _index: 'i', _id, _score, ...more });
const found = (...hits) => ({
  took: 1,
  hits: { total: { value: 9, relation: 'eq' }, max_score: hits[0]?._score ?? null, hits },
});

describe('answers are the same', () => {
  test.each([
    ['whatever they took and which node answered', { took: 1, a: 1 }, { took: 99, a: 1 }],
    ['when scores differ in the last bits', found(hit('a', 1.0000001)), found(hit('a', 1))],
    [
      'when ties stand in another order',
      found(hit('a', 2), hit('b', 1), hit('c', 1), hit('d', 0)),
      found(hit('a', 2), hit('c', 1), hit('b', 1), hit('d', 0)),
    ],
    ['when a page ends with another of several ties', found(hit('a', 2), hit('b', 1)), found(hit('a', 2), hit('c', 1))],
    [
      'when a text has digits in it that look like a number',
      { took: 1, a: 'n:[-9223372036854775808, 9223372036854775807]' },
      { took: 2, a: 'n:[-9223372036854775808, 9223372036854775807]' },
    ],
    [
      'when sums differ in the last bits',
      { aggregations: { a: { value: 0.1 + 0.2 } } },
      { aggregations: { a: { value: 0.3 } } },
    ],
  ])('%s', (_, ours, theirs) => {
    expect(difference(ours, theirs)).toBeNull();
  });
});

describe('answers differ', () => {
  test.each([
    ['in a score', found(hit('a', 1.01)), found(hit('a', 1)), 'hits.max_score: 1.01, not 1'],
    [
      'in what a tied hit shows',
      found(hit('a', 1), hit('b', 1, { x: 1 })),
      found(hit('b', 1, { x: 2 }), hit('a', 1)),
      'hits.hits[0].x: 1, not 2',
    ],
    [
      'in the order of hits that are no ties',
      found(hit('a', 2), hit('b', 1), hit('c', 0)),
      found(hit('b', 2), hit('a', 1), hit('c', 0)),
      /^hits\.hits\[1\]: \[\["b",1\]\], not/,
    ],
    ['in the number of hits', found(hit('a', 1)), found(hit('a', 1), hit('b', 1)), 'hits.hits: 1 hits, not 2'],
    ['in a member', { a: { b: 1 } }, { a: { b: 1, c: null } }, 'a.c: nothing, not null'],
    ['in the order of buckets', { a: [{ key: 1 }, { key: 2 }] }, { a: [{ key: 2 }, { key: 1 }] }, 'a[0].key: 1, not 2'],
  ])('%s', (_, ours, theirs, expected) => {
    if (expected instanceof RegExp) expect(difference(ours, theirs)).toMatch(expected);
    else expect(difference(ours, theirs)).toBe(expected);
  });

  test('in the last digit of a whole number that a double cannot hold', () => {
    expect(difference('{"n":9007199254740993}', '{"n":9007199254740992}')).toBe(
      'n: "#9007199254740993", not "#9007199254740992"',
    );
  });

  test('in the status, and say why', () => {
    const refused = { error: { root_cause: [{ type: 't', reason: 'r' }], type: 't', reason: 'r' }, status: 400 };
    expect(differenceOf(answer({}), answer(refused, 400))).toBe('status: 200, not 400 {"type":"t","reason":"r"}');
  });
});

describe('a request that differs', () => {
  test('is made as small as it can be while it differs in the same place', async () => {
    const body = { query: { bool: { must: [{ match_all: {} }, { bad: { x: 1 } }], filter: [] } }, size: 3 };
    const differs = async (request) => (JSON.stringify(request.body).includes('"bad"') ? 'hits.total: 1, not 2' : null);
    expect((await shrink({ body }, differs)).body).toEqual({ query: { bad: {} } });
  });
});

describe('an explained difference', () => {
  test('of hits that were passed over is one whose other hits keep their order', () => {
    const page = (...ids) => answer(found(...ids.map((id, at) => hit(id, null, { sort: [at] }))));
    const request = { path: '/i/_search', body: { sort: ['scaled'] } };
    const reason = (ours, theirs) => explanationOf(request, 'hits.hits[1]: [["b"]], not [["c"]]', [ours, theirs]);
    expect(reason(page('a', 'b', 'c'), page('a', 'c', 'd'))).toMatch(/passes over hits/);
    expect(reason(page('a', 'b', 'c'), page('c', 'a', 'd'))).toBeNull();
    expect(reason(page('a', 'b', 'c'), page('a', 'd', 'c'))).toBeNull();
  });

  test('is told by its reason, and only where it applies', () => {
    const percentiles = { body: { aggs: { a: { percentiles: { field: 'n' } } } } };
    expect(explanationOf(percentiles, 'aggregations.a.values.50.0: 1.5, not 1.6')).toMatch(/estimates/);
    expect(explanationOf(percentiles, 'aggregations.a.values.50.0: nothing, not 1.6')).toBeNull();
    expect(explanationOf({ body: { aggs: { a: { max: {} } } } }, 'aggregations.a.value: 1, not 2')).toBeNull();
    const rare = { rare_terms: { field: 'k' }, aggs: { b: { avg: { field: 'n' } } } };
    const inner = { body: { aggs: { a: { terms: { field: 'k' }, aggs: { rare } } } } };
    expect(explanationOf(inner, 'aggregations.a.buckets[0].rare.buckets[0].b.value: 1, not 2')).toMatch(/rare terms/);
    expect(explanationOf({ body: { aggs: { rare } } }, 'aggregations.rare.buckets[0].b.value: 1, not 2')).toBeNull();
  });
});

describe('explanations of a peer', () => {
  const weight = (term, value, doc) => ({
    value,
    description: `weight(${term} in ${doc}) [PerFieldSimilarity], result of:`,
  });
  const explained = (value, ...details) => ({
    status: 200,
    text: JSON.stringify({ matched: true, explanation: { value, description: 'sum of:', details } }),
  });
  const reason = (ours, theirs) =>
    explanationOf({ class: '_explain', body: {} }, differenceOf(ours, theirs), [ours, theirs]);

  test('may stand in another tree, where the weights are the same', () => {
    const ours = explained(3, weight('a:x', 1, 7), {
      value: 2,
      description: 'max of:',
      details: [weight('a:y', 2, 7)],
    });
    expect(reason(ours, explained(3, weight('a:y', 2, 9), weight('a:x', 1, 9)))).toMatch(/rewrites a query/);
    expect(reason(ours, explained(3, weight('a:y', 1, 9), weight('a:x', 2, 9)))).toBeNull();
    expect(reason(ours, explained(4, weight('a:y', 2, 9), weight('a:x', 1, 9)))).toBeNull();
  });

  test('are compared without the filter that keeps nested documents out', () => {
    const own = { value: 1, description: 'weight', details: [] };
    const exists = { value: 1, description: 'FieldExistsQuery [field=_primary_term]', details: [] };
    const clause = { value: 0, description: 'match on required clause, product of:', details: [{ value: 0 }, exists] };
    const wrapped = { value: 1, description: 'sum of:', details: [own, clause] };
    expect(difference({ explanation: own }, { explanation: wrapped })).toBeNull();
    const text = '+(a:(x) b:y) #FieldExistsQuery [field=_primary_term]';
    expect(difference({ explanation: 'a:(x) b:y' }, { explanation: text })).toBeNull();
    expect(difference({ explanation: 'a:z' }, { explanation: text })).not.toBeNull();
  });
});
