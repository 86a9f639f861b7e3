import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import {
  BULK,
  cluster,
  clusterWith,
  event,
  LIFECYCLES,
  lines,
  output,
  type Reply,
} from './cluster-double.test-support.ts';

describe('the template that the output brings', () => {
  const missing = { status: 404, body: '' };
  const done = { status: 200, body: '{}' };
  test('has texts with keywords, and places', async () => {
    const { url, seen } = await cluster(missing, done);
    await output(url, { manage_template: true }).made.receive([event({})]);
    expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([
      'HEAD /_index_template/logstash',
      'PUT /_index_template/logstash',
      `POST ${BULK}`,
    ]);
    const body = JSON.parse(seen[1]!.body);
    expect(body).toMatchObject({
      index_patterns: ['logstash-*'],
      template: { mappings: { properties: { geoip: { properties: { location: { type: 'geo_point' } } } } } },
    });
    const last = body.template.mappings.dynamic_templates.at(-1);
    expect(last.string_fields.mapping.fields).toEqual({ keyword: { type: 'keyword', ignore_above: 256 } });
  });
  test('goes to the older API of a cluster before version 8', async () => {
    const { url, seen } = await clusterWith({ '/': { version: { number: '7.17.1' } } }, missing, done);
    await output(url, { manage_template: true, index: 'i' }).made.receive([event({})]);
    expect(seen[1]).toMatchObject({ method: 'PUT', url: '/_template/logstash' });
    expect(JSON.parse(seen[1]!.body)).toMatchObject({ index_patterns: ['logstash-*'], settings: {}, mappings: {} });
    const other = await clusterWith({ '/': { version: { number: '2.1', distribution: 'opensearch' } } }, missing, done);
    await output(other.url, { manage_template: true, index: 'i' }).made.receive([event({})]);
    expect(other.seen[1]?.url).toBe('/_index_template/logstash');
  });
  test('comes without places where a cluster has none', async () => {
    const refusal = { status: 400, body: '{"error":{"reason":"No handler for type [geo_point]"}}' };
    const { url, seen } = await cluster(missing, refusal, done);
    await output(url, { manage_template: true, index: 'i' }, testContext({ ecs: 'v8' })).made.receive([event({})]);
    expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([
      'HEAD /_index_template/ecs-logstash',
      'PUT /_index_template/ecs-logstash',
      'PUT /_index_template/ecs-logstash',
      `POST ${BULK}`,
    ]);
    expect([seen[1], seen[2]].map((one) => one?.body.includes('geo_point'))).toEqual([true, false]);
  });
  test('is done without where a cluster has no templates', async () => {
    const none = { status: 405, body: '{"error":"Incorrect HTTP method"}' };
    const { url, seen } = await cluster(missing, none);
    const log = createRecordingLog();
    const context = testContext({ runtime: createNodeRuntime({ log }) });
    await output(url, { manage_template: true, index: 'i' }, context).made.receive([event({})]);
    expect(seen).toHaveLength(3);
    expect(log.lines.filter(({ level }) => level !== 'info')).toMatchObject([
      { level: 'warn', message: expect.stringContaining('its own rules choose the types of fields') },
    ]);
  });
  test('is for indices, not for data streams', async () => {
    const { url, seen } = await cluster();
    await output(url, { manage_template: true, data_stream: 'true' }).made.receive([event({})]);
    expect(seen.map((one) => one.url)).toEqual([BULK]);
  });
});

describe('sniffing', () => {
  const nodes = (...addresses: readonly string[]): Reply => ({
    status: 200,
    body: JSON.stringify({
      nodes: Object.fromEntries([
        ...addresses.map((address, i) => [`n${i}`, { roles: ['master', 'data'], http: { publish_address: address } }]),
        ['manager', { roles: ['master'], http: { publish_address: '127.0.0.1:1' } }],
      ]),
    }),
  });
  const bare = (url: string): string => url.replace('http://', '');

  test('finds the nodes, and leaves out those that only manage', async () => {
    const other = await cluster();
    const first = await cluster();
    const known = nodes(`name/${bare(other.url)}`);
    const { made } = output((await cluster(known)).url, { index: 'i', sniffing: true });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect([other.seen.map(({ url }) => url), first.seen]).toEqual([[BULK, BULK], []]);
  });

  test('asks again after its delay, and goes on with what it knows when nobody answers', async () => {
    const replies: Reply[] = [{ status: 500 }];
    const one = await cluster(...replies);
    const { made, context } = output(one.url, { index: 'i', sniffing: true, sniffing_delay: 0, sniffing_path: 'n' });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(one.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /n',
      `POST ${BULK}`,
      'GET /n',
      `POST ${BULK}`,
    ]);
    expect(context.counts.get('non_retryable')).toBeUndefined();
  });
});

describe('index lifecycle', () => {
  const bootstrap = '/%3Clogs-%7Bnow%2Fd%7D-000001%3E';
  test('policy, template and alias come before the first event, which goes to the alias', async () => {
    const { url, seen } = await clusterWith(
      LIFECYCLES,
      ...[404, 200, 404, 200, 404, 200].map((status) => ({ status, body: '{}' })),
    );
    const { made } = output(url, { ilm_rollover_alias: 'logs', manage_template: true });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'GET /_ilm/policy/logstash-policy',
      'PUT /_ilm/policy/logstash-policy',
      'HEAD /_index_template/logstash',
      'PUT /_index_template/logstash',
      'HEAD /logs',
      `PUT ${bootstrap}`,
      `POST ${BULK}`,
      `POST ${BULK}`,
    ]);
    expect(JSON.parse(seen[3]!.body)).toMatchObject({
      index_patterns: ['logs-*'],
      template: {
        settings: { 'index.lifecycle.name': 'logstash-policy', 'index.lifecycle.rollover_alias': 'logs' },
        mappings: { properties: { '@timestamp': { type: 'date' } } },
      },
    });
    expect(JSON.parse(seen[5]!.body)).toEqual({ aliases: { logs: { is_write_index: true } } });
    expect(lines(seen[6]!.body)[0]).toMatchObject({ index: { _index: 'logs' } });
  });

  test('a template of the user gets the policy, and what is there stays', async () => {
    const path = join(await temporaryFolder(), 't.json');
    await writeFile(path, '{"index_patterns":["x-*"],"settings":{"a":1},"mappings":{}}');
    const exists = { status: 400, body: '{"error":{"type":"resource_already_exists_exception"}}' };
    const { url, seen } = await cluster({ status: 200, body: '{}' }, { status: 404 }, exists);
    const options = { ilm_enabled: 'true', ilm_policy: 'mine', template: path, template_overwrite: true };
    await output(url, options).made.receive([event({})]);
    expect(seen.map(({ method }) => method)).toEqual(['PUT', 'HEAD', 'PUT', 'POST']);
    expect(JSON.parse(seen[0]!.body)).toEqual({
      index_patterns: ['logstash-*'],
      settings: { a: 1, 'index.lifecycle.name': 'mine', 'index.lifecycle.rollover_alias': 'logstash' },
      mappings: {},
    });
    expect(lines(seen[3]!.body)[0]).toMatchObject({ index: { _index: 'logstash' } });
  });

  test('by itself only where the cluster has policies', async () => {
    const none = await cluster();
    await output(none.url, { ilm_rollover_alias: 'logs' }).made.receive([event({})]);
    expect(none.seen.map((one) => one.url)).toEqual([BULK]);
    expect(lines(none.seen[0]!.body)[0]).toMatchObject({ index: { _index: 'logstash-2026.01.02' } });
    const some = await clusterWith(LIFECYCLES, { status: 200 }, { status: 200 });
    await output(some.url).made.receive([event({})]);
    expect(lines(some.seen[2]!.body)[0]).toMatchObject({ index: { _index: 'logstash' } });
    const off = { features: { ilm: { available: true, enabled: false } } };
    const disabled = await clusterWith({ '/_xpack': off });
    await output(disabled.url).made.receive([event({})]);
    expect(disabled.seen.map((one) => one.url)).toEqual([BULK]);
  });

  test('an index of one’s own, or no wish for it, leaves it out', async () => {
    const { url, seen } = await cluster();
    await output(url, { index: 'i', ilm_enabled: 'true' }).made.receive([event({})]);
    await output(url, { ilm_rollover_alias: 'logs', ilm_enabled: 'false' }).made.receive([event({})]);
    expect(seen.map((one) => one.url)).toEqual([BULK, BULK]);
    expect(lines(seen[1]!.body)[0]).toMatchObject({ index: { _index: 'logstash-2026.01.02' } });
  });
});
