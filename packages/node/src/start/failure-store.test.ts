import { createCoordinatorContext, LifecycleRunner } from '@shoal/coordinator';
import type { Runtime } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const DAY_MS = 86_400_000;
const TIME = '2030-01-01T00:00:00Z';
const WRONG = { '@timestamp': TIME, n: 'x' };
const RIGHT = { '@timestamp': TIME, n: 1 };

interface ShownItem {
  readonly status: number;
  readonly failure_store?: string;
  readonly error?: { readonly type: string };
}

const cluster = new TestCluster();
let node: TestNode;

beforeAll(async () => {
  node = await cluster.start('a', { settings: { 'path.repo': '/repos' } });
  const mappings = { properties: { n: { type: 'long' } } };
  const templates = {
    kept: {
      index_patterns: ['kept-*'],
      template: { mappings, data_stream_options: { failure_store: { enabled: true } } },
    },
    plain: { index_patterns: ['plain-*'], template: { mappings } },
  };
  for (const [name, body] of Object.entries(templates)) {
    await call(node, 'PUT', `/_index_template/${name}`, { ...body, data_stream: {} });
  }
}, 60_000);
afterAll(() => cluster.close());

const stream = async (name: string) => (await call(node, 'GET', `/_data_stream/${name}`)).body.data_streams[0];
const failuresOf = async (name: string) => {
  await call(node, 'POST', `/${name}::failures/_refresh`);
  return (await call(node, 'GET', `/${name}::failures/_search?sort=@timestamp`)).body.hits.hits;
};
const index = (name: string, body: object, query = '') => call(node, 'POST', `/${name}/_doc${query}`, body);
const bulk = (lines: readonly object[]) =>
  call(node, 'POST', '/_bulk?refresh=true', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

describe('a data stream that keeps failures', () => {
  test('has none until a document fails, and then answers as if it had been written', async () => {
    await index('kept-a', RIGHT);
    expect((await stream('kept-a')).failure_store).toEqual({
      enabled: true,
      rollover_on_write: true,
      indices: [],
      lifecycle: { enabled: true, effective_retention: '30d', retention_determined_by: 'default_failures_retention' },
    });
    const before = Date.now();
    const answer = await index('kept-a', WRONG, '?refresh=true&routing=r');
    const { generation, failure_store: store } = await stream('kept-a');
    const [{ index_name: name }] = store.indices;
    expect(name).toMatch(/^\.fs-kept-a-\d{4}\.\d\d\.\d\d-000002$/);
    expect([generation, store.rollover_on_write, store.indices[0].managed_by]).toEqual([
      2,
      false,
      'Data stream lifecycle',
    ]);
    expect(answer).toMatchObject({
      status: 201,
      body: { _index: name, result: 'created', _seq_no: 0, failure_store: 'used' },
    });
    const [hit] = await failuresOf('kept-a');
    expect(hit._source).toMatchObject({
      document: { index: 'kept-a', routing: 'r', source: WRONG },
      error: { type: 'mapper_parsing_exception', message: expect.stringContaining('failed to parse field [n]') },
    });
    expect([typeof hit._source.document.id, Date.parse(hit._source['@timestamp']) >= before]).toEqual(['string', true]);
    expect(hit._source.error.stack_trace).toContain('Caused by: ');
  });

  test('is searched with and without them', async () => {
    const count = async (name: string) => (await call(node, 'GET', `/${name}/_count`)).body.count;
    await call(node, 'POST', '/kept-a/_refresh');
    expect(await count('kept-a')).toBe(1);
    expect(await count('kept-a::failures')).toBe(1);
    expect(await count('kept-*,kept-*::failures')).toBe(2);
    const term = { query: { term: { 'error.type': 'mapper_parsing_exception' } } };
    expect((await call(node, 'POST', '/kept-a::failures/_search', term)).body.hits.total.value).toBe(1);
    const caps = await call(node, 'GET', '/kept-a::failures/_field_caps?fields=*');
    expect(Object.keys(caps.body.fields)).toContain('error.message');
    expect(caps.body.fields).not.toHaveProperty('document.source.n');
  });

  test('takes the failed items of a bulk, each in its place', async () => {
    const lines = [
      [{ create: { _index: 'kept-b', _id: '1' } }, RIGHT],
      [{ create: { _index: 'kept-b', _id: '2' } }, WRONG],
      [{ create: { _index: 'kept-b', _id: '1' } }, RIGHT],
      [{ create: { _index: 'plain-b', _id: '2' } }, WRONG],
      [{ index: { _index: 'other', _id: '1' } }, { n: 1 }],
      [{ index: { _index: 'kept-b', _id: '3' } }, RIGHT],
    ];
    const { body } = await bulk(lines.flat());
    const shown = body.items.map((item: Readonly<Record<string, ShownItem>>) =>
      Object.entries(item).flatMap(([action, { status, failure_store: store, error }]) => [
        action,
        status,
        store ?? null,
        error?.type ?? null,
      ]),
    );
    expect(shown).toEqual([
      ['create', 201, null, null],
      ['create', 201, 'used', null],
      ['create', 409, null, 'version_conflict_engine_exception'],
      ['create', 400, 'not_enabled', 'mapper_parsing_exception'],
      ['index', 201, null, null],
      ['index', 400, null, 'illegal_argument_exception'],
    ]);
    expect(body.errors).toBe(true);
    expect((await bulk([{ create: { _index: 'kept-b' } }, WRONG])).body.errors).toBe(false);
    const kept = await failuresOf('kept-b');
    expect(kept.map(({ _source: { document } }: { _source: { document: object } }) => document)).toMatchObject([
      { id: '2', index: 'kept-b', source: WRONG },
      { index: 'kept-b', source: WRONG },
    ]);
  });

  test('says of one that does not that it could', async () => {
    const { status, body } = await index('plain-b', WRONG);
    expect([status, body.error.failure_store]).toEqual([400, 'not_enabled']);
    expect(body.error.root_cause[0]).not.toHaveProperty('failure_store');
    const { body: made } = await index('other', { n: 1 });
    expect(made).not.toHaveProperty('failure_store');
  });

  test('keeps a document that a pipeline failed as it came, with where that was', async () => {
    const pipelines = {
      outer: [{ set: { field: 'added', value: 1 } }, { pipeline: { name: 'inner' } }],
      inner: [{ rename: { field: 'none', target_field: 'other', tag: 'the rename' } }],
    };
    for (const [id, processors] of Object.entries(pipelines)) {
      await call(node, 'PUT', `/_ingest/pipeline/${id}`, { processors });
    }
    const answer = await index('kept-new', RIGHT, '?pipeline=outer');
    expect([answer.status, answer.body.failure_store]).toEqual([201, 'used']);
    const [{ _source: kept }] = await failuresOf('kept-new');
    expect(kept.document).toEqual({ index: 'kept-new', source: RIGHT });
    expect(kept.error).toMatchObject({
      type: 'illegal_argument_exception',
      pipeline_trace: ['outer', 'inner'],
      pipeline: 'inner',
      processor_type: 'rename',
      processor_tag: 'the rename',
    });
    const refused = await index('plain-new', RIGHT, '?pipeline=outer');
    expect([refused.status, refused.body.error.failure_store]).toEqual([400, 'not_enabled']);
    expect((await call(node, 'HEAD', '/plain-new')).status).toBe(404);
    const after = await index('kept-new', WRONG, '?pipeline=nosuch');
    expect(after.body.failure_store).toBe('used');
  });

  test('makes one failure index for failures that come at once', async () => {
    await index('kept-race', RIGHT);
    const answers = await Promise.all(Array.from({ length: 6 }, () => index('kept-race', WRONG)));
    expect(answers.map(({ body }) => body.failure_store)).toEqual(Array(6).fill('used'));
    expect((await stream('kept-race')).failure_store.indices).toHaveLength(1);
    expect(await failuresOf('kept-race')).toHaveLength(6);
  });

  test('answers the first error when the failure index takes nothing', async () => {
    await index('kept-shut', WRONG);
    await call(node, 'PUT', '/kept-shut::failures/_settings', { 'index.blocks.write': true });
    const { status, body } = await index('kept-shut', WRONG);
    expect([status, body.error.type, body.error.failure_store]).toEqual([400, 'mapper_parsing_exception', 'failed']);
    expect(body.error.suppressed).toMatchObject([{ type: 'cluster_block_exception' }]);
    const { body: items } = await bulk([{ create: { _index: 'kept-shut' } }, WRONG]);
    expect(items).toMatchObject({ errors: true, items: [{ create: { status: 400, failure_store: 'failed' } }] });
  });

  test('keeps documents that its write index may not take', async () => {
    await index('kept-blocked', RIGHT);
    await call(node, 'PUT', '/kept-blocked/_settings', { 'index.blocks.write': true });
    for (const query of ['', '?require_data_stream=true']) {
      expect((await index('kept-blocked', RIGHT, query)).body.failure_store).toBe('used');
    }
    const [{ _source: kept }] = await failuresOf('kept-blocked');
    expect(kept.error.type).toBe('cluster_block_exception');
  });

  test('does not keep what is no document', async () => {
    const { body } = await call(node, 'POST', '/_bulk', '{"create":{"_index":"kept-a"}}\n{"n":\n');
    expect(body).toMatchObject({ errors: true, items: [{ create: { status: 400, failure_store: 'failed' } }] });
  });
});

describe('the options of data streams', () => {
  const path = '/_data_stream/plain-o/_options';

  test('are put, shown, and taken away; the setting of the cluster decides where they say nothing', async () => {
    await index('plain-o', RIGHT);
    const put = await call(node, 'PUT', path, {
      failure_store: { enabled: true, lifecycle: { data_retention: '5d' } },
    });
    expect(put.body).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', path)).body).toEqual({
      data_streams: [
        {
          name: 'plain-o',
          options: { failure_store: { enabled: true, lifecycle: { enabled: true, data_retention: '5d' } } },
        },
      ],
    });
    expect((await index('plain-o', WRONG)).body.failure_store).toBe('used');
    expect((await stream('plain-o')).failure_store.lifecycle).toEqual({
      enabled: true,
      data_retention: '5d',
      effective_retention: '5d',
      retention_determined_by: 'data_stream_configuration',
    });
    expect((await call(node, 'DELETE', path)).body).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', path)).body).toEqual({ data_streams: [{ name: 'plain-o' }] });
    expect((await index('plain-o', WRONG)).body.error.failure_store).toBe('not_enabled');
    const set = (patterns: readonly string[] | null) =>
      call(node, 'PUT', '/_cluster/settings', { persistent: { 'data_streams.failure_store.enabled': patterns } });
    await set(['none-*', 'plain-*']);
    expect((await index('plain-o', WRONG)).body.failure_store).toBe('used');
    expect((await stream('plain-o')).failure_store.enabled).toBe(true);
    await call(node, 'PUT', path, { failure_store: { enabled: false } });
    expect((await index('plain-o', WRONG)).body.error.failure_store).toBe('not_enabled');
    await set(null);
  });

  test.each([
    [{}, 'action_request_validation_exception', 'At least one option needs to be provided'],
    [{ nosuch: {} }, 'x_content_parse_exception', 'unknown field [nosuch]'],
    [{ failure_store: {} }, 'x_content_parse_exception', 'failed to parse field [failure_store]'],
  ])('are refused: %j', async (body, type, reason) => {
    const { status, body: answer } = await call(node, 'PUT', '/_data_stream/kept-a/_options', body);
    expect([status, answer.error.type, answer.error.reason]).toEqual([400, type, expect.stringContaining(reason)]);
  });

  test('are those of streams that are there', async () => {
    expect((await call(node, 'GET', '/_data_stream/none/_options')).status).toBe(404);
    expect((await call(node, 'GET', '/_data_stream/kept-a::failures/_options')).body.error.type).toBe(
      'unsupported_selector_exception',
    );
  });

  test('are shown in their templates', async () => {
    const { body } = await call(node, 'GET', '/_index_template/kept');
    const options = { failure_store: { enabled: true } };
    expect(body.index_templates[0].index_template.template.data_stream_options).toEqual(options);
    const simulated = await call(node, 'POST', '/_index_template/_simulate/kept');
    expect(simulated.body.template.data_stream_options).toEqual(options);
  });
});

describe('failure indices', () => {
  test('are rolled over, now or by the next failure, also before there is one', async () => {
    await index('kept-r', RIGHT);
    const first = await call(node, 'POST', '/kept-r::failures/_rollover');
    expect(first.body).toMatchObject({ old_index: '_none_', rolled_over: true });
    const second = await call(node, 'POST', '/kept-r::failures/_rollover?lazy=true');
    expect(second.body).toMatchObject({ old_index: first.body.new_index, lazy: true, rolled_over: false });
    expect((await stream('kept-r')).failure_store).toMatchObject({ rollover_on_write: true, indices: { length: 1 } });
    await index('kept-r', WRONG);
    expect((await stream('kept-r')).failure_store).toMatchObject({ rollover_on_write: false, indices: { length: 2 } });
    expect((await stream('kept-r')).indices).toHaveLength(1);
    const unmet = await call(node, 'POST', '/kept-r::failures/_rollover', { conditions: { max_docs: 5 } });
    expect(unmet.body).toMatchObject({ rolled_over: false, conditions: { '[max_docs: 5]': false } });
  });

  test('are seen by name, counted, and named by expressions that are not followed', async () => {
    const { indices } = (await stream('kept-r')).failure_store;
    const [name] = indices.map(({ index_name }: { index_name: string }) => index_name);
    expect((await call(node, 'GET', `/${name}`)).body[name].data_stream).toBe('kept-r');
    expect((await call(node, 'GET', '/_resolve/index/kept-r::failures')).body.data_streams).toMatchObject([
      { name: 'kept-r::failures', backing_indices: { length: 2 } },
    ]);
    const stats = (await call(node, 'GET', '/_data_stream/kept-r/_stats')).body;
    expect([stats.backing_indices, stats.data_streams[0].backing_indices]).toEqual([3, 3]);
    const usage = (await call(node, 'GET', '/_xpack/usage')).body.data_streams;
    expect(usage.failure_store.failure_indices_count).toBeGreaterThan(2);
    expect((await call(node, 'GET', '/kept-r::failures/_stats')).body.indices).toHaveProperty([name]);
  });

  test.each([
    ['DELETE', '/kept-r::failures', undefined],
    ['POST', '/kept-r::failures/_doc', RIGHT],
    ['GET', '/kept-r::failures/_doc/1', undefined],
    ['PUT', '/kept-r::failures/_mapping', { properties: {} }],
    ['POST', '/kept-r::failures/_close', undefined],
    ['DELETE', '/_data_stream/kept-r::failures', undefined],
    ['PUT', '/kept-r::failures/_alias/x', undefined],
    ['GET', '/kept-r::failures/_alias', undefined],
  ])('are not what %s %s takes', async (method, path, sent) => {
    const { status, body } = await call(node, method, path, sent);
    expect([status, body.error.type]).toEqual([400, 'unsupported_selector_exception']);
  });

  test('are taken out and in by name, and go with the stream', async () => {
    const { indices } = (await stream('kept-r')).failure_store;
    const [old, last] = indices.map(({ index_name }: { index_name: string }) => index_name);
    const modify = (action: string, name: string) =>
      call(node, 'POST', '/_data_stream/_modify', {
        actions: [{ [action]: { data_stream: 'kept-r', index: name, failure_store: true } }],
      });
    expect((await modify('remove_backing_index', old)).body).toEqual({ acknowledged: true });
    expect((await stream('kept-r')).failure_store.indices).toMatchObject([{ index_name: last }]);
    expect((await modify('add_backing_index', old)).body).toEqual({ acknowledged: true });
    expect((await stream('kept-r')).failure_store.indices).toHaveLength(2);
    expect((await call(node, 'DELETE', `/${last}`)).body.error.reason).toContain('failure store write index');
    await call(node, 'DELETE', '/_data_stream/kept-r');
    for (const name of [old, last]) expect((await call(node, 'HEAD', `/${name}`)).status).toBe(404);
  });

  test('are in a snapshot of the stream, and come back with it', async () => {
    await index('kept-s', WRONG, '?refresh=true');
    const { indices } = (await stream('kept-s')).failure_store;
    await call(node, 'PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } });
    const body = { indices: 'kept-s', include_global_state: false };
    const { snapshot } = (await call(node, 'PUT', '/_snapshot/r/s?wait_for_completion=true', body)).body;
    expect(snapshot.indices).toContain(indices[0].index_name);
    await call(node, 'DELETE', '/_data_stream/kept-s');
    await call(node, 'POST', '/_snapshot/r/s/_restore?wait_for_completion=true', { indices: 'kept-s' });
    expect((await stream('kept-s')).failure_store).toMatchObject({
      enabled: true,
      indices: [{ index_name: indices[0].index_name }],
    });
    expect((await call(node, 'GET', '/kept-s::failures/_count')).body.count).toBe(1);
  });

  test('are deleted when their time is over, the last one excepted', async () => {
    let laterMs = 0;
    const { clock } = node.runtime;
    const ahead: Runtime = {
      ...node.runtime,
      clock: { monotonicMs: () => clock.monotonicMs(), wallMs: () => clock.wallMs() + laterMs },
    };
    const runner = new LifecycleRunner(createCoordinatorContext(ahead, node.node.cluster));
    await index('kept-l', WRONG, '?refresh=true');
    const { indices } = await stream('kept-l');
    const [{ index_name: first }] = (await stream('kept-l')).failure_store.indices;
    await call(node, 'POST', '/kept-l::failures/_rollover');
    const explained = await call(node, 'GET', `/${first}/_lifecycle/explain`);
    expect(explained.body.indices[first]).toMatchObject({
      managed_by_lifecycle: true,
      lifecycle: { data_retention: '30d' },
    });
    laterMs = 29 * DAY_MS;
    await runner.runOnce();
    expect((await stream('kept-l')).failure_store.indices).toHaveLength(2);
    laterMs = 31 * DAY_MS;
    await runner.runOnce();
    expect((await stream('kept-l')).failure_store.indices).toHaveLength(1);
    expect((await stream('kept-l')).indices).toEqual(indices);
    await runner.close();
  });
});
