import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { listen, metadataOf, plainOf, start } from '../input-under-test.test-support.ts';
import { httpPollerInput } from './http-poller.ts';

describe('the http_poller input', () => {
  test('asks each address, and makes events of failures', async () => {
    const server = createServer((request, response) => response.end(JSON.stringify({ at: request.url })));
    const url = `http://127.0.0.1:${await listen(server)}`;
    const { sink } = await start(httpPollerInput, {
      urls: { good: `${url}/x`, bad: { url: 'http://127.0.0.1:1/', method: 'post' } },
      schedule: { every: '1h' },
    });
    await sink.until(2);
    const good = sink.events.find((event) => event.fields.get('at') === '/x');
    const bad = sink.events.find((event) => event.hasTag('_http_request_failure'));
    expect(good?.metadata.get('code')).toBe(200);
    expect(good?.metadata.get('name')).toBe('good');
    expect(bad?.fields.has('http_request_failure')).toBe(true);
  });
  test('under ECS the request and the answer stand below the input', async () => {
    const server = createServer((_, response) => response.end('{"a":1}'));
    const url = `http://127.0.0.1:${await listen(server)}/`;
    const { sink } = await start(httpPollerInput, { urls: { x: url }, schedule: { every: '1h' } }, { ecs: 'v8' });
    await sink.until(1);
    const about = (name: string) => metadataOf(sink, `[input][http_poller]${name}`);
    expect(about('[request][host][hostname]')).toBe('tester');
    expect(about('[request][original][url]')).toBe(url);
    expect(about('[request][name]')).toBe('x');
    expect(about('[request][retry_count]')).toBe(0);
    expect(about('[response][status_code]')).toBe(200);
    expect(about('[response][status_message]')).toBe('OK');
    expect(about('[response][elapsed_time_ns]')).toBeTypeOf('number');
    expect([...sink.events[0]!.metadata.keys()]).toEqual(['input']);
    const urls = { x: { url: 'http://127.0.0.1:1/', method: 'post' } };
    const bad = await start(httpPollerInput, { urls, schedule: { every: '1h' } }, { ecs: 'v8' });
    await bad.sink.until(1);
    expect(plainOf(bad.sink)).toMatchObject({
      url: { full: 'http://127.0.0.1:1/' },
      http: { request: { method: 'post' } },
      host: { hostname: 'tester' },
      error: { message: expect.stringContaining('ECONNREFUSED') },
      tags: ['_http_request_failure'],
    });
  });
  test('asks with the credentials, parameters and body of an address, and shows all but the credentials', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        const { authorization = '-', 'content-type': type = '-' } = request.headers;
        seen.push(`${request.method} ${request.url} ${authorization} ${type} ${body}`);
        response.end('{}');
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}/`;
    const basic = (user: string): string => `Basic ${btoa(`${user}:p`)}`;
    const { sink } = await start(httpPollerInput, {
      urls: {
        a: { url, auth: { user: 'a', password: 'p' }, params: { x: 'y z' } },
        b: { url, method: 'post', user: 'b', password: 'p', params: { x: 'y z' }, query: 'q=1' },
        c: { url, headers: { 'X-A': 'b' }, body: 'text', request_timeout: 5 },
      },
      user: 'top',
      password: 'p',
      schedule: { every: '1h' },
    });
    await sink.until(3);
    expect(seen.sort()).toEqual([
      `GET / ${basic('top')} - text`,
      `GET /?x=y+z ${basic('a')} - `,
      `POST /?q=1 ${basic('b')} application/x-www-form-urlencoded; charset=UTF-8 x=y+z`,
    ]);
    const named = (name: string) =>
      sink.events.find((event) => event.metadata.get('name') === name)?.metadata.get('request');
    expect(named('c')).toEqual(
      new Map<string, unknown>([
        ['url', url],
        ['headers', new Map([['X-A', 'b']])],
        ['body', 'text'],
        ['request_timeout', 5],
        ['method', 'get'],
      ]),
    );
    expect([...(named('a') as Map<string, unknown>).keys()].sort()).toEqual(['method', 'params', 'url']);
  });
  test.each([
    [{ url: 'http://x/', follow: true }, '[a] holds follow; known are url'],
    [{ url: 'http://x/', user: 'a' }, '[a] needs both user and password'],
    [{ url: 'http://x/', auth: { password: 'a' } }, '[a] needs both user and password'],
    [{ method: 'get' }, '[a] has no usable url'],
    [{ url: 'http://x/', headers: 'a' }, '[a] needs a hash as headers'],
  ])('%j is refused', (a, why) => {
    expect(() => makeInput(httpPollerInput, { urls: { a }, schedule: { every: '1h' } }, testContext())).toThrow(why);
  });
  test('a user without a password is refused', () => {
    const options = { urls: { a: 'http://x/' }, schedule: { every: '1h' }, user: 'u' };
    expect(() => makeInput(httpPollerInput, options, testContext())).toThrow('[user => u] needs a [password]');
  });
});
