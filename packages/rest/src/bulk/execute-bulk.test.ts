import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { testNode } from '../http.test-support.ts';

test('documents of a bulk land in the shards in which they are looked for, whatever their ids are', async () => {
  const node = testNode({ indices: [indexOf('lib', { shards: 5 })] });
  const ids = ['1', 'a longer id, with blanks', 'ä', '\u{1f600}', 'quote"d', 'back\\slash', ...'abcdefghij'];
  const lines = ids.map((id) => `${JSON.stringify({ index: { _id: id } })}\n{}\n`);
  const { json } = await node.ask('POST', '/lib/_bulk', `${lines.join('')}{"index":{}}\n{}\n`);
  expect(json.errors).toBe(false);
  const written = json.items.map(({ index }: { index: { _id: string } }) => index._id);
  expect(written.slice(0, ids.length)).toEqual(ids);
  for (const id of written) {
    expect((await node.ask('GET', `/lib/_doc/${encodeURIComponent(id)}`)).json).toMatchObject({ _id: id, found: true });
  }
});

test('pretty, filtered and YAML answers are made of the same items', async () => {
  const node = testNode({ indices: [indexOf('lib')] });
  const body = '{"create":{"_id":"1"}}\n{}\n{"create":{"_id":"1"}}\n{}\n';
  const pretty = await node.ask('POST', '/lib/_bulk?pretty&filter_path=errors,items.*._id,items.*.status', body);
  expect(pretty.text).toBe(`{
  "errors" : true,
  "items" : [
    {
      "create" : {
        "_id" : "1",
        "status" : 201
      }
    },
    {
      "create" : {
        "_id" : "1",
        "status" : 409
      }
    }
  ]
}
`);
  const yaml = await node.ask('POST', '/lib/_bulk?format=yaml&filter_path=items.*.status', body);
  expect(yaml.text).toBe('---\nitems:\n- create:\n    status: 409\n- create:\n    status: 409\n');
  expect((await node.ask('POST', '/lib/_bulk?filter_path=none', body)).text).toBe('{}');
});

test('names with date math create the index that they mean', async () => {
  const node = testNode({ indices: [] });
  const name = '<logs-{now/y{yyyy|Asia/Tokyo}}>';
  const { json } = await node.ask('POST', '/_bulk', `${JSON.stringify({ index: { _index: name, _id: '1' } })}\n{}\n`);
  expect(json.items[0].index._index).toMatch(/^logs-\d{4}$/);
  expect((await node.ask('GET', `/${encodeURIComponent(name)}/_doc/1`)).json).toMatchObject({ found: true });
});

describe('an action line that is not closed as it should be', () => {
  test.each([
    ['{"index":{"_id":"1"}', "A bulk action wasn't closed properly with the closing brace"],
    ['{"index":{"_id":"1"},"x":{"y":"}"}}', 'A bulk action object contained multiple keys'],
    ['{"index":{"_id":"1"}} {"a":1}', 'A bulk action contained trailing data after the closing brace'],
  ])('is read up to its end, with a warning: %s', async (line, warning) => {
    const node = testNode({ indices: [indexOf('lib')] });
    const { json, headers } = await node.ask('POST', '/lib/_bulk', `${line}\n{}\n`);
    expect(json.items[0].index).toMatchObject({ _id: '1', status: 201 });
    expect(headers.Warning ?? headers.warning).toContain(`299 Elasticsearch-8.17.0 "${warning}`);
  });

  test.each(['{"index":{"_id":"1"', '{"index":{"_id":"1"}}x', '{"index":{"_id":"1"}x', '{"index":{"_id":"1"'])(
    'is refused where nothing says what it means: %s',
    async (line) => {
      const node = testNode({ indices: [indexOf('lib')] });
      expect((await node.ask('POST', '/lib/_bulk', `${line}\n{}\n`)).status).toBe(400);
    },
  );
});

test.each(['_routing', '_version', '_version_type', '_retry_on_conflict', 'nope'])(
  'the member %s of an action is unknown',
  async (name) => {
    const node = testNode({ indices: [indexOf('lib')] });
    const { json } = await node.ask(
      'POST',
      '/lib/_bulk',
      `${JSON.stringify({ index: { _id: '1', [name]: '1' } })}\n{}\n`,
    );
    expect(json.error.reason).toBe(`Action/metadata line [1] contains an unknown parameter [${name}]`);
    const nested = await node.ask('POST', '/lib/_bulk', `${JSON.stringify({ index: { [name]: [] } })}\n{}\n`);
    expect(nested.json.error.reason).toContain(`expected a simple value for field [${name}] but found [START_ARRAY]`);
  },
);
