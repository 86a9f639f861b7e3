import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { makeCertificate, type TestCertificate } from '../tls/test-certificates.test-support.ts';
import { type FingerprintTrust, parseFingerprint } from '../tls/trusted-fingerprint.ts';
import { HttpClient, type HttpClientOptions } from './http-client.ts';
import { parseProxy, readProxy } from './http-proxy.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const authority = makeCertificate({ name: 'authority', issuer: null });
const other = makeCertificate({ name: 'other', issuer: null });
const named = makeCertificate({ name: 'site', issuer: authority, hosts: ['localhost'] });
const forged = makeCertificate({ name: 'site', issuer: { ...other, name: 'authority' }, hosts: ['localhost'] });
const timeoutMs = 5_000;

async function open(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function secureSite(own: TestCertificate): Promise<number> {
  const options = { key: own.key, cert: own.certificate + authority.certificate };
  return open(createSecureServer(options, (_request, response) => response.end('safe')));
}

/** Opens tunnels, and shows what it is asked for. */
async function proxy(status = 200): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void seen.push(`${method} ${url} ${headers.host} ${headers['proxy-authorization'] ?? '-'}`);
  const server = createServer((request, response) => {
    note(request);
    response.end('by proxy');
  });
  server.on('connect', (request: IncomingMessage, client) => {
    note(request);
    const [, port = ''] = (request.url ?? '').split(':');
    client.write(`HTTP/1.1 ${status} Said\r\n\r\n`);
    if (status !== 200) return void client.end();
    const target = connect(Number(port), '127.0.0.1');
    target.pipe(client).pipe(target);
    client.on('error', () => target.destroy());
    target.on('error', () => client.destroy());
    ends.push(() => target.destroy());
  });
  return { port: await open(server), seen };
}

async function get(url: string, options: HttpClientOptions): Promise<string> {
  const client = new HttpClient(options);
  ends.push(() => client.close());
  const { body } = await client.call({ method: 'GET', url, timeoutMs });
  return Buffer.from(body).toString();
}

describe('a proxy', () => {
  test('is sent the whole address of a request without TLS, and its credentials', async () => {
    const { port, seen } = await proxy();
    const options = { proxy: parseProxy(`http://u:p%40w@127.0.0.1:${port}`) };
    expect(await get('http://far.test:81/a?b=c', options)).toBe('by proxy');
    expect(seen).toEqual([`GET http://far.test:81/a?b=c far.test:81 Basic ${btoa('u:p@w')}`]);
  });

  test('opens a tunnel for TLS, through which certificates are verified as ever', async () => {
    const { port, seen } = await proxy();
    const site = await secureSite(named);
    const options = { proxy: parseProxy(`127.0.0.1:${port}`) };
    const tls = { ca: authority.certificate, rejectUnauthorized: true };
    expect(await get(`https://localhost:${site}/x`, { ...options, tls })).toBe('safe');
    expect(seen).toEqual([`CONNECT localhost:${site} localhost:${site} -`]);
    await expect(get(`https://localhost:${site}/x`, options)).rejects.toThrow(/certificate/);
  });

  test('that opens no tunnel is a failure', async () => {
    const { port } = await proxy(407);
    const call = get('https://localhost:1/x', { proxy: parseProxy(`127.0.0.1:${port}`) });
    await expect(call).rejects.toThrow('the proxy answered 407 to CONNECT localhost:1');
  });

  test('may be a hash of the parts of its address', () => {
    const parts = { host: 'p', port: 3128, user: 'u@x', password: 'w' };
    expect(readProxy(new Map<string, unknown>(Object.entries(parts)))).toEqual({
      host: 'p',
      port: 3128,
      authorization: `Basic ${btoa('u@x:w')}`,
    });
    expect(readProxy(new Map([['url', 'http://p']]))).toEqual({ host: 'p', port: 80, authorization: null });
    expect(() => readProxy(new Map([['hots', 'p']]))).toThrow('and not hots');
    expect(() => readProxy(new Map([['port', 1]]))).toThrow('names no address');
  });

  test('has an address of http; none at all is an empty one', () => {
    expect(parseProxy('')).toBeNull();
    expect(parseProxy('http://p:3128')).toEqual({ host: 'p', port: 3128, authorization: null });
    expect(() => parseProxy('https://p')).toThrow('must be an address of http');
    expect(() => parseProxy('http://')).toThrow('is no address');
  });
});

describe('trust by fingerprint', () => {
  const sha256 = ({ certificate }: TestCertificate): string =>
    createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
  const trust = (certificate: TestCertificate, nowMs = Date.parse('2026-01-02')): FingerprintTrust => ({
    fingerprints: [parseFingerprint(sha256(certificate))],
    comparesNames: true,
    nowMs: () => nowMs,
  });

  test('takes a server whose chain holds the certificate', async () => {
    const url = `https://localhost:${await secureSite(named)}/`;
    expect(await get(url, { trust: trust(authority) })).toBe('safe');
    expect(await get(url, { trust: trust(named) })).toBe('safe');
    await expect(get(url, { trust: trust(other) })).rejects.toThrow('no certificate of the server has the fingerprint');
  });

  test('still verifies signatures, dates and names', async () => {
    const site = await secureSite(forged);
    await expect(get(`https://localhost:${site}/`, { trust: trust(authority) })).rejects.toThrow(
      /no certificate|not signed/,
    );
    const well = await secureSite(named);
    await expect(get(`https://127.0.0.1:${well}/`, { trust: trust(authority) })).rejects.toThrow(/does not match/);
    const late = trust(authority, Date.parse('2100-01-02'));
    await expect(get(`https://localhost:${well}/`, { trust: late })).rejects.toThrow('not valid at this time');
  });

  test('is given in hexadecimal digits', () => {
    expect(parseFingerprint(`${'ab:'.repeat(31)}cd`)).toBe(`${'AB'.repeat(31)}CD`);
    expect(() => parseFingerprint('abc')).toThrow('64 hexadecimal digits');
  });
});
