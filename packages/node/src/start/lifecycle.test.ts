import { createCoordinatorContext, LifecycleRunner } from '@shoal/coordinator';
import type { Runtime } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const DAY_MS = 86_400_000;

describe('indices with a lifecycle policy', () => {
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
  }, 60_000);
  afterAll(async () => {
    await runner.close();
    await cluster.close();
  });

  const put = (name: string, phases: unknown) => call(node, 'PUT', `/_ilm/policy/${name}`, { policy: { phases } });
  const names = async (pattern: string): Promise<readonly string[]> =>
    Object.keys((await call(node, 'GET', `/${pattern}?allow_no_indices=true`)).body).sort();

  test('roll over, are made read-only and merged as they age, and deleted in the end', async () => {
    await put('logs', {
      hot: { actions: { rollover: { max_docs: 2 }, set_priority: { priority: 100 } } },
      warm: { min_age: '1d', actions: { readonly: {}, forcemerge: { max_num_segments: 1 } } },
      delete: { min_age: '3d', actions: { delete: {} } },
    });
    await call(node, 'PUT', '/_index_template/logs', {
      index_patterns: ['logs-*'],
      template: { settings: { 'index.lifecycle.name': 'logs', 'index.lifecycle.rollover_alias': 'logs' } },
    });
    await call(node, 'PUT', '/logs-000001', { aliases: { logs: { is_write_index: true } } });
    await runner.runOnce();
    expect(await names('logs-*')).toEqual(['logs-000001']);
    expect((await call(node, 'GET', '/logs-000001/_settings?flat_settings')).body).toMatchObject({
      'logs-000001': { settings: { 'index.priority': '100' } },
    });
    for (let i = 0; i < 2; i++) await call(node, 'POST', '/logs/_doc?refresh', { i });
    await runner.runOnce();
    expect(await names('logs-*')).toEqual(['logs-000001', 'logs-000002']);
    await call(node, 'POST', '/logs/_doc?refresh', { i: 3 });
    expect((await call(node, 'GET', '/logs-000002/_count')).body.count).toBe(1);

    laterMs = 1.5 * DAY_MS;
    await runner.runOnce();
    expect(
      (await call(node, 'GET', '/logs-000001/_settings?flat_settings')).body['logs-000001'].settings,
    ).toMatchObject({
      'index.blocks.write': 'true',
    });
    expect((await call(node, 'GET', '/_cat/segments/logs-000001?format=json')).body).toHaveLength(1);
    expect(await names('logs-*')).toEqual(['logs-000001', 'logs-000002']);

    laterMs = 4 * DAY_MS;
    await runner.runOnce();
    // The write index has not been rolled over: its age has not begun.
    expect(await names('logs-*')).toEqual(['logs-000002']);
  });

  test('say how far they have come', async () => {
    laterMs = 0;
    await put('short', { delete: { min_age: '2d', actions: { delete: {} } } });
    await call(node, 'PUT', '/kept', {});
    await call(node, 'PUT', '/aging', { settings: { 'index.lifecycle.name': 'short' } });
    await call(node, 'PUT', '/lost', { settings: { 'index.lifecycle.name': 'nosuch' } });
    const { indices } = (await call(node, 'GET', '/kept,aging,lost/_ilm/explain')).body;
    expect(indices).toMatchObject({
      kept: { managed: false },
      aging: { managed: true, policy: 'short', phase: 'new', action: 'complete' },
      lost: { step: 'ERROR', step_info: { reason: 'policy [nosuch] does not exist' } },
    });
    expect((await call(node, 'GET', '/logs-000002/_ilm/explain')).body.indices).toMatchObject({
      'logs-000002': {
        phase: 'hot',
        action: 'rollover',
        step: 'check-rollover-ready',
        phase_execution: { version: 1 },
      },
    });
    expect(Object.keys((await call(node, 'GET', '/*/_ilm/explain?only_errors')).body.indices)).toEqual(['lost']);
  });

  test('are left alone while policies are stopped, and when theirs was removed', async () => {
    laterMs = 3 * DAY_MS;
    await call(node, 'POST', '/_ilm/stop');
    expect((await call(node, 'GET', '/_ilm/status?timeout=30s')).body).toEqual({ operation_mode: 'STOPPED' });
    await runner.runOnce();
    expect(await names('aging')).toEqual(['aging']);
    await call(node, 'POST', '/_ilm/start');
    expect((await call(node, 'POST', '/lost/_ilm/remove')).body).toEqual({ has_failures: false, failed_indexes: [] });
    await runner.runOnce();
    expect(await names('aging*,kept,lost')).toEqual(['kept', 'lost']);
    expect((await call(node, 'GET', '/lost/_ilm/explain')).body.indices.lost).toEqual({
      index: 'lost',
      managed: false,
    });
  });

  test('keep their policy from being deleted', async () => {
    expect((await call(node, 'DELETE', '/_ilm/policy/logs')).body.error.reason).toContain(
      'Cannot delete policy [logs]. It is in use by one or more indices: [logs-000002]',
    );
    expect((await call(node, 'DELETE', '/_ilm/policy/short')).body).toEqual({ acknowledged: true });
    expect((await call(node, 'GET', '/_ilm/policy/short')).status).toBe(404);
    const { body } = await call(node, 'GET', '/_ilm/policy/logs');
    expect(body.logs).toMatchObject({
      version: 1,
      policy: { phases: { hot: { min_age: '0ms' } } },
      in_use_by: { indices: ['logs-000002'], data_streams: [], composable_templates: ['logs'] },
    });
    expect(Object.keys((await call(node, 'GET', '/_ilm/policy/log*,none*')).body)).toEqual(['logs', 'logs@lifecycle']);
    expect((await put('bad', { warm: { actions: { downsample: { fixed_interval: '1d' } } } })).status).toBe(400);
  });

  test('are shrunken: the smaller index has the name, the aliases and the age of the larger one', async () => {
    laterMs = 0;
    await put('small', {
      warm: { actions: { shrink: { number_of_shards: 1 }, forcemerge: { max_num_segments: 1 } } },
      delete: { min_age: '2d', actions: { delete: {} } },
    });
    const settings = { 'index.number_of_shards': 2, 'index.number_of_replicas': 0, 'index.lifecycle.name': 'small' };
    await call(node, 'PUT', '/wide', { settings, aliases: { w: { filter: { term: { n: 1 } } } } });
    for (let n = 0; n < 4; n++) await call(node, 'PUT', `/wide/_doc/${n}?refresh`, { n });
    await runner.runOnce();
    await runner.runOnce();
    const { body } = await call(node, 'GET', '/wide?flat_settings');
    const [name = ''] = Object.keys(body);
    expect(name).toMatch(/^shrink-[a-z0-9]{4}-wide$/);
    expect(body[name]).toMatchObject({
      settings: { 'index.number_of_shards': '1', 'index.lifecycle.name': 'small', 'index.blocks.write': 'true' },
      aliases: { wide: {}, w: { filter: { term: { n: 1 } } } },
    });
    expect((await call(node, 'GET', '/wide/_count')).body.count).toBe(4);
    expect((await call(node, 'GET', '/w/_count')).body.count).toBe(1);
    laterMs = 1.9 * DAY_MS;
    await runner.runOnce();
    expect(await names('shrink-*')).toEqual([name]);
    laterMs = 2.1 * DAY_MS;
    await runner.runOnce();
    expect(await names('shrink-*')).toEqual([]);
  });

  test('of a data stream are shrunken in their place', async () => {
    laterMs = 0;
    await put('stream', {
      hot: { actions: { rollover: { max_docs: 1 }, shrink: { number_of_shards: 1, allow_write_after_shrink: true } } },
    });
    await call(node, 'PUT', '/_index_template/wides', {
      index_patterns: ['wides'],
      data_stream: {},
      template: { settings: { number_of_shards: 2, number_of_replicas: 0, 'index.lifecycle.name': 'stream' } },
    });
    await call(node, 'PUT', '/wides/_create/1?refresh', { '@timestamp': '2030-01-01' });
    for (let i = 0; i < 3; i++) await runner.runOnce();
    const [stream] = (await call(node, 'GET', '/_data_stream/wides')).body.data_streams;
    const indices = stream.indices.map(({ index_name }: { index_name: string }) => index_name);
    expect(indices).toHaveLength(2);
    expect(indices[0]).toMatch(/^shrink-[a-z0-9]{4}-\.ds-wides-.*-000001$/);
    expect((await call(node, 'GET', '/wides/_count')).body.count).toBe(1);
    expect(
      (await call(node, 'GET', `/${indices[0]}/_settings?flat_settings`)).body[indices[0]].settings,
    ).not.toHaveProperty('index.blocks.write');
  });

  test('without documents stay, unless the policy or the cluster says otherwise', async () => {
    laterMs = 0;
    await put('aged', { hot: { actions: { rollover: { max_age: '1d' } } } });
    const settings = { 'index.lifecycle.name': 'aged', 'index.lifecycle.rollover_alias': 'bare' };
    await call(node, 'PUT', '/bare-000001', { settings, aliases: { bare: { is_write_index: true } } });
    laterMs = 1.5 * DAY_MS;
    await runner.runOnce();
    expect(await names('bare-*')).toEqual(['bare-000001']);
    const name = 'indices.lifecycle.rollover.only_if_has_documents';
    await call(node, 'PUT', '/_cluster/settings', { persistent: { [name]: false } });
    await runner.runOnce();
    expect(await names('bare-*')).toEqual(['bare-000001', 'bare-000002']);
    await call(node, 'PUT', '/_cluster/settings', { persistent: { [name]: null } });
  });

  test('are kept until their snapshot policy has made a snapshot', async () => {
    laterMs = 0;
    await put('saved', { delete: { actions: { wait_for_snapshot: { policy: 'nightly' }, delete: {} } } });
    await call(node, 'PUT', '/saved', { settings: { 'index.lifecycle.name': 'saved' } });
    await runner.runOnce();
    expect((await call(node, 'GET', '/saved/_ilm/explain')).body.indices.saved).toMatchObject({
      ...{ phase: 'delete', action: 'wait_for_snapshot', step: 'wait-for-snapshot' },
    });
  });

  test('a data stream rolls over by its template', async () => {
    laterMs = 0;
    await call(node, 'PUT', '/_index_template/metrics', {
      index_patterns: ['metrics'],
      data_stream: {},
      template: { settings: { 'index.lifecycle.name': 'logs' } },
    });
    await call(node, 'PUT', '/_data_stream/metrics');
    for (let i = 0; i < 2; i++) await call(node, 'POST', '/metrics/_doc?refresh', { '@timestamp': '2030-01-01' });
    await runner.runOnce();
    const [stream] = (await call(node, 'GET', '/_data_stream/metrics')).body.data_streams;
    expect(stream.indices).toHaveLength(2);
  });
});
