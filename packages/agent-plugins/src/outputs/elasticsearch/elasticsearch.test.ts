import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventFromJson } from '@shoal/agent-event';
import type { Output } from '@shoal/agent-plugin-kit';
import { afterEach, describe, expect, test } from 'vitest';
import {
  makeOutput,
  type OptionsLiteral,
  removeFolders,
  temporaryFolder,
  testContext,
} from '../../plugin-instance.test-support.ts';
import { elasticsearchOutput } from './elasticsearch.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}
type Reply = { status: number; items?: readonly number[]; body?: string };

const servers: Server[] = [];
const outputs: Output[] = [];
afterEach(async () => {
  for (const output of outputs.splice(0)) await output.stop?.();
  for (const server of servers.splice(0)) server.close();
  await removeFolders();
});

/** Answers one reply after the other; without more every item is created. */
async function cluster(...replies: Reply[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const whole = Buffer.concat(chunks);
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString('utf8');
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const actions = body.split('\n').filter((line) => /^\{"(index|create|update|delete)":/.test(line));
      const reply = replies.shift() ?? { status: 200 };
      const items = (reply.items ?? actions.map(() => 201)).map((status) => ({
        index: { status, ...(status >= 300 ? { error: { type: 'some_exception', reason: 'why' } } : {}) },
      }));
      response.statusCode = reply.status;
      response.end(reply.body ?? JSON.stringify({ errors: items.some((item) => item.index.status >= 300), items }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function output(url: string | readonly string[], options: OptionsLiteral = {}, context = testContext()) {
  const made = makeOutput(elasticsearchOutput, { hosts: url, retry_initial_interval: 0.005, ...options }, context);
  outputs.push(made);
  return { made, context };
}
const event = (fields: OptionsLiteral) => eventFromJson({ '@timestamp': '2026-01-02T03:04:05Z', ...fields });
const lines = (body: string) =>
  body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('what is sent', () => {
  test('indexes into a daily index by default', async () => {
    const { url, seen } = await cluster();
    const { made, context } = output(url);
    await made.receive([event({ message: 'a' }), event({ message: 'b' })]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/_bulk' });
    expect(lines(seen[0]!.body)).toMatchObject([
      { index: { _index: 'logstash-2026.01.02' } },
      { message: 'a' },
      { index: {} },
      { message: 'b' },
    ]);
    expect(context.counts.get('documents.successes')).toBe(2);
    expect(context.counts.get('bulk_requests.successes')).toBe(1);
  });
  test('action, id, routing, pipeline and version come from the event', async () => {
    const { url, seen } = await cluster();
    const { made } = output(url, {
      action: '%{[@metadata][action]}',
      document_id: '%{id}',
      routing: '%{r}',
      pipeline: 'p',
      version: '%{v}',
      version_type: 'external',
      index: 'i-%{id}',
    });
    await made.receive([
      event({ id: 1, r: 'x', v: 7, '@metadata': { action: 'create' } }),
      event({ id: 2, r: 'x', v: 8, '@metadata': { action: 'delete' } }),
    ]);
    expect(lines(seen[0]!.body)).toMatchObject([
      { create: { _index: 'i-1', _id: '1', routing: 'x', pipeline: 'p', version: '7', version_type: 'external' } },
      { id: 1 },
      { delete: { _index: 'i-2', _id: '2' } },
    ]);
  });
  test('updates with upsert, or by a script', async () => {
    const { url, seen } = await cluster();
    await output(url, { action: 'update', document_id: '1', index: 'i', upsert: '{"n":0}' }).made.receive([
      event({ a: 1 }),
    ]);
    await output(url, {
      action: 'update',
      document_id: '1',
      index: 'i',
      script: 's',
      scripted_upsert: true,
    }).made.receive([event({ a: 1 })]);
    await output(url, { action: 'update', document_id: '1', index: 'i', doc_as_upsert: true }).made.receive([
      event({ a: 1 }),
    ]);
    expect(lines(seen[0]!.body)).toMatchObject([
      { update: { retry_on_conflict: 1 } },
      { doc: { a: 1 }, upsert: { n: 0 } },
    ]);
    expect(lines(seen[1]!.body)[1]).toMatchObject({
      script: { source: 's', lang: 'painless', params: { event: { a: 1 } } },
      scripted_upsert: true,
      upsert: {},
    });
    expect(lines(seen[2]!.body)[1]).toMatchObject({ doc: { a: 1 }, doc_as_upsert: true });
  });
  test('bodies are cut at 20 MB', async () => {
    const { url, seen } = await cluster();
    const text = 'x'.repeat(6_000_000);
    await output(url, { index: 'i' }).made.receive([1, 2, 3, 4].map((n) => event({ n, text })));
    expect(seen.map(({ body }) => lines(body).length / 2)).toEqual([3, 1]);
  });
  test('compresses and authenticates', async () => {
    const { url, seen } = await cluster();
    await output(url, { index: 'i', http_compression: true, user: 'u', password: 'p' }).made.receive([event({})]);
    await output(url, { index: 'i', api_key: 'id:key' }).made.receive([event({})]);
    expect(seen[0]!.headers).toMatchObject({ 'content-encoding': 'gzip', authorization: 'Basic dTpw' });
    expect(seen[1]!.headers).toMatchObject({ authorization: 'ApiKey aWQ6a2V5' });
    await output(url, { index: 'i', compression_level: 6 }).made.receive([event({})]);
    await output(url, { index: 'i', http_compression: true, compression_level: 0 }).made.receive([event({})]);
    expect(seen.slice(1).map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', undefined]);
  });
  test('data streams when asked for', async () => {
    const { url, seen } = await cluster();
    await output(url, { data_stream: 'true', data_stream_dataset: 'web' }).made.receive([
      event({ data_stream: { namespace: 'x' } }),
    ]);
    expect(lines(seen[0]!.body)).toMatchObject([
      { create: { _index: 'logs-web-x' } },
      { data_stream: { type: 'logs', dataset: 'web', namespace: 'x' } },
    ]);
  });
  test('names of a data stream are refused where there is none', () => {
    const refusal = '[data_stream_dataset] say nothing without [data_stream => true]';
    expect(() => output('http://x', { data_stream_dataset: 'web' })).toThrow(refusal);
    expect(() => output('http://x', { data_stream: 'false', data_stream_dataset: 'web' })).toThrow(refusal);
    expect(() => output('http://x', { data_stream: 'true', index: 'i' })).toThrow('remove [index]');
  });
  test('data streams by themselves under ECS, unless an option speaks of indices', async () => {
    const { url, seen } = await cluster();
    const ecs = testContext({ ecs: 'v8' });
    await output(url, {}, ecs).made.receive([event({})]);
    await output(url, { index: 'i' }, ecs).made.receive([event({})]);
    expect(seen.map(({ body }) => lines(body)[0])).toMatchObject([
      { create: { _index: 'logs-generic-default' } },
      { index: { _index: 'i' } },
    ]);
  });
  test('installs the template before the first event, once', async () => {
    const path = join(await temporaryFolder(), 't.json');
    await writeFile(path, '{"index_patterns":["logstash-*"],"template":{}}');
    const { url, seen } = await cluster({ status: 404, body: '' }, { status: 200, body: '{}' });
    const { made } = output(url, { template: path });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'HEAD /_index_template/logstash',
      'PUT /_index_template/logstash',
      'POST /_bulk',
      'POST /_bulk',
    ]);
    expect(seen[1]!.body).toBe(await readFile(path, 'utf8'));
  });
});

describe('what comes back', () => {
  test('400 and 404 go to the dead letter queue, 409 is dropped, 429 and 503 are sent again', async () => {
    const { url, seen } = await cluster(
      { status: 200, items: [201, 400, 404, 409, 429, 503] },
      { status: 200, items: [201, 503] },
    );
    const { made, context } = output(url, { index: 'i' });
    await made.receive([1, 2, 3, 4, 5, 6].map((n) => event({ n })));
    expect(
      seen.map(({ body }) =>
        lines(body)
          .filter((line) => 'n' in line)
          .map((line) => line.n),
      ),
    ).toEqual([[1, 2, 3, 4, 5, 6], [5, 6], [6]]);
    expect(context.deadLettered.map(({ event: dead }) => dead.fields.get('n'))).toEqual([2, 3]);
    expect(context.deadLettered[0]?.reason).toContain('some_exception: why');
    expect(Object.fromEntries(context.counts)).toMatchObject({
      'documents.successes': 3,
      'documents.non_retryable_failures': 3,
      'documents.dlq_routed': 2,
      'documents.retryable_failures': 3,
      'bulk_requests.with_errors': 2,
      'bulk_requests.successes': 1,
    });
  });
  test('listed codes go to the dead letter queue too', async () => {
    const { url } = await cluster({ status: 200, items: [403] });
    const { made, context } = output(url, { index: 'i', dlq_custom_codes: [403] });
    await made.receive([event({})]);
    expect(context.deadLettered).toHaveLength(1);
  });
  test('a refused request is sent again, in halves when it was too big', async () => {
    const { url, seen } = await cluster({ status: 503, body: '' }, { status: 413, body: '' });
    const { made, context } = output(url, { index: 'i' });
    await made.receive([event({ n: 1 }), event({ n: 2 })]);
    expect(seen.map(({ body }) => lines(body).length / 2)).toEqual([2, 2, 1, 1]);
    expect(context.counts.get('bulk_requests.failures')).toBe(2);
  });
  test('a dead host is left out, and the other takes all', async () => {
    const { url, seen } = await cluster();
    const { made } = output(['http://127.0.0.1:1', url], { index: 'i' });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(seen).toHaveLength(2);
  });
  test('an index name that the event does not fill goes to the dead letter queue', async () => {
    const { url, seen } = await cluster();
    const { made, context } = output(url, { index: 'i-%{nothing}' });
    await made.receive([event({})]);
    expect(seen).toHaveLength(0);
    expect(context.deadLettered).toHaveLength(1);
  });
  test('stopping ends the wait for a cluster that is gone, and says that events were not delivered', async () => {
    const { made } = output('http://127.0.0.1:1', { index: 'i', retry_initial_interval: 60 });
    const delivery = made.receive([event({})]);
    await made.stop?.();
    await expect(delivery).rejects.toThrow('not delivered');
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
    expect([other.seen.map(({ url }) => url), first.seen]).toEqual([['/_bulk', '/_bulk'], []]);
  });

  test('asks again after its delay, and goes on with what it knows when nobody answers', async () => {
    const replies: Reply[] = [{ status: 500 }];
    const one = await cluster(...replies);
    const { made, context } = output(one.url, { index: 'i', sniffing: true, sniffing_delay: 0, sniffing_path: 'n' });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(one.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /n',
      'POST /_bulk',
      'GET /n',
      'POST /_bulk',
    ]);
    expect(context.counts.get('non_retryable')).toBeUndefined();
  });
});

describe('index lifecycle', () => {
  const bootstrap = '/%3Clogs-%7Bnow%2Fd%7D-000001%3E';
  test('policy, template and alias come before the first event, which goes to the alias', async () => {
    const { url, seen } = await cluster(...[404, 200, 404, 200, 404, 200].map((status) => ({ status, body: '{}' })));
    const { made } = output(url, { ilm_rollover_alias: 'logs' });
    await made.receive([event({})]);
    await made.receive([event({})]);
    expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      'GET /_ilm/policy/logstash-policy',
      'PUT /_ilm/policy/logstash-policy',
      'HEAD /_index_template/logstash',
      'PUT /_index_template/logstash',
      'HEAD /logs',
      `PUT ${bootstrap}`,
      'POST /_bulk',
      'POST /_bulk',
    ]);
    expect(JSON.parse(seen[3]!.body)).toEqual({
      index_patterns: ['logs-*'],
      template: {
        settings: { 'index.lifecycle.name': 'logstash-policy', 'index.lifecycle.rollover_alias': 'logs' },
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

  test('an index of one’s own, or no wish for it, leaves it out', async () => {
    const { url, seen } = await cluster();
    await output(url, { index: 'i', ilm_enabled: 'true' }).made.receive([event({})]);
    await output(url, { ilm_rollover_alias: 'logs', ilm_enabled: 'false' }).made.receive([event({})]);
    expect(seen.map((one) => one.url)).toEqual(['/_bulk', '/_bulk']);
    expect(lines(seen[1]!.body)[0]).toMatchObject({ index: { _index: 'logstash-2026.01.02' } });
  });
});
