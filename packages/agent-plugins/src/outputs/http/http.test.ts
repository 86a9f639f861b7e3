import { createServer as createHttpServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { httpOutput } from './http.ts';

describe('the http output', () => {
  async function server(...statuses: number[]) {
    const seen: { method: string; url: string; type: string; body: string }[] = [];
    const port = await listen(
      createHttpServer((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += chunk));
        request.on('end', () => {
          seen.push({
            method: request.method ?? '',
            url: request.url ?? '',
            type: request.headers['content-type'] ?? '',
            body,
          });
          response.writeHead(statuses.shift() ?? 200, { connection: 'close' }).end();
        });
      }),
    );
    return { seen, url: `http://127.0.0.1:${port}` };
  }
  test('an event a request, at the address the event says', async () => {
    const { seen, url } = await server();
    const { output } = await start(httpOutput, {
      url: `${url}/%{kind}`,
      http_method: 'put',
      mapping: { k: '%{kind}', deep: { n: 1 } },
    });
    await output.receive([event({ kind: 'x' })]);
    expect(seen).toEqual([{ method: 'PUT', url: '/x', type: 'application/json', body: '{"k":"x","deep":{"n":"1"}}' }]);
  });
  test('a batch, a form, a message', async () => {
    const { seen, url } = await server();
    await (await start(httpOutput, { url, http_method: 'post', format: 'json_batch' })).output.receive([
      event({ n: 1 }),
      event({ n: 2 }),
    ]);
    await (
      await start(httpOutput, { url, http_method: 'post', format: 'form', mapping: { a: 'ü %{n}' } })
    ).output.receive([event({ n: 1 })]);
    await (await start(httpOutput, { url, http_method: 'post', format: 'message', message: 'm%{n}' })).output.receive([
      event({ n: 1 }),
    ]);
    expect(JSON.parse(seen[0]!.body)).toMatchObject([{ n: 1 }, { n: 2 }]);
    expect(seen.slice(1).map(({ body }) => body)).toEqual(['a=%C3%BC+1', 'm1']);
  });
  test('repeats what may succeed and drops what was refused', async () => {
    const { seen, url } = await server(503, 200, 400);
    const { output, context } = await start(httpOutput, { url, http_method: 'post' });
    await output.receive([event({})]);
    await output.receive([event({})]);
    expect(seen).toHaveLength(3);
    expect(Object.fromEntries(context.counts)).toEqual({ retries: 1, failures: 1 });
  });
  test('a form has values as Ruby prints and escapes them', async () => {
    const { seen, url } = await server();
    const { output, context } = await start(httpOutput, { url, http_method: 'post', format: 'form' });
    const one = event({ text: "a b!*'()~\ud800", list: ['x', null], map: { k: 1 } });
    one.fields.delete('@timestamp');
    one.fields.delete('@version');
    await output.receive([one]);
    expect(seen[0]?.body).toBe('text=a+b%21%2A%27%28%29~%EF%BF%BD&list=%5B%22x%22%2C+nil%5D&map=%7B%22k%22%3D%3E1%7D');
    expect(context.counts.get('failures')).toBeUndefined();
  });
  test('the content type is that of its option, then that of the headers, then that of the format', async () => {
    const { seen, url } = await server();
    const headers = { 'Content-Type': 'application/of-headers' };
    const wishes = [{ content_type: 'text/of-option', headers }, { headers }, {}];
    for (const wish of wishes) {
      const { output } = await start(httpOutput, { url, http_method: 'post', ...wish });
      await output.receive([event({})]);
    }
    expect(seen.map(({ type }) => type)).toEqual(['text/of-option', 'application/of-headers', 'application/json']);
  });
  test('a batch goes to the address as it is written', async () => {
    const { seen, url } = await server();
    const headers = { 'X-Of': '%{n}' };
    const options = { url: `${url}/%{n}`, http_method: 'post', format: 'json_batch', headers };
    const { output } = await start(httpOutput, options);
    await output.receive([event({ n: 1 }), event({ n: 2 })]);
    expect(decodeURIComponent(seen[0]?.url.replace('%%', '%25%') ?? '')).toBe('/%{n}');
  });
  test('an address that is none is not tried again', async () => {
    const { output, context } = await start(httpOutput, { url: '%{where}', http_method: 'post' });
    await output.receive([event({ where: 'nowhere' }), event({ where: 'ftp://x/' })]);
    expect(Object.fromEntries(context.counts)).toEqual({ failures: 2 });
  });
});
