/** Stored scripts, and what is told of scripts. */
import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

async function nodeWith(): Promise<TestNode> {
  const mapping = { properties: { n: { type: 'long' } } };
  const node = testNode({ indices: [indexOf('lib', { shards: 1, mapping })] });
  await node.ask(
    'POST',
    '/lib/_bulk?refresh=true',
    lines({ index: { _id: '1' } }, { n: 2 }, { index: { _id: '2' } }, { n: 5 }),
  );
  return node;
}

const put = (node: TestNode, id: string, source: string): ReturnType<TestNode['ask']> =>
  node.ask('PUT', `/_scripts/${id}`, { script: { lang: 'painless', source } });

describe('stored scripts', () => {
  test('are put, shown and deleted', async () => {
    const node = await nodeWith();
    expect(await put(node, 'a', 'params.n * 2')).toMatchObject({ status: 200, json: { acknowledged: true } });
    expect(await node.ask('GET', '/_scripts/a')).toMatchObject({
      status: 200,
      json: { _id: 'a', found: true, script: { lang: 'painless', source: 'params.n * 2' } },
    });
    expect(await node.ask('GET', '/_scripts/b')).toMatchObject({ status: 404, json: { _id: 'b', found: false } });
    expect((await node.ask('DELETE', '/_scripts/a')).json).toEqual({ acknowledged: true });
    expect(await node.ask('DELETE', '/_scripts/a')).toMatchObject({
      status: 404,
      json: { error: { reason: 'stored script [a] does not exist and cannot be deleted' } },
    });
  });

  test('are part of the state of the cluster', async () => {
    const node = await nodeWith();
    expect((await node.ask('GET', '/_cluster/state/metadata')).json.metadata).not.toHaveProperty('stored_scripts');
    await put(node, 'a', 'params.n * 2');
    const { metadata } = (await node.ask('GET', '/_cluster/state/metadata')).json;
    expect(metadata.stored_scripts).toEqual({ a: { lang: 'painless', source: 'params.n * 2' } });
  });

  test('run in searches, updates and updates by query', async () => {
    const node = await nodeWith();
    await put(node, 'above', "doc['n'].value > params.least");
    await put(node, 'add', 'ctx._source.n += params.by');
    const query = { script: { script: { id: 'above', params: { least: 3 } } } };
    expect((await node.ask('POST', '/lib/_search', { query })).json.hits.hits).toMatchObject([{ _id: '2' }]);
    const { json } = await node.ask('POST', '/lib/_msearch', lines({}, { query }));
    expect(json.responses[0].hits.hits).toMatchObject([{ _id: '2' }]);
    const script = { id: 'add', params: { by: 10 } };
    expect((await node.ask('POST', '/lib/_update/1?refresh=true', { script })).json.result).toBe('updated');
    expect((await node.ask('POST', '/lib/_update_by_query?refresh=true', { query, script })).json.updated).toBe(2);
    expect((await node.ask('GET', '/lib/_doc/1')).json._source).toEqual({ n: 22 });
  });

  test('run in updates of a bulk, and are data in documents', async () => {
    const node = await nodeWith();
    await put(node, 'add', 'ctx._source.n += params.by');
    const script = { id: 'add', params: { by: 10 } };
    const { json } = await node.ask(
      'POST',
      '/lib/_bulk?_source=true',
      lines(
        { update: { _id: '1' } },
        { script },
        { update: { _id: '2' } },
        { doc: { script } },
        { update: { _id: '1' } },
        {
          script: { id: 'none' },
        },
      ),
    );
    expect(json.items).toMatchObject([
      { update: { result: 'updated', get: { _source: { n: 12 } } } },
      { update: { get: { _source: { n: 5, script: { id: 'add' } } } } },
      { update: { status: 400, error: { caused_by: { reason: 'unable to find script [none] in cluster state' } } } },
    ]);
  });

  test('are what pipelines and their conditions run, until they are gone', async () => {
    const node = await nodeWith();
    await put(node, 'five', 'ctx.five = params.n');
    await put(node, 'many', 'ctx.n > 1');
    const processors = [
      { script: { id: 'five', params: { n: 5 }, if: 'ctx.n > 0' } },
      { set: { field: 'many', value: true, if: { id: 'many' } } },
    ];
    const docs = [{ _source: { n: 1 } }, { _source: { n: 2 } }];
    const run = async (): Promise<{ json: { docs: unknown[] }; status: number }> =>
      node.ask('POST', '/_ingest/pipeline/_simulate', { pipeline: { processors }, docs });
    expect((await run()).json.docs).toMatchObject([
      { doc: { _source: { n: 1, five: 5 } } },
      { doc: { _source: { n: 2, five: 5, many: true } } },
    ]);
    await put(node, 'many', 'false');
    expect((await run()).json.docs[1]).not.toHaveProperty('doc._source.many');
    await node.ask('DELETE', '/_scripts/many');
    expect(await run()).toMatchObject({
      status: 404,
      json: { error: { reason: 'unable to find script [many] in cluster state', processor_type: 'set' } },
    });
  });

  test('that are not there fail what names them', async () => {
    const node = await nodeWith();
    await put(node, 'above', 'true');
    const { status, json } = await node.ask('POST', '/lib/_search', { query: { script: { script: { id: 'other' } } } });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain('unable to find script [other] in cluster state');
  });

  test.each([
    ['/_scripts/a', { script: { source: '1' } }, 'must specify lang for stored script'],
    ['/_scripts/a', { script: { lang: 'painless' } }, 'must specify source for stored script'],
    [
      '/_scripts/a',
      { script: { lang: 'foo', source: '1' } },
      'unable to put stored script with unsupported lang [foo]',
    ],
    [
      '/_scripts/a',
      { script: { lang: 'mustache', source: '1', options: { foo: 'b' } } },
      'illegal compiler options [{foo=b}] specified',
    ],
    [
      '/_scripts/a/template',
      { script: { lang: 'mustache', source: '{{#a}}' } },
      "Failed to close 'a' tag @[query-template:1]",
    ],
    ['/_scripts/a/score', { script: { lang: 'mustache', source: '1' } }, 'failed to parse/compile stored script [a]'],
    ['/_scripts/a', { foo: 1 }, 'unexpected field [foo], expected [script]'],
    ['/_scripts/a/score', { script: { lang: 'painless', source: 'foo(' } }, 'compile error'],
    ['/_scripts/a/none', { script: { lang: 'painless', source: '1' } }, 'failed to parse/compile stored script [a]'],
  ])('%s refuses %j', async (path, body, reason) => {
    const node = await nodeWith();
    const { status, json } = await node.ask('PUT', path, body);
    expect([status, json.error.reason]).toEqual([400, reason]);
    expect((await node.ask('GET', '/_scripts/a')).status).toBe(404);
  });
});

test('languages and contexts are listed', async () => {
  const node = await nodeWith();
  const { json: languages } = await node.ask('GET', '/_script_language');
  expect(languages.types_allowed).toEqual(['inline', 'stored']);
  expect(languages.language_contexts).toMatchObject([
    { language: 'expression', contexts: expect.arrayContaining(['filter', 'score']) },
    { language: 'mustache', contexts: ['template'] },
    { language: 'painless' },
  ]);
  const { json } = await node.ask('GET', '/_script_context');
  const score = json.contexts.find((one: { readonly name: string }) => one.name === 'score');
  expect(score.methods).toContainEqual({ name: 'execute', return_type: 'double', params: [] });
});

describe('_scripts/painless/_execute', () => {
  const execute = async (body: object): ReturnType<TestNode['ask']> =>
    (await nodeWith()).ask('POST', '/_scripts/painless/_execute', body);

  test('shows the result as text', async () => {
    const script = { source: 'params.a / 2.0', params: { a: 3 } };
    expect((await execute({ script })).json).toEqual({ result: '1.5' });
  });

  test.each([
    [{}, 'Required [script]'],
    [{ script: '1', context: 'foo' }, 'Failed to build [painless_execute_request] after last required field arrived'],
    [{ script: '1', context_setup: {} }, '[context_setup] is not supported by this server'],
    [{ script: 'x' }, 'compile error'],
  ])('refuses %j', async (body, reason) => {
    const { status, json } = await execute(body);
    expect([status, json.error.reason]).toEqual([400, reason]);
  });
});
