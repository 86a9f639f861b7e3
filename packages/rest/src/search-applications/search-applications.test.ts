import { beforeEach, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const APP = '/_application/search_application/app';
const kept = {
  properties: {
    name: { type: 'keyword' },
    indices: { type: 'keyword' },
    analytics_collection_name: { type: 'keyword' },
    updated_at_millis: { type: 'date' },
    template: { type: 'object', enabled: false },
  },
};
const mapping = { properties: { a: { type: 'keyword' }, b: { type: 'keyword' } } };
const script = { source: { query: { term: { '{{f}}': '{{v}}' } }, sort: ['a'] }, params: { f: 'a', v: 'x' } };

let node: TestNode;

beforeEach(async () => {
  node = testNode({
    indices: [
      { ...indexOf('lib'), mapping },
      { ...indexOf('more'), mapping },
      { ...indexOf('other'), mapping },
      { ...indexOf('.search-app'), mapping: kept },
    ],
  });
  for (const index of ['lib', 'more', 'other']) {
    const docs = lines({ index: { _id: '1' } }, { a: 'x', b: 'y' }, { index: { _id: '2' } }, { a: 'y', b: 'x' });
    await node.ask('POST', `/${index}/_bulk?refresh=true`, docs);
  }
});

const put = (more: object = {}, parameters = '') =>
  node.ask('PUT', `${APP}${parameters}`, { indices: ['more', 'lib'], template: { script }, ...more });

const found = (json: { readonly hits: { readonly hits: readonly { _index: string; _id: string }[] } }) =>
  json.hits.hits.map(({ _index, _id }) => `${_index}/${_id}`).toSorted();

describe('a search application', () => {
  test('is made, replaced, shown, listed and deleted', async () => {
    expect([(await put()).status, (await put()).json]).toEqual([201, { result: 'updated' }]);
    const again = await put({}, '?create=true');
    expect([again.status, again.json.error.type]).toEqual([409, 'version_conflict_engine_exception']);
    expect((await node.ask('GET', APP)).json).toEqual({
      name: 'app',
      indices: ['lib', 'more'],
      updated_at_millis: expect.any(Number),
      template: { script },
    });
    const listed = async (parameters: string) =>
      (await node.ask('GET', `/_application/search_application${parameters}`)).json.count;
    expect([await listed(''), await listed('?q=a*'), await listed('?q=b*')]).toEqual([1, 1, 0]);
    expect((await node.ask('DELETE', APP)).json).toEqual({ acknowledged: true });
    for (const method of ['GET', 'DELETE']) expect((await node.ask(method, APP)).status).toBe(404);
  });

  test('searches its indices with its parameters and those of the request', async () => {
    await put();
    expect(found((await node.ask('GET', `${APP}/_search`)).json)).toEqual(['lib/1', 'more/1']);
    const given = await node.ask('POST', `${APP}/_search`, { params: { f: 'b' } });
    expect(found(given.json)).toEqual(['lib/2', 'more/2']);
    const aggs = { n: { value_count: { field: 'a' } } };
    await put({ template: { script: { source: { aggs } } } });
    const typed = await node.ask('POST', `${APP}/_search?typed_keys=true`);
    expect(typed.json.aggregations).toEqual({ 'value_count#n': { value: 4 } });
  });

  test('shows the search that it would make', async () => {
    await put();
    const { json } = await node.ask('POST', `${APP}/_render_query`, { params: { v: 'a"b' } });
    expect(json).toEqual({ query: { term: { a: { value: 'a"b' } } }, sort: ['a'] });
    const query = {
      bool: {
        filter: { geo_distance: { distance: '1km', p: [1, 2] } },
        must: { term: { a: { value: 1, boost: 2 } } },
      },
    };
    await put({ template: { script: { source: { query } } } });
    const shown = await node.ask('POST', `${APP}/_render_query`);
    expect(shown.json.query.bool).toMatchObject({
      filter: [{ geo_distance: { p: [1, 2], distance: 1000 } }],
      must: [{ term: { a: { value: 1, boost: 2 } } }],
    });
  });

  test('without a template searches all fields by a query string', async () => {
    await put({ template: undefined });
    const all = await node.ask('POST', `${APP}/_search`);
    expect(found(all.json)).toEqual(['lib/1', 'lib/2', 'more/1', 'more/2']);
    const some = await node.ask('POST', `${APP}/_search`, { params: { query_string: 'b:y' } });
    expect(found(some.json)).toEqual(['lib/1', 'more/1']);
    expect((await node.ask('GET', APP)).json.template.script.params).toEqual({ query_string: '*', default_field: '*' });
  });

  test.each([
    [{ indices: undefined }, 400, 'Required [indices]'],
    [{ indices: [] }, 400, '[indices] of a search application must not be empty'],
    [{ indices: ['none'] }, 404, 'no such index [none]'],
    [{ template: {} }, 400, 'Required [script]'],
    [{ template: { script: {} } }, 400, 'must specify either [source]'],
    [{ template: { script, dictionary: {} } }, 400, '[dictionary] of a search application is not supported'],
    [{ template: { script: { ...script, lang: 'painless' } } }, 400, 'are in [mustache], not [painless]'],
    [{ template: { script: { ...script, options: { a: 'b' } } } }, 400, 'unknown field [options]'],
    [{ more: 1 }, 400, 'unknown field [more]'],
  ])('of %j is refused', async (more, status, reason) => {
    const answer = await put(more);
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(reason)]);
  });

  test('refuses what it does not read, and a name that is none', async () => {
    await put();
    const answer = await node.ask('POST', `${APP}/_search`, { query: { match_all: {} } });
    expect([answer.status, answer.json.error.reason]).toEqual([400, expect.stringContaining('unknown field [query]')]);
    expect((await node.ask('POST', '/_application/search_application/none/_search')).status).toBe(404);
  });
});
