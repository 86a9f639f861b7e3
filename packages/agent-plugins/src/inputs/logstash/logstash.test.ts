import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { local, plainOf, start } from '../input-under-test.test-support.ts';
import { logstashInput } from './logstash.ts';

const clear = { ...local, ssl_enabled: false };

describe('the logstash input', () => {
  const post = (port: number, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: body as string, headers });

  test('has events as they were, of lines of JSON or of one list, packed or not', async () => {
    const { sink, port } = await start(logstashInput, clear, { ecs: 'v8' });
    const ndjson = { 'content-type': 'application/x-ndjson' };
    const answer = await post(port, gzipSync('{"a":1}\n{"a":2}\n'), { ...ndjson, 'content-encoding': 'gzip' });
    expect([answer.status, answer.headers.get('accept')]).toEqual([200, 'application/x-ndjson']);
    await post(port, '[{"a":3},{"a":4}]', ndjson);
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2, 3, 4]);
    expect(plainOf(sink)).toEqual({ a: 1 });
  });

  test('asks for credentials when it has some', async () => {
    const { port, sink } = await start(logstashInput, { ...clear, username: 'u', password: 'p' });
    expect((await post(port, '{"a":1}')).status).toBe(401);
    const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect((await post(port, '{"a":1}', { authorization })).status).toBe(200);
    expect(sink.events).toHaveLength(1);
  });

  test.each([
    [{ username: 'u' }, 'need each other'],
    [{ password: 'p' }, 'need each other'],
    [{ ssl_cipher_suites: ['TLS_AES_256_GCM_SHA384'] }, 'cannot be given with [ssl_enabled => false]'],
  ])('refuses %j', (options, message) => {
    expect(() => makeInput(logstashInput, { ...clear, ...options }, testContext())).toThrow(message);
  });

  test('speaks TLS unless that is turned off, and cannot without a certificate', async () => {
    await expect(start(logstashInput, local)).rejects.toThrow('[ssl_enabled] needs [ssl_certificate]');
  });
});
