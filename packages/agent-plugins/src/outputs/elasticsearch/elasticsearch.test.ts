import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { BULK, cluster, event, handled, lines, output } from './cluster-double.test-support.ts';

describe('what is sent', () => {
  test('indexes into a daily index by default', async () => {
    const { url, seen } = await cluster();
    const { made, context } = output(url);
    await made.receive([event({ message: 'a' }), event({ message: 'b' })]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: 'POST', url: BULK });
    expect(lines(seen[0]!.body)).toMatchObject([
      { index: { _index: 'logstash-2026.01.02' } },
      { message: 'a' },
      { index: {} },
      { message: 'b' },
    ]);
    expect(context.counts.get('documents.successes')).toBe(2);
    expect(context.counts.get('bulk_requests.successes')).toBe(1);
  });
  test('asks for no more of the answer than it looks at, unless an option does', async () => {
    const filter = 'filter_path=errors,items.*.error,items.*.status';
    const { url, seen } = await cluster();
    const wishes = [{ parameters: { a: 'b c' } }, { bulk_path: 'x/_bulk?y=1' }, { bulk_path: '/b?filter_path=items' }];
    for (const wish of wishes) await output(url, { index: 'i', ...wish }).made.receive([event({})]);
    const own = await cluster();
    await output(own.url, { index: 'i', parameters: { filter_path: '*' } }).made.receive([event({})]);
    expect([...seen, ...own.seen].map((one) => one.url)).toEqual([
      `/_bulk?a=b%20c&${filter}`,
      `/x/_bulk?y=1&${filter}`,
      '/b?filter_path=items',
      '/_bulk?filter_path=*',
    ]);
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
  test('an upsert may have several lines, and one that is no JSON goes to the dead letter queue', async () => {
    const { url, seen } = await cluster();
    const { made, context } = output(url, {
      action: 'update',
      document_id: '1',
      index: 'i',
      upsert: '{\n "n": %{n}\n}',
    });
    await made.receive([event({ n: 1 }), event({ n: 'x' })]);
    expect(lines(seen[0]!.body)).toMatchObject([{ update: {} }, { doc: { n: 1 }, upsert: { n: 1 } }]);
    expect(context.deadLettered.map(({ reason }) => reason)).toEqual(['its [upsert] is no JSON']);
  });
  test('a child is written with its parent, into the parent’s shard', async () => {
    const { url, seen } = await cluster();
    const options = { index: 'i', join_field: 'rel', parent: '%{of}', routing: 'r' };
    const child = event({ rel: 'answer', of: '7' });
    await output(url, options).made.receive([child]);
    expect(child.fields.get('rel')).toBe('answer');
    expect(lines(seen[0]!.body)).toMatchObject([{ index: { routing: '7' } }, { rel: { name: 'answer', parent: '7' } }]);
    expect(() => output(url, { parent: 'p' })).toThrow('[parent] needs a [join_field]');
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
  test.each([
    [{ action: 'idnex' }, '[action => idnex] must be one of index, create, update, delete'],
    [{ action: 'update' }, '[action => update] needs a [document_id]'],
    [{ version_type: 'external' }, 'a [version_type] that is external needs a [version]'],
    [{ version_type: 'external_gte', version: '1', action: 'create' }, '[action => create] takes no [version_type]'],
    [{ version_type: 'external', version: '1', action: 'update', document_id: '1' }, '[action => update] takes no'],
    [{ doc_as_upsert: true, scripted_upsert: true, script: 'x' }, '[doc_as_upsert] and [scripted_upsert] exclude'],
  ])('what no event could do is refused: %j', (options, why) => {
    expect(() => output('http://x', options)).toThrow(why);
  });
  test('an action of the event is known with the event', () => {
    expect(() => output('http://x', { action: '%{[@metadata][action]}', document_id: '%{id}' })).not.toThrow();
    expect(() => output('http://x', { version_type: 'internal' })).not.toThrow();
  });
  test('names of a data stream are refused where there is none', () => {
    const refusal = '[data_stream_dataset] say nothing without [data_stream => true]';
    expect(() => output('http://x', { data_stream_dataset: 'web' })).toThrow(refusal);
    expect(() => output('http://x', { data_stream: 'false', data_stream_dataset: 'web' })).toThrow(refusal);
    expect(() => output('http://x', { data_stream: 'true', index: 'i' })).toThrow('remove [index]');
    const wished = { data_stream: 'true', ilm_enabled: 'true', action: 'update', doc_as_upsert: true };
    expect(() => output('http://x', wished)).toThrow('remove [doc_as_upsert], [ilm_enabled], [action]');
  });
  test('data streams by themselves under ECS, unless an option speaks of indices', async () => {
    const { url, seen } = await cluster();
    const ecs = testContext({ ecs: 'v8' });
    await output(url, {}, ecs).made.receive([event({})]);
    await output(url, { index: 'i' }, ecs).made.receive([event({})]);
    await output(url, { document_id: '7' }, ecs).made.receive([event({})]);
    await output(url, { ilm_enabled: 'false' }, ecs).made.receive([event({})]);
    expect(seen.map(({ body }) => lines(body)[0])).toMatchObject([
      { create: { _index: 'logs-generic-default' } },
      { index: { _index: 'i' } },
      { create: { _index: 'logs-generic-default', _id: '7' } },
      { index: { _index: 'ecs-logstash-2026.01.02' } },
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
      `POST ${BULK}`,
      `POST ${BULK}`,
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
  test('listed types of errors are dropped, whatever the status', async () => {
    const { url, seen } = await cluster({ status: 200, items: [503, 403] });
    const { made, context } = output(url, { index: 'i', drop_error_types: ['some_exception'] });
    await made.receive([event({}), event({})]);
    expect([seen.length, context.deadLettered.length]).toEqual([1, 0]);
    expect(context.counts.get('documents.non_retryable_failures')).toBe(2);
  });
  test('errors of listed types are not logged, by the old name of the option and the new', async () => {
    const warnings = async (options: Record<string, unknown>): Promise<number> => {
      const { url } = await cluster({ status: 200, items: [409] });
      const { made, context } = output(url, { index: 'i', ...options });
      const warn = vi.spyOn(context.runtime.log, 'warn');
      await made.receive([event({})]);
      return warn.mock.calls.length;
    };
    expect(await warnings({ silence_errors_in_log: ['another'] })).toBe(1);
    expect(await warnings({ silence_errors_in_log: ['some_exception'] })).toBe(0);
    expect(
      await warnings({ silence_errors_in_log: ['another'], failure_type_logging_whitelist: ['some_exception'] }),
    ).toBe(0);
  });
  test('a host that failed is asked for its health before it is used again', async () => {
    const asked: string[] = [];
    const url = await handled((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      if (asked.length === 1) request.socket.destroy();
      else
        response.writeHead(asked.length === 2 ? 503 : 200).end('{"errors":false,"items":[{"index":{"status":201}}]}');
    });
    await output(url, { index: 'i', healthcheck_path: 'well', resurrect_delay: 0 }).made.receive([event({})]);
    expect(asked).toEqual([`POST ${BULK}`, 'HEAD /well', 'HEAD /well', `POST ${BULK}`]);
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
