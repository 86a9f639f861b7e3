import { describe, expect, test } from 'vitest';
import { differenceOf } from './compare.mjs';
import { explainedOf, explanationOf } from './explained.mjs';
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

test('answers are the same whichever node shards failed on, and wherever in a text a document of a pipeline failed', () => {
  const failed = (node) => ({
    error: { type: 'a', caused_by: { type: 'a', failed_shards: [{ shard: 0, node }] } },
    status: 400,
  });
  expect(difference(failed('x'), failed('y'))).toBeNull();
  const rated = (node) => ({ metric_score: 0, failures: { one: failed(node) } });
  expect(difference(rated('x'), rated('y'))).toBeNull();
  const simulated = (column, type = 't') => ({
    docs: [{ error: { type, reason: `bad\n at [Source: x; line: 1, column: ${column}]` } }],
  });
  expect(difference(simulated(4), simulated(5))).toBeNull();
  expect(difference(simulated(4), simulated(5, 'u'))).toBe('docs[0].error.type: "t", not "u"');
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
  test('hides none that stands behind it', () => {
    const request = { class: 'sort', path: '/i/_search', body: { sort: ['n'] } };
    const page = (sort, more = {}) => answer(found(hit('a', null, { sort: [sort], ...more })));
    const told = (ours, theirs) => explainedOf(request, [ours, theirs]);
    const last = '#9223372036854775807';
    expect(told(page(last), page(2147483647))).toMatchObject({ difference: null });
    expect([...told(page(last), page(2147483647)).reasons.values()]).toEqual([
      `hits.hits[0].sort[0]: "${last}", not 2147483647`,
    ]);
    expect(told(page(last, { v: 1 }), page(2147483647, { v: 2 })).difference).toBe('hits.hits[0].v: 1, not 2');
  });

  test('is none of a status that OpenSearch adds, nor of an empty meta, where all else is the same', () => {
    const aggregations = { a: { doc_count: 1 } };
    const peer = (count) => ({ ...found(), status: 200, aggregations: { a: { meta: {}, doc_count: count } } });
    expect(difference({ ...found(), aggregations }, peer(1))).toBeNull();
    expect(difference({ ...found(), aggregations }, peer(2))).toBe('aggregations.a.doc_count: 1, not 2');
  });

  test('of hits that were passed over is one whose other hits keep their order', () => {
    const page = (...ids) => answer(found(...ids.map((id, at) => hit(id, null, { sort: [at] }))));
    const request = { path: '/i/_search', body: { sort: ['scaled'] } };
    const reason = (ours, theirs) => explanationOf(request, 'hits.hits[1]: [["b"]], not [["c"]]', [ours, theirs]);
    expect(reason(page('a', 'b', 'c'), page('a', 'c', 'd'))).toMatch(/passes over hits/);
    expect(reason(page('a', 'b', 'c'), page('c', 'a', 'd'))).toBeNull();
    expect(reason(page('a', 'b', 'c'), page('a', 'd', 'c'))).toBeNull();
  });

  test('is that of an estimate only where the aggregation makes one, and as far as it may be off', () => {
    const values = (median) => ({ '25.0': 1, '50.0': median, '75.0': 3 });
    const buckets = (median) => ({
      aggregations: { t: { buckets: { '1.5-*': { 'tdigest_percentiles#a': { values: values(median) } } } } },
    });
    const reason = (percentiles, own, peer) =>
      explanationOf(
        { body: { aggs: { t: { range: {}, aggs: { a: { percentiles } } } } } },
        `aggregations.t.buckets.1.5-*.tdigest_percentiles#a.values.50.0: ${own}, not ${peer}`,
        [answer(buckets(own)), answer(buckets(peer))],
      );
    expect(reason({ field: 'n' }, 1.5, 1.6)).toMatch(/t-digest/);
    expect(reason({ field: 'n' }, 3.1, 1.6)).toBeNull();
    expect(reason({ field: 'n', hdr: {} }, 1.5, 1.6)).toMatch(/rounds the number/);
    expect(reason({ field: 'n', hdr: {} }, 1.7, 1.6)).toBeNull();
    const counted = { aggregations: { a: { value: 2421 }, b: { values: values(1) } } };
    const beside = (asked) =>
      explanationOf({ body: { aggs: { a: asked, b: { percentiles: {} } } } }, 'aggregations.a.value: 2441, not 2421', [
        answer(counted),
        answer(counted),
      ]);
    expect(beside({ cardinality: {} })).toMatch(/threshold/);
    expect(beside({ max: {} })).toBeNull();
  });

  test('is that of a set of floats only where they are those that the peer sorts by', () => {
    const request = { body: {} };
    const told = (own, peer) => explanationOf(request, `explanation.description: "w:{${own}}", not "w: [${peer}]"`);
    expect(told('16.0 23.25', '1102708736, 1098907648')).toMatch(/a set of numbers/);
    expect(told('-1.5 2.0', '4611686018427387904, -4609434218613702657')).toMatch(/a set of numbers/);
    expect(told('16.0 23.5', '1102708736, 1098907648')).toBeNull();
    expect(told('3 4', '4, 3')).toMatch(/a set of numbers/);
    expect(told('3 5', '4, 3')).toBeNull();
  });

  test('is that of a template only where the peer answers with no JSON', () => {
    const request = { class: '_render/template', body: {} };
    const difference = 'status: 400 {"type":"json_parse_exception","reason":"x"}, not 200';
    const theirs = (text) => [answer({}), answer(text)];
    expect(explanationOf(request, difference, theirs('{"template_output":{"a":"b"c"}}'))).toMatch(/no JSON/);
    expect(explanationOf(request, difference, theirs('{"template_output":{}}'))).toBeNull();
  });

  test('is told by its reason, and only where it applies', () => {
    expect(explanationOf({ body: { aggs: { a: { max: {} } } } }, 'aggregations.a.value: 1, not 2')).toBeNull();
    const rare = { rare_terms: { field: 'k' }, aggs: { b: { avg: { field: 'n' } } } };
    const inner = { body: { aggs: { a: { terms: { field: 'k' }, aggs: { rare } } } } };
    expect(explanationOf(inner, 'aggregations.a.buckets[0].rare.buckets[0].b.value: 1, not 2')).toMatch(/rare terms/);
    expect(explanationOf({ body: { aggs: { rare } } }, 'aggregations.rare.buckets[0].b.value: 1, not 2')).toBeNull();
  });
});

describe('explained differences of aggregations', () => {
  const grown = {
    aggs: { a: { auto_date_histogram: { field: 'd' }, aggs: { b: { significant_terms: { field: 'k' } } } } },
  };
  test('are multiples of one count of documents behind significant terms', () => {
    const reason = (ours, theirs, body = grown) =>
      explanationOf({ body }, `aggregations.a.buckets[0].b.bg_count: ${ours}, not ${theirs}`);
    expect(reason(19_695, 11_817)).toMatch(/counted once for each bucket/);
    expect(reason(0, 1056)).toBeNull();
    expect(reason(19_695, 11_818)).toBeNull();
    expect(reason(19_695, 11_817, { aggs: grown.aggs.a.aggs })).toBeNull();
  });

  test('are ties of one score among significant terms, and no others', () => {
    const body = { aggs: { a: { significant_terms: { field: 'k' } } } };
    const buckets = (...list) =>
      answer({ aggregations: { a: { buckets: list.map(([key, score]) => ({ key, score })) } } });
    const reason = (ours, theirs) => explanationOf({ body }, differenceOf(ours, theirs), [ours, theirs]);
    expect(reason(buckets([1, 1], [2, 1]), buckets([3, 1]))).toMatch(/one score/);
    expect(reason(buckets([1, 1], [2, 0.5]), buckets([3, 1]))).toBeNull();
  });

  test('are rare terms without the last long alone', () => {
    const body = { aggs: { a: { rare_terms: { field: 'n' } } } };
    const buckets = (...list) => ({
      status: 200,
      text: `{"aggregations":{"a":{"buckets":[${list.map(([key, count]) => `{"key":${key},"doc_count":${count}}`).join()}]}}}`,
    });
    const reason = (ours, theirs) => explanationOf({ body }, differenceOf(ours, theirs), [ours, theirs]);
    const last = '9223372036854775807';
    expect(reason(buckets([7, 1], [last, 5]), buckets([last, 2], [7, 1]))).toMatch(/last long/);
    expect(reason(buckets([7, 1], [last, 5]), buckets([last, 2], [8, 1]))).toBeNull();
    expect(reason(buckets([7, 1], [9, 5]), buckets([9, 2], [7, 1]))).toBeNull();
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
