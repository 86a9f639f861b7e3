import { gzipSync } from 'node:zlib';
import { receivedMemory } from '@shoal/agent-plugin-kit';
import { describe, expect, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { local, metadataOf, plainOf, start } from '../input-under-test.test-support.ts';
import { httpInput } from './http.ts';

describe('the http input', () => {
  const post = (port: number, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/path?x=1`, { method: 'POST', body: body as string, headers });
  test('answers ok once the queue has the event', async () => {
    const { sink, port } = await start(httpInput, local);
    const answer = await post(port, 'hello', { 'content-type': 'text/plain' });
    expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
    expect(sink.messages()).toEqual(['hello']);
    const headers = sink.events[0]?.fields.get('headers');
    expect(headers instanceof Map && headers.get('request_path')).toBe('/path?x=1');
    expect(headers instanceof Map && headers.get('request_method')).toBe('POST');
    expect(headers instanceof Map && headers.get('http_host')).toBe(`127.0.0.1:${port}`);
  });
  test('under ECS the parts of a request have its names', async () => {
    const { sink, port } = await start(httpInput, local, { ecs: 'v8' });
    await post(port, '{"http":{"method":"mine"}}', { 'content-type': 'application/json', 'user-agent': 'probe' });
    expect(plainOf(sink)).toEqual({
      http: {
        method: 'mine',
        version: 'HTTP/1.1',
        request: { body: { bytes: '26' }, mime_type: 'application/json' },
      },
      url: { path: '/path?x=1', domain: '127.0.0.1', port },
      user_agent: { original: 'probe' },
      host: { ip: '127.0.0.1' },
      event: { original: '{"http":{"method":"mine"}}' },
    });
    expect(metadataOf(sink, '[input][http][request][headers][http_host]')).toBe(`127.0.0.1:${port}`);
  });
  test('reads JSON by its content type, compressed too', async () => {
    const { sink, port } = await start(httpInput, local);
    await post(port, gzipSync('[{"a":1},{"a":2}]'), { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });
  test('refuses without credentials, too long bodies, and more than may wait', async () => {
    const { sink, port } = await start(httpInput, {
      ...local,
      user: 'u',
      password: 'p',
      max_content_length: 10,
      max_pending_requests: 1,
    });
    const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`;
    expect((await post(port, 'x')).status).toBe(401);
    expect((await post(port, 'x'.repeat(11), { authorization })).status).toBe(413);
    let open = (): void => undefined;
    let waiting = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => (waiting = resolve));
    const gate = new Promise<void>((resolve) => (open = resolve));
    Object.defineProperty(sink, 'gate', {
      get() {
        waiting();
        return gate;
      },
    });
    const first = post(port, 'a', { authorization });
    await isWaiting;
    expect((await post(port, 'b', { authorization })).status).toBe(429);
    open();
    expect((await first).status).toBe(200);
  });
  test('reads no more while all requests together hold too much, and answers each in the end', async () => {
    const { runtime } = testContext();
    // A machine with little memory has 16 MiB for all requests together.
    const small = { ...runtime, machine: { ...runtime.machine, totalMemoryBytes: 0 } };
    const memory = receivedMemory(small);
    const { sink, port } = await start(httpInput, local, { runtime: small });
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const body = 'x'.repeat(2 * 1024 * 1024);
    const answers = Array.from({ length: 24 }, () => post(port, body, { 'content-type': 'text/plain' }));
    while (memory.bytes < memory.bytesMax) await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < 200; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(memory.bytes).toBeLessThan(memory.bytesMax * 1.2);
    sink.gate = null;
    open();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(sink.events).toHaveLength(answers.length);
    expect(memory.bytes).toBe(0);
  });
  test('a body that is not what it says is no event', async () => {
    const { sink, port } = await start(httpInput, local);
    const answers = ['gzip', 'deflate'].map((encoding) => post(port, 'hello', { 'content-encoding': encoding }));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400]);
    expect(sink.events).toEqual([]);
  });
  test('asks for credentials only who gave none', async () => {
    const { port } = await start(httpInput, { ...local, user: 'u', password: 'p' });
    const challenge = async (headers: Record<string, string>) =>
      (await post(port, 'x', headers)).headers.get('www-authenticate');
    expect(await challenge({})).toMatch(/^Basic realm=/);
    expect(await challenge({ authorization: 'Basic no' })).toBeNull();
  });
  test('reads a type of content with any codec that needs no options', async () => {
    const additional_codecs = { 'application/x-ndjson': 'json_lines' };
    const { sink, port } = await start(httpInput, { ...local, additional_codecs });
    await post(port, '{"a":1}\n{"a":2}', { 'content-type': 'application/x-ndjson; charset=utf-8' });
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2]);
    const refused = (codecs: Record<string, string>) => () =>
      makeInput(httpInput, { additional_codecs: codecs }, testContext());
    expect(refused({ 'text/plain': 'multiline' })).toThrow('[additional_codecs] may name plain, line');
    expect(() => makeInput(httpInput, { response_code: 404 }, testContext())).toThrow('must be one of 200, 201');
  });
});
