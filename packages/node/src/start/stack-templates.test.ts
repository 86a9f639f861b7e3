/** Shippers that write to `logs-*-*` find a data stream, without anybody having made it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

describe('a cluster that nobody has set up', () => {
  const cluster = new TestCluster();
  let node: TestNode;

  beforeAll(async () => {
    node = await cluster.start('a');
  }, 60_000);
  afterAll(() => cluster.close());

  test('makes a data stream of logs, with fields by their names', async () => {
    const event = {
      message: 'GET /',
      host: { ip: '10.0.0.1', name: 'web' },
      geo: { location: { lat: 1, lon: 2 } },
      process: { command_line: 'ls -la' },
      'url.path': '/x',
      cpu: { usage: 3 },
      event: { created: '2024-05-06T07:08:09Z' },
      labels: { any: '2024-05-06' },
    };
    const written = await call(node, 'POST', '/logs-app-default/_doc?refresh', event);
    expect(written.status).toBe(201);
    expect(written.body._index).toMatch(/^\.ds-logs-app-default-\d{4}\.\d\d\.\d\d-000001$/);
    const [stream] = (await call(node, 'GET', '/_data_stream/logs-app-default')).body.data_streams;
    expect(stream).toMatchObject({ template: 'logs', ilm_policy: 'logs@lifecycle' });
    const { mappings } = (await call(node, 'GET', '/logs-app-default/_mapping')).body[written.body._index];
    expect(mappings.properties).toMatchObject({
      '@timestamp': { type: 'date', ignore_malformed: false },
      message: { type: 'match_only_text' },
      host: {
        properties: { ip: { type: 'ip' }, name: { type: 'keyword', fields: { text: { type: 'match_only_text' } } } },
      },
      geo: { properties: { location: { type: 'geo_point' } } },
      process: { properties: { command_line: { type: 'wildcard' } } },
      url: { properties: { path: { type: 'wildcard' } } },
      cpu: { properties: { usage: { type: 'scaled_float' } } },
      event: { properties: { created: { type: 'date' } } },
      labels: { properties: { any: { type: 'keyword', ignore_above: 1024 } } },
    });
    const { hits } = (await call(node, 'GET', '/logs-app-default/_search?q=message:get')).body;
    expect(Date.parse(hits.hits[0]._source['@timestamp'])).toBeGreaterThan(Date.now() - 60_000);
  });

  test('takes what OpenTelemetry writes, whose attributes need not be named by where they stand', async () => {
    const of = (type: string) => ({
      '@timestamp': '1732900000123.456789',
      data_stream: { type, dataset: 'a.otel', namespace: 'b' },
    });
    const resource = { attributes: { 'service.name': 'shop' } };
    const items = [
      { create: { _index: 'logs-a.otel-b' } },
      {
        ...of('logs'),
        resource,
        attributes: { n: 1, list: { deep: 'x' } },
        body: { text: 'Hello you' },
        severity_text: 'INFO',
      },
      { create: { _index: 'traces-a.otel-b' } },
      { ...of('traces'), resource, trace_id: 'aa', span_id: '01', name: 'GET /', duration: 7, status: { code: 'Ok' } },
      {
        create: {
          _index: 'metrics-a.otel-b',
          dynamic_templates: { 'metrics.temp': 'gauge_double', 'metrics.lat': 'histogram' },
        },
      },
      {
        ...of('metrics'),
        resource,
        attributes: { host: 'h' },
        metrics: { temp: 3, lat: { counts: [1, 2], values: [0.5, 1.5] } },
      },
    ];
    const body = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    const written = await call(node, 'POST', '/_bulk?refresh&require_data_stream=true', body);
    expect(written.body).toMatchObject({ errors: false });
    const fields = ['log.level', 'list.deep', 'trace.id', 'temp', 'host', 'service.name'];
    const query = { bool: { filter: [{ term: { 'service.name': 'shop' } }] } };
    const found = await call(node, 'POST', '/*-a.otel-b/_search', { query, fields, _source: false, sort: '_index' });
    const service = { 'service.name': ['shop'] };
    expect(found.body.hits.hits.map((hit: { fields: object }) => hit.fields)).toEqual([
      { 'log.level': ['INFO'], 'list.deep': ['x'], ...service },
      { temp: [3], host: ['h'], ...service },
      { 'trace.id': ['aa'], ...service },
    ]);
    const aggs = { lat: { percentiles: { field: 'metrics.lat', percents: [100] } }, temp: { max: { field: 'temp' } } };
    const counted = await call(node, 'POST', '/metrics-a.otel-b/_search', { size: 0, aggs });
    expect(counted.body.aggregations).toEqual({ lat: { values: { '100.0': 1.5 } }, temp: { value: 3 } });
    expect((await call(node, 'GET', '/logs-a.otel-b/_search?q=message:hello')).body.hits.total.value).toBe(1);
    const [stream] = (await call(node, 'GET', '/_data_stream/traces-a.otel-b')).body.data_streams;
    expect(stream).toMatchObject({ template: 'traces-otel@template', ilm_policy: 'traces@lifecycle' });
    await call(node, 'DELETE', '/_data_stream/*-a.otel-b');
  });

  test('refuses an index under such a name, and a template that would fit it too', async () => {
    const index = await call(node, 'PUT', '/metrics-cpu-default');
    expect(index.body.error.reason).toContain('matches with template [metrics] that creates data streams only');
    const template = await call(node, 'PUT', '/_index_template/mine', { index_patterns: ['logs-*'], priority: 100 });
    expect(template.body.error.reason).toContain('multiple index templates may not match');
  });

  test('takes messages apart that are JSON where a pipeline of the user says so', async () => {
    const custom = { processors: [{ pipeline: { name: 'logs@json-pipeline' } }] };
    expect((await call(node, 'PUT', '/_ingest/pipeline/logs@custom', custom)).status).toBe(200);
    const write = async (message: string) => {
      const { body } = await call(node, 'POST', '/logs-json-default/_doc?refresh', { message });
      const { _source } = (await call(node, 'GET', `/${body._index}/_doc/${body._id}`)).body;
      return { ..._source, '@timestamp': null };
    };
    expect(await write('{"a.b":1,"a.c":{"d":2},"e":3,"e":4}')).toEqual({
      '@timestamp': null,
      a: { b: 1, c: { d: 2 } },
      e: 4,
    });
    expect(await write('{not json}')).toEqual({ '@timestamp': null, message: '{not json}' });
    expect(await write('plain')).toEqual({ '@timestamp': null, message: 'plain' });
  });

  test('shows what it has as what could be put again', async () => {
    for (const [path, key] of [
      ['/_component_template/', 'component_templates'],
      ['/_index_template/', 'index_templates'],
    ] as const) {
      const listed = (await call(node, 'GET', `${path}*`)).body[key];
      expect(listed.length).toBeGreaterThan(0);
      for (const { name, ...shown } of listed) {
        const body = shown.component_template ?? shown.index_template;
        expect((await call(node, 'PUT', `${path}${name}`, body)).body).toEqual({ acknowledged: true });
        const again = (await call(node, 'GET', `${path}${name}`)).body[key][0];
        expect(again.component_template ?? again.index_template).toEqual(body);
      }
    }
    for (const name of ['logs', 'metrics', 'synthetics']) {
      const path = `/_ilm/policy/${name}@lifecycle`;
      const { version, policy } = (await call(node, 'GET', path)).body[`${name}@lifecycle`];
      await call(node, 'PUT', path, { policy });
      // What is kept already is no change.
      expect((await call(node, 'GET', path)).body[`${name}@lifecycle`]).toMatchObject({ version, policy });
    }
    const pipelines = (await call(node, 'GET', '/_ingest/pipeline/logs@*')).body;
    for (const [id, body] of Object.entries(pipelines)) {
      expect((await call(node, 'PUT', `/_ingest/pipeline/${id}`, body)).status).toBe(200);
    }
  });

  test('has them again when they were deleted, until the setting says otherwise', async () => {
    const listed = async () => ({
      index: (await call(node, 'GET', '/_cat/templates?h=name&s=name&format=json')).body,
      component: (await call(node, 'GET', '/_cat/component_templates?h=name&s=name&format=json')).body,
      pipelines: Object.keys((await call(node, 'GET', '/_ingest/pipeline')).body).sort(),
      policies: Object.keys((await call(node, 'GET', '/_ilm/policy')).body).sort(),
    });
    for (const stream of ['logs-app-default', 'logs-json-default'])
      await call(node, 'DELETE', `/_data_stream/${stream}`);
    const before = await listed();
    const paths = [
      '/_index_template/logs',
      '/_index_template/*',
      '/_component_template/*',
      '/_ingest/pipeline/logs@json*',
    ];
    for (const path of [...paths, '/_ilm/policy/metrics@lifecycle']) {
      const deleted = await call(node, 'DELETE', path);
      if (path === '/_component_template/*') expect(deleted.body.error.reason).toContain('still in use');
      else expect(deleted.body).toEqual({ acknowledged: true });
      expect(await listed()).toEqual(before);
    }
    const set = (enabled: boolean | null) =>
      call(node, 'PUT', '/_cluster/settings', { persistent: { 'stack.templates.enabled': enabled } });
    await set(false);
    for (const path of ['/_index_template/*', '/_component_template/*']) await call(node, 'DELETE', path);
    expect(await listed()).toMatchObject({ index: [], component: [] });
    await set(null);
    expect(await listed()).toEqual(before);
  });
});
