import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

const MAPPING = { properties: { t: { type: 'text' }, k: { type: 'keyword' }, d: { type: 'date' } } };

function twoIndices() {
  const { ask } = testNode({
    indices: [indexOf('a', { mapping: MAPPING, shards: 2 }), indexOf('b', { mapping: MAPPING })],
  });
  return async (path: string, body?: object) => (await ask('POST', path, body)).json;
}

test('a query is valid, and explained as it was compiled, by one shard of each index', async () => {
  const ask = twoIndices();
  await ask('/a/_doc/1?refresh', { t: 'quick fox' });
  expect(await ask('/_validate/query', { query: { match: { t: 'quick fox' } } })).toEqual({
    _shards: { total: 2, successful: 2, failed: 0 },
    valid: true,
  });
  expect(await ask('/a/_validate/query?explain=true', { query: { match: { t: 'quick fox' } } })).toEqual({
    _shards: { total: 1, successful: 1, failed: 0 },
    valid: true,
    explanations: [{ index: 'a', valid: true, explanation: 't:quick t:fox' }],
  });
});

test('all shards tell what they compile it to', async () => {
  const { explanations } = await twoIndices()('/a/_validate/query?rewrite=true&all_shards=true&q=k:x');
  expect(explanations).toEqual([0, 1].map((shard) => ({ index: 'a', shard, valid: true, explanation: 'k:x' })));
});

test.each([
  [
    { rank_feature: { field: 'f' } },
    'FeatureQuery(field=_feature, feature=f, function=SaturationFunction(pivot=null))',
    /SaturationFunction\(pivot=[\d.]+\)/,
  ],
  [
    { has_child: { type: 'answer', query: { match_all: {} } } },
    'LateParsingQuery {joinField=j#question}',
    'GlobalOrdinalsQuery{joinField=j#question}',
  ],
])('what the shard has is looked at only where the query is rewritten: %j', async (query, plain, rewritten) => {
  const properties = { f: { type: 'rank_feature' }, j: { type: 'join', relations: { question: 'answer' } } };
  const { ask } = testNode({ indices: [indexOf('a', { mapping: { properties } })] });
  const told = async (more: string) =>
    (await ask('POST', `/a/_validate/query?explain=true${more}`, { query })).json.explanations[0].explanation;
  await ask('PUT', '/a/_doc/1?refresh', { f: 3, j: 'question' });
  expect(await told('')).toBe(plain);
  expect(await told('&rewrite=true')).toMatch(rewritten);
});

test('without a query it is that of all documents', async () => {
  const { explanations } = await twoIndices()('/b/_validate/query?explain=true');
  expect(explanations).toEqual([{ index: 'b', valid: true, explanation: '*:*' }]);
});

test('what a shard cannot compile is not valid, and said why where that is asked for', async () => {
  const ask = twoIndices();
  const query = { range: { d: { gte: 'foo' } } };
  expect(await ask('/b/_validate/query', { query })).toEqual({
    _shards: { total: 1, successful: 1, failed: 0 },
    valid: false,
  });
  const { valid, explanations } = await ask('/b/_validate/query?explain=true', { query });
  expect([valid, explanations[0].valid]).toEqual([false, false]);
  expect(explanations[0].error).toMatch(
    /^\[b\/[^\]]+\] QueryShardException\[failed to create query: failed to parse date field \[foo\].*; nested: /,
  );
});

test.each([
  [
    { query: { boool: {} } },
    /unknown query \[boool\] did you mean \[bool\]\?\]; nested: NamedObjectNotFoundException\[.*\];; org\.elasticsearch\.common\.xcontent\.NamedObjectNotFoundException: /,
  ],
  [{ match_all: {} }, /^org\.elasticsearch\.common\.ParsingException: request does not support \[match_all\]$/],
])('what cannot be parsed is not valid: %j', async (body, error) => {
  const ask = twoIndices();
  expect(await ask('/_validate/query', body)).toEqual({ valid: false });
  expect(await ask('/_validate/query?explain=true', body)).toEqual({
    valid: false,
    error: expect.stringMatching(error),
  });
});

test('an index that is not there is an error, not an invalid query', async () => {
  const { ask } = testNode({ indices: [] });
  expect((await ask('POST', '/nope/_validate/query', {})).status).toBe(404);
});

test('a text of a query that has no grammar is told by the exception of that grammar', async () => {
  const body = { query: { query_string: { query: 'mp3 - -', default_field: 't' } } };
  const { explanations } = await twoIndices()('/a/_validate/query?explain=true', body);
  expect(explanations[0].error).toMatch(/QueryShardException\[.*nested: ParseException\[Cannot parse 'mp3 - -'/s);
});
