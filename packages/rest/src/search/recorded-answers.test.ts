/**
 * Answers of a real server to what random requests were found to differ in.
 */
import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: {
    n: { type: 'long' },
    k: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    x: { type: 'text', term_vector: 'with_positions_offsets' },
    items: { type: 'nested', properties: { n: { type: 'long' } } },
    relation: { type: 'join', relations: { question: 'answer' } },
  },
};

async function lib() {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  const sources = [
    { n: 1, k: 'a', at: '2020-01-01', x: 'one fox two fox three fox four', relation: 'question' },
    { n: 2, k: 'b', at: '2020-03-01', place: ['9.93,152.53', '-35.49,-168.01', '-23.97,107.63'], x: 'a dog' },
  ];
  for (const [at, source] of sources.entries()) await ask('PUT', `/lib/_doc/${at + 1}`, source);
  await ask('PUT', '/lib/_doc/3?routing=1', { x: 'fox', relation: { name: 'answer', parent: '1' } });
  return async (body: object, api = '_search') => ask('POST', `/lib/${api}`, body);
}

const FOX = { match: { x: 'fox' } };
const ids = (json: { hits: { hits: { _id: string }[] } }): string[] => json.hits.hits.map(({ _id }) => _id);

test('the simple fragmenter cuts wherever a fragment is full, also before a short rest', async () => {
  const search = await lib();
  const shown = async (fragmenter: string) => {
    const highlight = { fields: { x: { type: 'plain', fragmenter, fragment_size: 12 } } };
    return (await search({ query: { term: { n: 1 } }, highlight: { ...highlight, highlight_query: FOX } })).json.hits
      .hits[0].highlight.x;
  };
  expect(await shown('span')).toEqual(['one <em>fox</em> two', ' <em>fox</em> three <em>fox</em> four']);
  expect(await shown('simple')).toEqual(['one <em>fox</em> two', ' <em>fox</em> three', ' <em>fox</em> four']);
});

test('phrase_limit is how many marks of a text are looked at', async () => {
  const search = await lib();
  const highlight = { fields: { x: { type: 'fvh', phrase_limit: 2 } } };
  const { json } = await search({ query: FOX, highlight });
  expect(json.hits.hits.find(({ _id }: { _id: string }) => _id === '1').highlight.x).toEqual([
    'one <em>fox</em> two <em>fox</em> three fox four',
  ]);
});

test.each([
  [{ fragment_size: 0 }, 'fragCharSize(0) is too small. It must be 18 or higher.'],
  [{ fragment_size: 60, fragment_offset: 30 }, 'fragCharSize(60) is too small. It must be 90 or higher.'],
])('fragments too small for the margin are refused where nothing is marked too: %j', async (options, reason) => {
  const { json } = await (await lib())({ highlight: { fields: { x: { type: 'fvh', ...options } } } });
  expect(JSON.stringify(json)).toContain(reason);
});

test('an amount of -1 in a highlight is what holds without it', async () => {
  const search = await lib();
  const highlight = { number_of_fragments: -1, fragment_size: -1, fields: { x: {} } };
  const { json } = await search({ query: { term: { n: 1 } }, highlight: { ...highlight, highlight_query: FOX } });
  expect(json.hits.hits[0].highlight.x).toEqual(['one <em>fox</em> two <em>fox</em> three <em>fox</em> four']);
});

test('what is asked of a parent is not marked in its children', async () => {
  const search = await lib();
  const query = { has_parent: { parent_type: 'question', query: FOX } };
  const { json } = await search({ query, highlight: { fields: { x: {} } } });
  expect(ids(json)).toEqual(['3']);
  expect(json.hits.hits[0].highlight).toBeUndefined();
});

test('several points of a document are shown in the order of their texts', async () => {
  const { json } = await (await lib())({ query: { term: { n: 2 } }, docvalue_fields: ['place'] });
  expect(json.hits.hits[0].fields.place).toEqual([
    '-23.970000031404197, 107.6299999281764',
    '-35.49000003375113, -168.0100000742823',
    '9.929999993182719, 152.52999996766448',
  ]);
});

test.each(['function_score', 'script_score'])(
  'the least score of a %s worth nothing is one without its boost',
  async (kind) => {
    const search = await lib();
    const own =
      kind === 'script_score'
        ? { query: { match_all: {} }, script: { source: '_score * 2' } }
        : { query: { match_all: {} } };
    const { json } = await search({ query: { [kind]: { ...own, min_score: 1, boost: 0 } } });
    expect([json.hits.total.value, json.hits.max_score]).toEqual([3, 0]);
  },
);

test('a score that is too low is told as a number with a fraction', async () => {
  const query = { function_score: { query: FOX, min_score: 5, boost_mode: 'replace', functions: [{ weight: 1 }] } };
  const { json } = await (await lib())({ query }, '_explain/1');
  expect(json.explanation.description).toBe('Score value is too low, expected at least 5.0 but got 1.0');
});

test('a sort by a field that is not there is refused without hits too', async () => {
  const { status, json } = await (await lib())({ size: 0, sort: [{ nope: {} }] });
  expect(status).toBe(400);
  expect(json.error.root_cause[0]).toMatchObject({
    type: 'query_shard_exception',
    reason: 'No mapping found for [nope] in order to sort on',
  });
});

test('pages of a composite aggregation may stand in a filter', async () => {
  const page = { composite: { sources: [{ k: { terms: { field: 'k' } } }] } };
  const { json } = await (await lib())({ aggs: { one: { filter: { term: { n: 1 } }, aggs: { page } } } });
  expect(json.aggregations.one.page.buckets).toEqual([{ key: { k: 'a' }, doc_count: 1 }]);
});

test('empty buckets of a histogram show a matrix without combinations, and what nested aggregations make of nothing', async () => {
  const search = await lib();
  const filters = { early: { range: { n: { lte: 1 } } } };
  const months = { field: 'at', calendar_interval: 'month' };
  const matrix = await search({
    aggs: { by: { date_histogram: months, aggs: { matrix: { adjacency_matrix: { filters } } } } },
  });
  expect(matrix.json.aggregations.by.buckets.map(({ matrix }: { matrix: object }) => matrix)).toEqual([
    { buckets: [{ key: 'early', doc_count: 1 }] },
    { buckets: [] },
    { buckets: [] },
  ]);
  const bounds = { extended_bounds: { min: '2020-01-01', max: '2020-01-31' } };
  const inside = { nested: { path: 'items' }, aggs: { mean: { avg: { field: 'items.n' } } } };
  const none = await search({
    query: { match_none: {} },
    aggs: { by: { date_histogram: { ...months, ...bounds }, aggs: { inside } } },
  });
  expect(none.json.aggregations.by.buckets[0].inside).toEqual({ doc_count: 0, mean: { value: null } });
});

test('spans inside others tell by name whether they match', async () => {
  const search = await lib();
  const dog = { span_term: { x: { value: 'dog', _name: 'dog' } } };
  const fox = { span_term: { x: { value: 'fox', _name: 'fox' } } };
  const { json } = await search({
    query: { span_or: { clauses: [{ span_near: { clauses: [dog] } }, fox], _name: 'any' } },
  });
  const names = json.hits.hits.map((hit: { _id: string; matched_queries: string[] }) => [hit._id, hit.matched_queries]);
  expect(Object.fromEntries(names)).toEqual({ 1: ['any', 'fox'], 2: ['any', 'dog'], 3: ['any', 'fox'] });
});

test('a near span of one clause is that clause', async () => {
  const { json } = await (await lib())(
    { query: { span_near: { clauses: [{ span_term: { x: 'fox' } }], slop: 3 } } },
    '_validate/query?explain=true',
  );
  expect(json.explanations[0].explanation).toBe('x:fox');
});

test('what a query that cannot match holds has no name to match', async () => {
  const search = await lib();
  const named = { term: { k: { value: 'a', _name: 'inside' } } };
  const none = { bool: { must: [{ terms: { n: [] } }], filter: [named] } };
  const { json } = await search({
    query: { bool: { should: [none, { term: { k: { value: 'a', _name: 'beside' } } }] } },
  });
  expect(json.hits.hits[0].matched_queries).toEqual(['beside']);
});

const source = (value: unknown): object => ({ aggs: { a: { composite: { sources: [value] } } } });
const ranges = (kind: string, field: string, value: unknown): object => ({
  aggs: { a: { [kind]: { field, ranges: value } } },
});

test.each<[object, string, string]>([
  [source({}), 'parsing_exception', 'expecting token of type [FIELD_NAME] but found [END_OBJECT]'],
  [source({ s: {} }), 'parsing_exception', 'expecting token of type [FIELD_NAME] but found [END_OBJECT]'],
  [source({ s: 3 }), 'parsing_exception', 'expecting token of type [START_OBJECT] but found [VALUE_NUMBER]'],
  [source({ s: { foo: { field: 'k' } } }), 'parsing_exception', 'invalid source type: foo'],
  [{ aggs: { a: { composite: { foo: {} } } } }, 'x_content_parse_exception', '[composite] unknown field [foo]'],
  [ranges('range', 'n', [{ tox: 1 }]), 'x_content_parse_exception', '[range] unknown field [tox] did you mean [to]?'],
  [
    ranges('date_range', 'at', [{ tox: 1 }]),
    'x_content_parse_exception',
    '[range] unknown field [tox] did you mean [to]?',
  ],
  [{ sort: [{ _score: true }] }, 'x_content_parse_exception', '[_score] Expected START_OBJECT but was: END_OBJECT'],
  [
    { sort: [{ _geo_distance: { place: null } }] },
    'illegal_argument_exception',
    'Geo distance sorting needs at least one point.',
  ],
  [{ suggest: { s: { phrase: null } } }, 'parse_exception', 'missing suggestion object'],
  [
    { query: { match_allx: {} } },
    'parsing_exception',
    'unknown query [match_allx] did you mean any of [match_all, match_none]?',
  ],
])('the root of what is wrong is told: %j', async (body, type, reason) => {
  const { status, json } = await (await lib())(body);
  const [root] = json.error.root_cause;
  expect([status, root.type, root.reason]).toEqual([400, type, expect.stringContaining(reason)]);
});

test.each(['date_histogram', 'auto_date_histogram'])('a time zone of %s is for dates alone', async (kind) => {
  const search = await lib();
  const interval = kind === 'date_histogram' ? { calendar_interval: 'year' } : {};
  const { status, json } = await search({ aggs: { a: { [kind]: { field: 'n', time_zone: 'UTC', ...interval } } } });
  expect([status, json.error.root_cause[0].reason]).toEqual([
    400,
    'Field [n] of type [long] does not support custom time zones',
  ]);
  const dates = await search({ aggs: { a: { [kind]: { field: 'at', time_zone: 'UTC', ...interval } } } });
  expect(dates.status).toBe(200);
});

test('a time zone moves the bound of a range that is a count of time', async () => {
  const range = { at: { gte: 1_574_985_600_000, lte: 1_575_000_000_000, time_zone: '+05:30' } };
  const { json } = await (await lib())({ query: { range } }, '_validate/query?explain=true');
  expect(json.explanations[0].explanation).toBe('at:[1574965800000 TO 1574980200000]');
});

test('hits that show no ids show no routing', async () => {
  const { json } = await (await lib())({ query: { match: { x: 'fox' } }, stored_fields: '_none_' });
  expect(json.hits.hits.map((hit: object) => Object.keys(hit))).toEqual([
    ['_index', '_score'],
    ['_index', '_score'],
  ]);
});

test('a variance that is no number is a date like the beginning of time', async () => {
  const aggs = { a: { extended_stats: { field: 'at', format: 'yyyy/MM/dd' } } };
  const { json } = await (await lib())({ query: { term: { n: 1 } }, aggs });
  expect(json.aggregations.a.variance_sampling_as_string).toBe('1970/01/01');
});

test('what joins a document is told where it is no match too', async () => {
  const query = { has_parent: { parent_type: 'question', query: { term: { n: 7 } } } };
  const { json } = await (await lib())({ query }, '_explain/3?routing=1');
  expect(json.explanation.description).toBe('Not a match, join value 1');
});
