import { connect } from 'node:net';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import supertest from 'supertest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHttpHandler } from '../handler/http-handler.ts';
import { type AccessEntry, combinedLine, openAccessLog } from '../logging/access-log.ts';
import { valueResponse } from '../message/http-message.ts';
import type { Route } from '../routing/route.ts';
import { type HttpAdapter, type HttpServer, startHttpServer } from './start-http-server.ts';

const runtime = createNodeRuntime({ log: createSilentLog() });
const servers: HttpServer[] = [];
let waiting: { gone: Promise<string | null>; started: Promise<void>; release: () => void } | null = null;

const routes: readonly Route<null>[] = [
  {
    methods: ['POST', 'GET', 'HEAD'],
    paths: ['/{index}/_echo'],
    isHot: true,
    body: 'json',
    handler: async (request) =>
      valueResponse({ index: request.params.required('index'), bytes: request.body?.length ?? 0 }),
  },
  {
    methods: ['POST'],
    paths: ['/_lines'],
    params: { drop: 'boolean' },
    body: 'ndjson',
    inPieces: true,
    handler: async ({ pieces, params }) => {
      const bytes = pieces?.length ?? 0;
      for (let piece = 0; params.boolean('drop', false) && piece < (pieces?.count ?? 0); piece++) pieces?.drop(piece);
      return valueResponse({ bytes, isNull: pieces === null });
    },
  },
  {
    methods: ['GET'],
    paths: ['/_letters'],
    params: { length: 'integer' },
    handler: async (request) => valueResponse({ letters: 'a'.repeat(request.params.integer('length') ?? 0) }),
  },
];

const ADAPTERS: readonly HttpAdapter[] = ['express-all', 'express', 'node'];

async function start(
  adapter: HttpAdapter,
  onAnswered: (entry: AccessEntry) => void = () => {},
  inflightBytesMax = 1_000_000,
): Promise<string> {
  let resolveStarted = (): void => {};
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve;
  });
  let resolveGone = (_reason: string | null): void => {};
  const gone = new Promise<string | null>((resolve) => {
    resolveGone = resolve;
  });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  waiting = { gone, started, release };
  const slow: Route<null> = {
    methods: ['GET', 'POST'],
    paths: ['/_slow', '/_hold'],
    isHot: true,
    body: 'json',
    handler: async (request) => {
      resolveStarted();
      await Promise.race([released, new Promise<void>((resolve) => request.signal.onCancel(resolve))]);
      resolveGone(request.signal.reason);
      return valueResponse({});
    },
  };
  const handler = createHttpHandler([...routes, slow], {
    context: null,
    log: runtime.log,
    contentBytesMax: 1_000,
    onAssertionFailure: (error) => {
      throw error;
    },
  });
  const server = await startHttpServer(runtime, {
    host: '127.0.0.1',
    port: 0,
    handler,
    adapter,
    onAnswered,
    inflightBytesMax,
  });
  servers.push(server);
  return `http://127.0.0.1:${server.address.port}`;
}

/** What a server sends back to bytes until it closes the connection. */
function answerTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.on('close', () => resolve(received));
  });
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe.each(ADAPTERS)('over %s', (adapter) => {
  test('a request is answered with body and headers', async () => {
    const url = await start(adapter);
    const response = await supertest(url).post('/lib/_echo').send({ a: 1 }).expect(200);
    expect(response.body).toEqual({ index: 'lib', bytes: 7 });
    expect(response.headers['x-elastic-product']).toBe('Elasticsearch');
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(response.headers.etag).toBeUndefined();
  });
  test('GET may have a body', async () => {
    const url = await start(adapter);
    await supertest(url).get('/lib/_echo').send({ a: 1 }).expect(200, { index: 'lib', bytes: 7 });
  });
  test('HEAD has the length of the body and not the body', async () => {
    const url = await start(adapter);
    const response = await supertest(url).head('/lib/_echo').set('accept-encoding', 'identity').expect(200);
    expect(response.headers['content-length']).toBe('25');
    expect(response.text).toBeUndefined();
  });
  test('packed bodies are unpacked, up to the limit', async () => {
    const url = await start(adapter);
    const send = (bytes: number) =>
      fetch(`${url}/lib/_echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(bytes, 0x20)),
      });
    expect(await (await send(900)).json()).toEqual({ index: 'lib', bytes: 900 });
    expect((await send(100_000)).status).toBe(413);
  });
  test.each(['identity', 'gzip', 'deflate'])(
    'a body in pieces may come as %s, and gives back what it drops',
    async (encoding) => {
      const url = await start(adapter, undefined, 1_500);
      const pack = encoding === 'gzip' ? gzipSync : encoding === 'deflate' ? deflateSync : (bytes: Buffer) => bytes;
      const send = (bytes: number, drop = true) =>
        fetch(`${url}/_lines?drop=${drop}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-ndjson', 'content-encoding': encoding },
          body: new Uint8Array(pack(Buffer.alloc(bytes, '\n'))),
        });
      for (const drop of [true, false, true, false]) {
        expect(await (await send(900, drop)).json()).toEqual({ bytes: 900, isNull: false });
      }
      expect(await (await send(0)).json()).toEqual({ bytes: 0, isNull: true });
      expect((await send(100_000)).status).toBe(413);
      expect((await send(900)).status).toBe(200);
    },
  );
  test('packed lines that are broken are refused', async () => {
    const url = await start(adapter);
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const whole = gzipSync('x\n'.repeat(100));
    for (const body of [whole.subarray(0, 20), Buffer.from('no gzip')]) {
      const answer = await fetch(`${url}/_lines`, { method: 'POST', headers, body: new Uint8Array(body) });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('request body could not be decompressed');
    }
  });
  test('a body over the limit is refused, announced or not', async () => {
    const url = await start(adapter);
    const headers = { 'content-type': 'application/json' };
    const announced = await fetch(`${url}/lib/_echo`, { method: 'POST', headers, body: ' '.repeat(200_000) });
    expect(announced.status).toBe(413);
    expect(await announced.text()).toContain('"type":"content_too_long_exception"');
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 50; i++) controller.enqueue(new Uint8Array(1_000));
        controller.close();
      },
    });
    const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
    expect((await fetch(`${url}/lib/_echo`, init)).status).toBe(413);
  });
  test('a body that its client holds back is asked for only when it is wanted', async () => {
    const url = await start(adapter);
    const head = (length: number, path = '/lib/_echo'): string =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    const refused = await answerTo(url, head(100_000));
    expect(refused).toMatch(/^HTTP\/1\.1 413 /);
    expect(refused.toLowerCase()).toContain('connection: close');
    expect(await answerTo(url, head(2, '/_nowhere/at/all/x'))).toMatch(/^HTTP\/1\.1 4/);
    const taken = await answerTo(url, `${head(2).replace('Host: x', 'Host: x\r\nConnection: close')}{}`);
    expect(taken).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('bodies that together do not fit are refused until others are answered', async () => {
    const url = await start(adapter, () => {}, 1_500);
    const headers = { 'content-type': 'application/json' };
    const abort = new AbortController();
    const held = fetch(`${url}/_hold`, { method: 'POST', headers, body: ' '.repeat(900), signal: abort.signal }).catch(
      () => null,
    );
    await waiting?.started;
    const send = () => fetch(`${url}/lib/_echo`, { method: 'POST', headers, body: ' '.repeat(900) });
    const refused = await send();
    expect([refused.status, (await refused.text()).includes('circuit_breaking_exception')]).toEqual([429, true]);
    abort.abort();
    await held;
    await waiting?.gone;
    expect((await send()).status).toBe(200);
  });
  test.each([10, 2_000, 200_000])(
    'answers of %d bytes are packed for those who ask, where it gains',
    async (length) => {
      const url = await start(adapter);
      const request = supertest(url).get(`/_letters?length=${length}`).set('accept-encoding', 'br, gzip').buffer(true);
      const response = await request.parse((stream, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
        stream.on('end', () => done(null, Buffer.concat(chunks)));
      });
      expect(response.headers['content-encoding']).toBe(length < 1_024 ? undefined : 'gzip');
      expect(response.headers.vary).toBe('Accept-Encoding');
      const bytes = response.body as Buffer;
      const json = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
      expect(JSON.parse(json.toString())).toEqual({ letters: 'a'.repeat(length) });
      const plain = await supertest(url).get(`/_letters?length=${length}`).set('accept-encoding', 'identity');
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.body).toEqual({ letters: 'a'.repeat(length) });
    },
  );
  test('an answer of a server that closes tells its client to use the connection no more', async () => {
    const url = await start(adapter);
    const held = fetch(`${url}/_hold`);
    await waiting?.started;
    const closing = servers.splice(0).map((server) => server.close());
    waiting?.release();
    expect((await held).headers.get('connection')).toBe('close');
    await Promise.all(closing);
  });
  test('work learns that the client is gone', async () => {
    const url = await start(adapter);
    const abort = new AbortController();
    const request = fetch(`${url}/_slow`, { signal: abort.signal }).catch(() => null);
    await waiting?.started;
    abort.abort();
    expect(await waiting?.gone).toBe('http channel closed');
    await request;
  });
  test('bytes that are no HTTP get a short answer', async () => {
    expect(await answerTo(await start(adapter), 'garbage\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
  test('a request with two hosts reaches no route', async () => {
    const lines = ['GET /lib/_echo HTTP/1.1', 'host: localhost', 'Host: evil', 'connection: close', '', ''];
    const answer = await answerTo(await start(adapter), lines.join('\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('a request has one Host header');
  });
  test('a target that is a whole URL is its path', async () => {
    const lines = ['GET http://localhost:1/lib/_echo?pretty HTTP/1.1', 'host: localhost', 'connection: close', '', ''];
    expect(await answerTo(await start(adapter), lines.join('\r\n'))).toContain('"index" : "lib"');
  });
});

test('connections are counted: those that are open, and all', async () => {
  await start('node');
  const server = servers.at(-1) ?? expect.fail('no server');
  const sockets = [1, 2].map(() => connect(server.address.port, '127.0.0.1'));
  await vi.waitUntil(() => server.connections().opened === 2);
  expect(server.connections()).toEqual({ open: 2, opened: 2 });
  sockets[0]?.destroy();
  await vi.waitUntil(() => server.connections().open === 1);
  expect(server.connections()).toEqual({ open: 1, opened: 2 });
  sockets[1]?.destroy();
});

test('a port that is taken is named', async () => {
  const url = new URL(await start('node'));
  const handler = createHttpHandler<null>([], {
    context: null,
    log: runtime.log,
    contentBytesMax: 1,
    onAssertionFailure: () => {},
  });
  const options = { host: '127.0.0.1', port: Number(url.port), handler };
  await expect(startHttpServer(runtime, options)).rejects.toMatchObject({
    kind: 'addressInUse',
    message: `http port 127.0.0.1:${url.port} is in use`,
  });
});

test.each(ADAPTERS)('over the adapter %s the access log has one combined line an answer', async (adapter) => {
  const path = `access-${adapter}.log`;
  const log = await openAccessLog(runtime, { path, fileBytesMax: 1_000_000 });
  const seen: AccessEntry[] = [];
  const url = await start(adapter, (entry) => {
    seen.push(entry);
    log.write(entry);
  });
  await supertest(url).get('/lib/_echo?pretty').set('user-agent', 'a "b"\n'.trim()).expect(200);
  await supertest(url).get('/lib/_nothing').expect(400);
  expect(seen.map((entry) => entry.status)).toEqual([200, 400]);
  await log.close();
  const lines = new TextDecoder().decode(await runtime.disk.readFile(path)).split('\n');
  expect(lines[0]).toMatch(
    /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/lib\/_echo\?pretty HTTP\/1\.1" 200 37 "-" "a \\"b\\""$/,
  );
  expect(lines).toHaveLength(3);
});

test('a full access log is renamed, and only the newest full ones stay', async () => {
  const entry = { remoteAddress: '::1', method: 'GET', protocol: 'HTTP/1.1', status: 200, bytes: 5 };
  const line = combinedLine({ ...entry, target: '/0', referrer: null, userAgent: 'a' }, 0);
  // Each close writes what waits: so many lines a write, which fill a file each time but the last.
  for (let turn = 0; turn < 6; turn++) {
    const log = await openAccessLog(runtime, { path: 'full.log', fileBytesMax: 1_000 });
    for (let i = 0; i < Math.floor(900 / line.length); i++)
      log.write({ ...entry, target: `/${turn}`, referrer: null, userAgent: 'a' });
    await log.close();
  }
  const turnOf = async (name: string) =>
    [...new TextDecoder().decode(await runtime.disk.readFile(name)).matchAll(/GET \/(\d)/g)].map((m) => m[1])[0];
  expect(await turnOf('full.log')).toBe('5');
  expect(await turnOf('full.log.1')).toBe('4');
  expect(await turnOf('full.log.2')).toBe('3');
  expect(await runtime.disk.exists('full.log.3')).toBe(false);
});

test('a line holds no line break of the request', () => {
  const entry: AccessEntry = {
    remoteAddress: '::1',
    method: 'GET',
    target: '/',
    protocol: 'HTTP/1.1',
    status: 200,
    bytes: 0,
    referrer: 'a\nb',
    userAgent: null,
  };
  expect(combinedLine(entry, 971_186_136_000)).toBe(
    '::1 - - [10/Oct/2000:13:55:36 +0000] "GET / HTTP/1.1" 200 - "a\\x0ab" "-"\n',
  );
  const hostile = combinedLine({ ...entry, userAgent: `"\\\u0000\u001b[2J\u007f\u0085é${'x'.repeat(5_000)}` }, 0);
  expect(hostile).toContain('"\\"\\\\\\x00\\x1b[2J\\x7f\\x85éxxx');
  expect(hostile.length).toBeLessThan(2_200);
  expect(hostile.indexOf('\n')).toBe(hostile.length - 1);
});
