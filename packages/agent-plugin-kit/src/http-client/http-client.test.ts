import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpClient, type HttpClientOptions } from './http-client.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function open(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function site(handler: Handler): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const url = await open(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'}`);
      handler(request, response);
    }),
  );
  return { url, seen };
}

function client(options: HttpClientOptions = {}): HttpClient {
  const made = new HttpClient(options);
  ends.push(() => made.close());
  return made;
}
const timeoutMs = 5_000;

describe('a request', () => {
  test('goes where it is sent, and credentials stay behind', async () => {
    const other = await site((_request, response) => response.end('there'));
    const { url, seen } = await site((request, response) => {
      const location = request.url === '/a' ? '/b' : `${other.url}/c`;
      response.writeHead(302, { location }).end();
    });
    const headers = { authorization: 'Basic x' };
    const call = { url: `${url}/a`, headers, timeoutMs };
    const answer = await client({ followsRedirects: true }).call({ ...call, method: 'GET' });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, 'there']);
    expect([...seen, ...other.seen]).toEqual(['GET /a Basic x', 'GET /b Basic x', 'GET /c -']);
    expect((await client({ followsRedirects: true }).call({ ...call, method: 'POST' })).status).toBe(302);
    expect((await client().call({ ...call, method: 'GET' })).status).toBe(302);
  });

  test('turns in a circle only so often', async () => {
    const { url, seen } = await site((_request, response) => response.writeHead(301, { location: '/' }).end());
    expect((await client({ followsRedirects: true }).call({ method: 'GET', url, timeoutMs })).status).toBe(301);
    expect(seen).toHaveLength(11);
  });

  test.each([
    ['GET', false, 3],
    ['POST', false, 1],
    ['POST', true, 3],
  ] as const)('%s without an answer is made again where that does no harm', async (method, repeatsAll, times) => {
    const { url, seen } = await site((request) => request.socket.destroy());
    await expect(client({ repeats: 2, repeatsAll }).call({ method, url, timeoutMs })).rejects.toThrow();
    expect(seen).toHaveLength(times);
  });

  test('does not wait for an answer that does not go on', async () => {
    const { url } = await site((_request, response) => void response.write('a'));
    const call = client({ silenceMs: 30 }).call({ method: 'GET', url, timeoutMs });
    await expect(call).rejects.toThrow('nothing came for 30 ms');
  });

  test('connections are kept, or not', async () => {
    const connections: number[] = [];
    for (const idleMs of [5_000, 0]) {
      let count = 0;
      const server = createServer((_request, response) => response.end()).on('connection', () => count++);
      const url = await open(server);
      const caller = client({ idleMs });
      for (let i = 0; i < 3; i++) await caller.call({ method: 'GET', url, timeoutMs });
      connections.push(count);
    }
    expect(connections).toEqual([1, 3]);
  });

  test('an answer that is none is a failure', async () => {
    const url = await open(createTcpServer((socket) => void socket.end('what?\r\n\r\n')));
    await expect(client().call({ method: 'GET', url, timeoutMs })).rejects.toMatchObject({ type: 'http_exception' });
  });
});
