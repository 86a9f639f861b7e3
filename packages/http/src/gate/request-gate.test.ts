import { CancelSource } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { answerRequest, forwardingHandler, type HttpHeaders } from '../message/http-message.ts';
import { BasicCredentials } from './basic-credentials.ts';
import { type CorsOptions, CorsPolicy } from './cors-policy.ts';
import { HostRule } from './host-rule.ts';
import { type GateOptions, gatedHandler, RequestGate } from './request-gate.ts';

const SHARED: CorsOptions = {
  allowsOrigin: (origin) => origin === 'https://app.example.com',
  methods: ['GET', 'POST'],
  headers: ['Content-Type'],
  exposedHeaders: ['X-elastic-product'],
  allowsCredentials: false,
  maxAgeSeconds: 60,
};

const gateOf = (options: Partial<GateOptions> = {}): RequestGate =>
  new RequestGate({
    hosts: new HostRule([], []),
    hostsSetting: 'http.allowed_hosts',
    originsHint: 'see [http.cors.allow-origin]',
    hasUsers: false,
    cors: null,
    ...options,
  });

function verdict(gate: RequestGate, headers: HttpHeaders, method = 'POST', target = '/_bulk'): string {
  const admission = gate.admit({ method, target, headers });
  return admission.kind === 'refused' ? admission.error.message : admission.kind;
}

const CREDENTIALS = new BasicCredentials('elastic', 'changeme');
const SIGNED = { authorization: `Basic ${btoa('elastic:changeme')}` };
const LOCAL = { host: 'localhost:9200' };

describe('a server without users', () => {
  test('is asked under its own names alone, and says what admits another', () => {
    expect(verdict(gateOf(), LOCAL)).toBe('admitted');
    expect(verdict(gateOf(), { host: 'evil.example.com' })).toContain('[http.allowed_hosts]');
    expect(verdict(gateOf({ hosts: null }), { host: 'evil.example.com' })).toBe('admitted');
  });

  test('answers a request that names no host, as no browser does', () => {
    expect([verdict(gateOf(), {}), verdict(gateOf(), { host: '' })]).toEqual(['admitted', 'admitted']);
  });

  test('takes the host of a target that is a whole URL', () => {
    expect(verdict(gateOf(), LOCAL, 'GET', 'http://evil.example.com/_search')).toContain('Host [evil.example.com]');
    expect(verdict(gateOf(), { host: 'evil.example.com' }, 'GET', 'http://localhost:9200/')).toBe('admitted');
  });

  test.each(['https://app.example.com', 'null', 'http://localhost:3000', 'http://localhost', 'chrome-extension://a'])(
    'refuses a page of the origin %s',
    (origin) => expect(verdict(gateOf(), { ...LOCAL, origin })).toContain('[http.cors.allow-origin]'),
  );

  test.each([
    ['localhost:9200', 'http://localhost:9200'],
    ['localhost', 'http://localhost'],
    ['es.internal', 'https://es.internal:443'],
    ['ES.internal:80', 'http://es.internal'],
  ])('answers its own pages: host %s, origin %s', (host, origin) => {
    expect(verdict(gateOf(), { host, origin })).toBe('admitted');
  });

  test.each(['cross-site', 'same-site'])('refuses what a %s page asks without naming its origin', (site) => {
    const image = { ...LOCAL, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    expect(verdict(gateOf(), image, 'GET', '/_refresh')).toContain('Sec-Fetch-Site');
    const frame = { ...image, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(verdict(gateOf(), frame, 'GET', '/_refresh')).toContain('Sec-Fetch-Site');
    const link = { ...frame, 'sec-fetch-dest': 'document' };
    expect(verdict(gateOf(), link, 'GET', '/_cat/indices')).toBe('admitted');
    expect(verdict(gateOf(), link, 'POST')).toContain('Sec-Fetch-Site');
  });

  test('answers what a user types into the browser', () => {
    expect(verdict(gateOf(), { ...LOCAL, 'sec-fetch-site': 'none' }, 'GET', '/')).toBe('admitted');
    expect(verdict(gateOf(), { ...LOCAL, 'sec-fetch-site': 'same-origin' }, 'GET', '/')).toBe('admitted');
  });
});

test('a server with users leaves origins to them, unless sharing is set up', () => {
  const foreign = { ...LOCAL, ...SIGNED, origin: 'https://evil.example.com' };
  expect(verdict(gateOf({ hosts: null, hasUsers: true, credentials: CREDENTIALS }), foreign)).toBe('admitted');
  const shared = gateOf({ hosts: null, hasUsers: true, credentials: CREDENTIALS, cors: new CorsPolicy(SHARED) });
  expect(verdict(shared, foreign)).toContain('may not ask');
});

describe('a server with a password', () => {
  const handler = (cors: CorsPolicy | null) =>
    gatedHandler(
      gateOf({ hosts: null, hasUsers: true, credentials: CREDENTIALS, cors }),
      forwardingHandler(async () => ({ status: 200, headers: [], body: new Uint8Array(0) })),
    );
  const ask = (method: string, headers: HttpHeaders, cors: CorsPolicy | null = null) =>
    answerRequest(handler(cors), {
      method,
      target: '/_search',
      headers,
      remoteAddress: '127.0.0.1',
      signal: new CancelSource().flag,
      readBody: async () => expect.fail('a body is not read before the password'),
    });

  test('answers who has it, and challenges anybody else without reading a body', async () => {
    expect((await ask('POST', SIGNED)).status).toBe(200);
    const refused = await ask('POST', {});
    expect(refused.status).toBe(401);
    expect(refused.headers).toContainEqual(['WWW-Authenticate', 'Basic realm="security" charset="UTF-8"']);
  });

  test('answers a browser that asks whether a page may ask', async () => {
    const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    expect((await ask('OPTIONS', preflight, new CorsPolicy(SHARED))).status).toBe(200);
    expect((await ask('OPTIONS', {})).status).toBe(401);
  });
});

describe('sharing', () => {
  const ask = async (options: Partial<CorsOptions>, method: string, headers: HttpHeaders) => {
    const handler = gatedHandler(
      gateOf({ cors: new CorsPolicy({ ...SHARED, ...options }) }),
      forwardingHandler(async () => ({ status: 418, headers: [['a', 'b']], body: new Uint8Array(0) })),
    );
    const answer = await answerRequest(handler, {
      method,
      target: '/_search',
      headers: { ...LOCAL, ...headers },
      remoteAddress: '-',
      readBody: async () => new Uint8Array(0),
      signal: new CancelSource(),
    });
    return { status: answer.status, headers: Object.fromEntries(answer.headers) };
  };
  const app = { origin: 'https://app.example.com' };
  const asking = { ...app, 'access-control-request-method': 'POST' };

  test('answers a preflight of an allowed origin without a route', async () => {
    expect(await ask({}, 'OPTIONS', asking)).toEqual({
      status: 200,
      headers: {
        'access-control-allow-origin': 'https://app.example.com',
        vary: 'Origin',
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'Content-Type',
        'access-control-max-age': '60',
        'content-length': '0',
      },
    });
  });

  test('adds its headers to what the route answers, an error as well', async () => {
    expect(await ask({ allowsCredentials: true }, 'GET', app)).toEqual({
      status: 418,
      headers: {
        a: 'b',
        'access-control-allow-origin': 'https://app.example.com',
        vary: 'Origin',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-elastic-product',
      },
    });
  });

  test('with every origin names a star, and the origin itself when credentials may come along', async () => {
    const anyone = { origin: 'http://anyone.example' };
    const any = await ask({ allowsOrigin: null }, 'GET', anyone);
    expect(any.headers).toMatchObject({ 'access-control-allow-origin': '*' });
    const credentials = await ask({ allowsOrigin: null, allowsCredentials: true }, 'GET', anyone);
    expect(credentials.headers).toMatchObject({
      'access-control-allow-origin': 'http://anyone.example',
      vary: 'Origin',
    });
  });

  test('refuses other origins, and those too long to be one', async () => {
    const evil = { ...asking, origin: 'https://evil.example.com' };
    expect([(await ask({}, 'OPTIONS', evil)).status, (await ask({}, 'GET', evil)).status]).toEqual([403, 403]);
    const long = { origin: `https://${'a'.repeat(600)}` };
    expect((await ask({ allowsOrigin: () => true }, 'GET', long)).status).toBe(403);
  });

  test('OPTIONS that asks for nothing is answered by the routes', async () => {
    expect((await ask({}, 'OPTIONS', app)).status).toBe(418);
  });
});
