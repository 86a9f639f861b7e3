import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import type { OptionsLiteral } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { runFilter } from '../filter-outcome.test-support.ts';
import { httpFilter } from './http.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe('the http filter', () => {
  const seen: Seen[] = [];
  let answer = { status: 200, type: 'text/plain', body: ' yes \n' };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(answer.status, { 'content-type': answer.type, 'x-a': 'b' }).end(answer.body);
    });
  });
  afterAll(() => void server.close());
  const base = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });

  async function ask(options: OptionsLiteral, given: Partial<typeof answer> = {}, ecs: 'disabled' | 'v8' = 'disabled') {
    answer = { status: 200, type: 'text/plain', body: ' yes \n', ...given };
    const url = `${await base}/%{kind}`;
    const { outcome, event } = await runFilter(
      httpFilter,
      { url, keepalive: false, ...options },
      { kind: 'x', n: 1 },
      { ecs },
    );
    return { outcome, event, request: seen.at(-1) };
  }

  test('asks the address that the event says, and keeps the answer', async () => {
    const { outcome, event, request } = await ask({
      query: { q: '%{n}', l: ['a', 'b'] },
      headers: { 'X-H': '%{kind}' },
    });
    expect(outcome).toBe('matched');
    expect(event).toMatchObject({ body: 'yes', headers: { 'x-a': 'b' } });
    expect(request).toMatchObject({ method: 'GET', url: '/x?q=1&l=a&l=b', headers: { 'x-h': 'x' } });
  });

  test('an answer in JSON becomes fields; one that only says so is tagged', async () => {
    const type = 'application/json; charset=utf-8';
    expect((await ask({ target_body: '[a][b]' }, { type, body: '{"big":9007199254740993}' })).event.a).toBeDefined();
    const { event, outcome } = await ask({}, { type, body: '{' });
    expect(event).toMatchObject({ tags: ['_jsonparsefailure'] });
    expect(event.body).toBeUndefined();
    expect(outcome).toBe('matched');
  });

  test('sends a body: a text as it is, anything else as JSON with templates filled in', async () => {
    expect((await ask({ verb: 'POST', body: 'n=%{n}' })).request).toMatchObject({
      body: 'n=1',
      headers: { 'content-type': 'text/plain' },
    });
    const body = { '%{kind}': ['%{n}', 2], deep: { t: true } };
    const { request } = await ask({ verb: 'PUT', body, body_format: 'json' });
    expect(request).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ x: ['1', 2] });
    const list = await ask({ verb: 'PUT', body: ['%{n}'], body_format: 'json' });
    expect(list.request?.body).toBe('["1"]');
  });

  test('an answer that says no, and no answer, tag the event', async () => {
    const { event, outcome } = await ask({}, { status: 404 });
    expect(event).toEqual({ kind: 'x', n: 1, tags: ['_httprequestfailure'] });
    expect(outcome).toBe('unmatched');
    const gone = await ask({ url: 'http://127.0.0.1:1/', tag_on_request_failure: ['a', 'b'], automatic_retries: 0 });
    expect(gone.event.tags).toEqual(['a', 'b']);
    expect((await ask({ url: 'no address' })).event.tags).toEqual(['_httprequestfailure']);
  });

  test('names its targets by ECS where that is on', async () => {
    const { event } = await ask({}, {}, 'v8');
    expect(event).toMatchObject({ http: { response: { body: { content: 'yes' } } } });
  });

  test('sends a user and a password', async () => {
    const { request } = await ask({ user: 'u', password: 'p' });
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });
});
