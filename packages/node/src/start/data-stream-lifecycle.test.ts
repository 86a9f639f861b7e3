import { createCoordinatorContext, LifecycleRunner } from '@shoal/coordinator';
import type { Runtime } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const DAY_MS = 86_400_000;

describe('data streams with a lifecycle', () => {
  const cluster = new TestCluster();
  let node: TestNode;
  let laterMs = 0;
  let runner: LifecycleRunner;

  beforeAll(async () => {
    node = await cluster.start('a');
    const { clock } = node.runtime;
    const ahead: Runtime = {
      ...node.runtime,
      clock: { monotonicMs: () => clock.monotonicMs(), wallMs: () => clock.wallMs() + laterMs },
    };
    runner = new LifecycleRunner(createCoordinatorContext(ahead, node.node.cluster));
    await call(node, 'PUT', '/_index_template/logs', { index_patterns: ['logs-*'], data_stream: {} });
    for (const name of ['logs-a', 'logs-b']) await call(node, 'PUT', `/_data_stream/${name}`);
    await call(node, 'PUT', '/plain', {});
  }, 60_000);
  afterAll(async () => {
    await runner.close();
    await cluster.close();
  });

  const lifecycleOf = (name: string) => `/_data_stream/${name}/_lifecycle`;
  const backing = async (name: string): Promise<readonly string[]> => {
    const { body } = await call(node, 'GET', `/_data_stream/${name}`);
    return body.data_streams[0].indices.map(({ index_name }: { index_name: string }) => index_name);
  };
  const write = (name: string) => call(node, 'POST', `/${name}/_doc?refresh`, { '@timestamp': '2030-01-01' });

  test('roll over as they age, and delete what was rolled over so long ago, but never the write index', async () => {
    const put = await call(node, 'PUT', lifecycleOf('logs-a'), { data_retention: '7d' });
    expect(put).toMatchObject({ status: 200, body: { acknowledged: true } });
    await write('logs-a');
    await write('logs-b');
    await runner.runOnce();
    expect(await backing('logs-a')).toHaveLength(1);

    laterMs = 1.5 * DAY_MS;
    await runner.runOnce();
    const [first, second, ...more] = await backing('logs-a');
    expect(more).toEqual([]);
    expect(await backing('logs-b')).toHaveLength(1);

    // The second has no document: there is nothing to roll over.
    laterMs = 6 * DAY_MS;
    await runner.runOnce();
    expect(await backing('logs-a')).toEqual([first, second]);

    laterMs = 9 * DAY_MS;
    await runner.runOnce();
    expect(await backing('logs-a')).toEqual([second]);
    expect((await call(node, 'HEAD', `/${first}`)).status).toBe(404);

    laterMs = 100 * DAY_MS;
    await runner.runOnce();
    expect(await backing('logs-a')).toEqual([second]);
    laterMs = 0;
  });

  test('show it, alone and beside the rest', async () => {
    const both = await call(node, 'GET', lifecycleOf('logs-*'));
    expect(both.body).toEqual({
      data_streams: [{ name: 'logs-a', lifecycle: { enabled: true, data_retention: '7d' } }, { name: 'logs-b' }],
    });
    const defaults = await call(node, 'GET', `${lifecycleOf('logs-a')}?include_defaults`);
    expect(defaults.body.data_streams[0].lifecycle.rollover).toEqual({
      max_age: '1d',
      max_primary_shard_size: '50gb',
      min_docs: 1,
      max_primary_shard_docs: 200_000_000,
    });
    const [stream] = (await call(node, 'GET', '/_data_stream/logs-a')).body.data_streams;
    expect(stream.lifecycle).toEqual({ enabled: true, data_retention: '7d' });
    expect((await call(node, 'GET', '/_lifecycle/stats')).body).toEqual({
      data_stream_count: 1,
      data_streams: [{ name: 'logs-a', backing_indices_in_total: 1 }],
    });
  });

  test('explain what comes of their indices', async () => {
    await call(node, 'POST', '/logs-a/_rollover');
    const [old, current] = await backing('logs-a');
    const { indices } = (await call(node, 'GET', '/logs-a,plain/_lifecycle/explain')).body;
    expect(indices[old!]).toMatchObject({
      index: old,
      managed_by_lifecycle: true,
      rollover_date_millis: expect.any(Number),
      generation_time: expect.any(String),
      lifecycle: { enabled: true, data_retention: '7d' },
    });
    expect(indices[current!]).not.toHaveProperty('rollover_date_millis');
    expect(indices.plain).toEqual({ index: 'plain', managed_by_lifecycle: false });
  });

  test('do nothing where it is not enabled, or was taken away, or a policy decides', async () => {
    laterMs = 100 * DAY_MS;
    await call(node, 'PUT', lifecycleOf('logs-b'), { enabled: false, data_retention: '1d' });
    await call(node, 'DELETE', lifecycleOf('logs-a'));
    const before = await backing('logs-a');
    await runner.runOnce();
    expect(await backing('logs-a')).toEqual(before);
    expect(await backing('logs-b')).toHaveLength(1);
    await call(node, 'PUT', lifecycleOf('logs-b'), {});
    await call(node, 'PUT', '/logs-b/_settings', { 'index.lifecycle.name': 'nosuch' });
    await runner.runOnce();
    expect(await backing('logs-b')).toHaveLength(1);
    const [index] = await backing('logs-b');
    const { indices } = (await call(node, 'GET', `/${index}/_lifecycle/explain`)).body;
    expect(indices[index!]).toEqual({ index, managed_by_lifecycle: false });
  });

  test('are named: an index of that name is passed over, and nothing is not found', async () => {
    expect((await call(node, 'PUT', lifecycleOf('plain'), {})).body).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', lifecycleOf('plain'))).body).toEqual({ data_streams: [] });
    expect((await call(node, 'PUT', lifecycleOf('nosuch'), {})).body).toMatchObject({
      error: { type: 'index_not_found_exception' },
      status: 404,
    });
  });

  test.each([
    [{ data_retention: 'x' }, 'illegal_argument_exception'],
    [{ data_retention: '0d' }, 'illegal_argument_exception'],
    [{ data_retention: 7 }, 'x_content_parse_exception'],
    [{ downsampling: [] }, 'x_content_parse_exception'],
  ])('are refused the lifecycle %j', async (body, type) => {
    const answer = await call(node, 'PUT', lifecycleOf('logs-a'), body);
    expect([answer.status, answer.body.error.type]).toEqual([400, type]);
  });

  test.each([
    ['1h', '1h'],
    ['14d', '1d'],
    ['15d', '7d'],
    ['91d', '30d'],
  ])('that keep documents for %s roll over after %s', async (retention, maxAge) => {
    await call(node, 'PUT', lifecycleOf('logs-a'), { data_retention: retention });
    const { body } = await call(node, 'GET', `${lifecycleOf('logs-a')}?include_defaults=true`);
    expect(body.data_streams[0].lifecycle.rollover.max_age).toBe(maxAge);
  });

  test('have it from their template, where one composed of others has the last word', async () => {
    const component = { template: { lifecycle: { data_retention: '1d' } } };
    expect((await call(node, 'PUT', '/_component_template/short', component)).status).toBe(200);
    const template = { index_patterns: ['kept-*'], composed_of: ['short'], data_stream: {} };
    await call(node, 'PUT', '/_index_template/kept', template);
    await call(node, 'PUT', '/_data_stream/kept-short');
    const longer = { ...template, template: { lifecycle: { data_retention: '2d' } } };
    expect((await call(node, 'PUT', '/_index_template/kept', longer)).status).toBe(200);
    await call(node, 'POST', '/kept-long/_doc', { '@timestamp': '2030-01-01' });
    expect((await call(node, 'GET', lifecycleOf('kept-*'))).body.data_streams).toEqual([
      { name: 'kept-long', lifecycle: { enabled: true, data_retention: '2d' } },
      { name: 'kept-short', lifecycle: { enabled: true, data_retention: '1d' } },
    ]);
    const shown = await call(node, 'GET', '/_index_template/kept');
    const lifecycle = { enabled: true, data_retention: '2d' };
    expect(shown.body.index_templates[0].index_template.template).toEqual({ lifecycle });
    const simulated = await call(node, 'POST', '/_index_template/_simulate/kept');
    expect(simulated.body.template.lifecycle).toEqual(lifecycle);
  });

  test.each([
    [{ lifecycle: { data_retention: '7d' } }, 'index template [bad] specifies lifecycle configuration'],
    [{ lifecycle: { nosuch: 1 } }, 'unknown field [nosuch]'],
  ])('are the only ones whose template may have %j', async (template, reason) => {
    const { status, body } = await call(node, 'PUT', '/_index_template/bad', { index_patterns: ['bad'], template });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(reason);
  });

  test('are rolled over by the next write after a lazy rollover, once', async () => {
    await call(node, 'PUT', '/_data_stream/logs-lazy');
    await write('logs-lazy');
    const lazy = await call(node, 'POST', '/logs-lazy/_rollover?lazy');
    expect(lazy).toMatchObject({ status: 200, body: { acknowledged: true, rolled_over: false, lazy: true } });
    expect(await backing('logs-lazy')).toHaveLength(1);
    const written = await Promise.all([write('logs-lazy'), write('logs-lazy')]);
    const [, second, ...more] = await backing('logs-lazy');
    expect(more).toEqual([]);
    expect(written.map(({ body }) => body._index)).toEqual([second, second]);
  });

  test('are rolled over lazily only as a whole', async () => {
    const conditions = { conditions: { max_docs: 1 } };
    const both = await call(node, 'POST', '/logs-a/_rollover?lazy', conditions);
    expect(both.body.error.reason).toContain('Lazy rollover can be used only without any conditions.');
    await call(node, 'PUT', '/plain-1', { aliases: { writer: {} } });
    const alias = await call(node, 'POST', '/writer/_rollover?lazy');
    expect(alias.body.error.reason).toContain('Lazy rollover can be applied only on a data stream.');
  });

  test('take in indices and give them back', async () => {
    await call(node, 'PUT', '/older', { mappings: { properties: { '@timestamp': { type: 'date' } } } });
    const modify = (kind: string) =>
      call(node, 'POST', '/_data_stream/_modify', { actions: [{ [kind]: { data_stream: 'logs-b', index: 'older' } }] });
    expect(await modify('add_backing_index')).toMatchObject({ status: 200, body: { acknowledged: true } });
    expect((await backing('logs-b'))[0]).toBe('older');
    expect((await modify('remove_backing_index')).status).toBe(200);
    expect(await backing('logs-b')).not.toContain('older');
    expect((await modify('no_action')).status).toBe(400);
  });

  test('can be promoted where they are, as nothing follows another cluster', async () => {
    expect((await call(node, 'POST', '/_data_stream/_promote/logs-b')).body).toEqual({ acknowledged: true });
    expect((await call(node, 'POST', '/_data_stream/_promote/none')).status).toBe(404);
  });
});
