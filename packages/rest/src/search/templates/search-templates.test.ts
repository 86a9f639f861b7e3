import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../../http.test-support.ts';

async function library(): Promise<TestNode> {
  const mapping = { properties: { t: { type: 'keyword' } } };
  const node = testNode({ indices: [indexOf('lib', { shards: 3, mapping })] });
  const docs = ['a', 'b', 'a"b'].flatMap((t, i) => [{ index: { _id: `${i}` } }, { t }]);
  await node.ask('POST', '/lib/_bulk?refresh=true', lines(...docs));
  await node.ask('PUT', '/_scripts/by-t', { script: { lang: 'mustache', source: TERM } });
  return node;
}

const TERM = { query: { term: { t: '{{t}}' } } };

const ids = ({ json }: Awaited<ReturnType<TestNode['ask']>>): unknown =>
  json.hits.hits.map(({ _id }: { readonly _id: string }) => _id);

describe('_search/template', () => {
  test.each([
    [{ source: TERM, params: { t: 'b' } }, ['1']],
    [{ source: JSON.stringify(TERM), params: { t: 'b' } }, ['1']],
    [{ id: 'by-t', params: { t: 'a' } }, ['0']],
    [{ source: TERM, params: { t: 'a"b' } }, ['2']],
    [{ source: TERM, params: { t: 'x"}},"size":3,"x":{"a":{"b":"' } }, []],
    [
      { source: '{"query":{"terms":{"t":{{#toJson}}ts{{/toJson}}}},"sort":"t"}', params: { ts: ['b', 'a'] } },
      ['0', '1'],
    ],
    [{ source: '{"size":{{size}}{{^size}}1{{/size}},"sort":"t"}', params: {} }, ['0']],
  ])('searches with what %j makes', async (body, found) => {
    expect(ids(await (await library()).ask('POST', '/lib/_search/template', body))).toEqual(found);
  });

  test('explains and profiles only where the request says so beside the template', async () => {
    const node = await library();
    const source = { explain: true, profile: true };
    const plain = (await node.ask('POST', '/lib/_search/template', { source })).json;
    expect([plain.profile, plain.hits.hits[0]._explanation]).toEqual([undefined, undefined]);
    const { json } = await node.ask('POST', '/lib/_search/template?explain=true', { source: '{}', profile: true });
    expect([json.profile.shards.length, typeof json.hits.hits[0]._explanation]).toEqual([3, 'object']);
  });

  test('takes the parameters of how searches run', async () => {
    const node = await library();
    const { json } = await node.ask('POST', '/_search/template?rest_total_hits_as_int=true&scroll=1m', {
      source: '{"size":1}',
    });
    expect([json.hits.total, typeof json._scroll_id]).toEqual([3, 'string']);
    expect((await node.ask('POST', '/_search/template?size=1', { source: '{}' })).status).toBe(400);
  });

  test.each([
    [{}, 400, "Validation Failed: 1: template is missing;2: template's script type is missing;"],
    [{ source: '' }, 400, 'Validation Failed: 1: template is missing;'],
    [{ source: 5 }, 400, "[1:11] [search_template] source doesn't support values of type: VALUE_NUMBER"],
    [{ x: 1 }, 400, '[1:2] [search_template] unknown field [x]'],
    [{ id: 'none' }, 404, 'unable to find script [none] in cluster state'],
    [{ source: '{{#a}}' }, 400, "Failed to close 'a' tag @[query-template:1]"],
    [{ source: '{"a":"{{l.2}}"}', params: { l: [1] } }, 500, 'Failed to get value for l.2 @[query-template:1]'],
    [{ source: '{"nope":1}' }, 400, 'Unknown key for a VALUE_NUMBER in [nope].'],
    [{ source: ' ' }, 400, 'Expected [START_OBJECT] but found [null]'],
    [{ source: 'x'.repeat(70_000) }, 400, 'exceeded max allowed inline script size in bytes [65535] with size [70000]'],
  ])('refuses %j', async (body, status, reason) => {
    const answer = await (await library()).ask('POST', '/lib/_search/template', JSON.stringify(body));
    expect([answer.status, answer.json.error.reason.slice(0, reason.length)]).toEqual([status, reason]);
  });

  test('a template cannot make a text without end', async () => {
    const params = { a: Array.from({ length: 100 }, () => 1) };
    const source = `${'{{#a}}'.repeat(9)}x${'{{/a}}'.repeat(9)}`;
    const { status, json } = await (await library()).ask('POST', '/lib/_search/template', { source, params });
    expect([status, json.error.reason]).toEqual([400, 'a template gives more than [16777216] characters']);
  });
});

describe('_render/template', () => {
  test('shows the search as it was written', async () => {
    const node = await library();
    const body = { source: '{ "a": {{x}}, "b": "{{y}}" }', params: { x: 1, y: 'q"' } };
    expect((await node.ask('POST', '/_render/template', body)).text).toBe(
      '{"template_output":{ "a": 1, "b": "q\\"" }}',
    );
    const stored = await node.ask('POST', '/_render/template/by-t', { params: { t: 'x' } });
    expect(stored.json).toEqual({ template_output: { query: { term: { t: 'x' } } } });
  });

  test('refuses what is no JSON', async () => {
    const { status, json } = await (await library()).ask('POST', '/_render/template', { source: 'nope' });
    expect([status, json.error.type]).toEqual([400, 'json_parse_exception']);
  });
});

describe('_msearch/template', () => {
  test('makes each search of its template, and lets those fail alone that make none', async () => {
    const node = await library();
    const index = { index: 'lib' };
    const body = lines(
      index,
      { source: TERM, params: { t: 'a' } },
      index,
      { source: '{"nope":1}' },
      index,
      { id: 'none' },
      { index: 'none' },
      { source: '{}' },
      index,
      { id: 'by-t', params: { t: 'b' } },
    );
    const { json } = await node.ask('POST', '/_msearch/template', body);
    expect(json.responses).toMatchObject([
      { hits: { total: { value: 1 } }, status: 200 },
      { error: { type: 'parsing_exception' }, status: 400 },
      { error: { type: 'resource_not_found_exception' }, status: 404 },
      { error: { type: 'index_not_found_exception' }, status: 404 },
      { hits: { hits: [{ _id: '1' }] }, status: 200 },
    ]);
  });

  test.each([
    [{}, 'Malformed search template'],
    [{ x: 1 }, '[1:2] [search_template] unknown field [x]'],
  ])('refuses %j', async (search, reason) => {
    const { status, json } = await (await library()).ask('POST', '/lib/_msearch/template', lines({}, search));
    expect([status, json.error.reason]).toEqual([400, reason]);
  });
});
