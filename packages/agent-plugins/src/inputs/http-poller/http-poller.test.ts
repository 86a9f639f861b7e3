import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
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
});
