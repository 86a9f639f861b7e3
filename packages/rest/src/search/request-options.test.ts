import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const mapping = {
  properties: {
    n: { type: 'long' },
    d: { type: 'float' },
    k: { type: 'keyword' },
    wide: { type: 'long' },
    x: { type: 'text', term_vector: 'with_positions_offsets' },
  },
};

async function lib() {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  await ask('PUT', '/lib/_doc/1', { n: 3, d: 1.5, k: 'a', wide: '9223372036854775807', x: 'a b c' });
  await ask('PUT', '/lib/_doc/2', { d: 2.5 });
  return async (body: object) => ask('POST', '/lib/_search', body);
}

test('a sort shows its numbers as numeric_type says', async () => {
  const search = await lib();
  const shown = async (sort: object) => (await search({ sort: [sort] })).text.match(/"sort":\[[^\]]*\]/g);
  expect(await shown({ n: { numeric_type: 'double' } })).toEqual(['"sort":[3.0]', '"sort":["Infinity"]']);
  expect(await shown({ n: { numeric_type: 'long', missing: 7 } })).toEqual(['"sort":[3]', '"sort":[7]']);
  expect(await shown({ d: { numeric_type: 'double', order: 'desc' } })).toEqual(['"sort":[2.5]', '"sort":[1.5]']);
  expect(await shown({ d: { numeric_type: 'long', order: 'desc' } })).toEqual(['"sort":[2]', '"sort":[1]']);
  expect(await shown({ wide: { numeric_type: 'double' } })).toEqual([
    '"sort":[9.223372036854776E18]',
    '"sort":["Infinity"]',
  ]);
});

test.each([
  [
    { sort: { k: { numeric_type: 'long' } } },
    '[numeric_type] option cannot be set on a non-numeric field, got keyword',
  ],
  [
    { sort: { n: { numeric_type: 'foo' } } },
    'invalid value for [numeric_type], must be [long, double, date, date_nanos]',
  ],
  [{ query: { range: { n: { gte: 1, relation: 'foo' } } } }, 'foo is not a valid relation'],
  [{ query: { range: { n: { gte: 1, relation: 'DISJOINT' } } } }, '[range] query does not support relation [disjoint]'],
  [
    { query: { match: { x: { query: 'a', cutoff_frequency: 1 } } } },
    '[match] query does not support [cutoff_frequency]',
  ],
  [
    { query: { multi_match: { query: 'a', fields: ['x'], cutoff_frequency: 1 } } },
    '[multi_match] query does not support [cutoff_frequency]',
  ],
  [
    { highlight: { type: 'plain', fragmenter: 'foo', fields: { x: {} } } },
    'unknown fragmenter option [foo] for the field [x]',
  ],
  [{ highlight: { fields: { x: { options: { a: 1 } } } } }, '[options] is not supported'],
  [{ highlight: { fields: { x: { max_fragment_length: 3 } } } }, 'unknown field [max_fragment_length]'],
])('what is not built, or means nothing, is refused: %j', async (body, text) => {
  const { status, json } = await (await lib())(body);
  // A field's own error is the cause of that of the whole.
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(text)]);
});

test.each([
  [{ must_not: [{ term: { k: 'b' } }] }, 2],
  [{ must_not: [{ term: { k: 'b' } }], adjust_pure_negative: false }, 0],
  [{ must_not: [{ term: { k: 'b' } }], filter: [{ term: { k: 'a' } }], adjust_pure_negative: false }, 1],
])('a bool query that only excludes finds the rest, unless it says not to: %j', async (bool, count) => {
  const { json } = await (await lib())({ query: { bool } });
  expect(json.hits.total.value).toBe(count);
});

test('the margin before a mark is an option of a single field', async () => {
  const { json } = await (await lib())({ highlight: { fragment_offset: 3, fields: { x: {} } } });
  expect(json.error.reason).toContain('[highlight] unknown field [fragment_offset]');
});

test('options of another highlighter are left alone', async () => {
  const search = await lib();
  const fields = { x: { fragment_offset: 3 } };
  const highlight = { fragmenter: 'simple', phrase_limit: 1, options: {}, fields };
  const { json } = await search({ query: { match: { x: 'c' } }, highlight });
  expect(json.hits.hits[0].highlight).toEqual({ x: ['a b <em>c</em>'] });
});

test.each([
  ['plain', "can't <b> x"],
  ['unified', 'can&#x27;t &lt;b&gt; x'],
])('a text without a match is encoded by the highlighters that make it: %s', async (type, shown) => {
  const { ask } = testNode({ indices: [indexOf('lib', { mapping })] });
  await ask('PUT', '/lib/_doc/1', { x: "can't <b> x" });
  const highlight = { encoder: 'html', fields: { x: { type, no_match_size: 40 } } };
  const { json } = await ask('POST', '/lib/_search', { highlight });
  expect(json.hits.hits[0].highlight.x).toEqual([shown]);
});

test('a query of marks that its field does not allow is refused where nothing is marked too', async () => {
  const query = { multi_match: { query: 'a b', fields: ['k'], type: 'phrase_prefix' } };
  const highlight = { fields: { x: { highlight_query: query } } };
  const { status, json } = await (await lib())({ query: { match_none: {} }, highlight });
  expect([status, json.error.root_cause[0]]).toMatchObject([400, { type: 'illegal_argument_exception' }]);
});

test('an explained terms_set names the terms that match', async () => {
  const script = { source: '1' };
  const query = { terms_set: { k: { terms: ['a', 'b'], minimum_should_match_script: script } } };
  const { json } = await (await lib())({ query, explain: true });
  const { description, details } = json.hits.hits[0]._explanation;
  expect(description).toBe('1 matches for 1 required matches, sum of:');
  expect(details.map(({ value }: { value: number }) => value)).toEqual([json.hits.hits[0]._score]);
});
