import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { testAgent } from '../../agent/agent.test-support.ts';
import type { AgentCore } from '../../agent/agent.ts';
import { readApiSecurity } from './api-security.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { certificatePem, KEYSTORE_PASSWORD, keyPem, keystoreBytes } from './test-identity.test-support.ts';

async function startTestApi(core: AgentCore): Promise<ApiServer> {
  return startApiServer(core, await readApiSecurity(core.runtime, core.settings));
}

const USERS = {
  'api.auth.type': 'basic',
  'api.auth.basic.username': 'wanda',
  'api.auth.basic.password': 'fjörd: 2x',
};
const PEM = { 'api.ssl.enabled': true, 'api.ssl.certificate': 'api.crt', 'api.ssl.key': 'api.key' };
const KEYSTORE = {
  'api.ssl.enabled': true,
  'api.ssl.keystore.path': 'api.p12',
  'api.ssl.keystore.password': KEYSTORE_PASSWORD,
};
const RIGHT = `Basic ${Buffer.from('wanda:fjörd: 2x').toString('base64')}`;

async function put(runtime: Runtime, path: string, bytes: Uint8Array | string): Promise<void> {
  const file = await runtime.disk.open(path, 'create');
  await file.write(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, 0);
  await file.close();
}

async function served(
  settings: Record<string, unknown>,
  body: (server: ApiServer, port: number) => Promise<void> = async () => {},
): Promise<void> {
  const { core, runtime } = testAgent({
    'api.http.port': 0,
    'config.string': 'input { heartbeat { } } output { null { } }',
    ...settings,
  });
  await put(runtime, 'api.key', keyPem());
  await put(runtime, 'api.crt', certificatePem());
  await put(runtime, 'api.p12', keystoreBytes());
  await put(runtime, 'api.jks', Uint8Array.of(0xfe, 0xed, 0xfe, 0xed, 0, 0, 0, 2));
  await core.start();
  const server = await startTestApi(core);
  try {
    await body(server, server.address.port);
  } finally {
    await server.close();
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly text: string;
}

function ask(
  port: number,
  options: {
    readonly path?: string;
    readonly authorization?: string;
    readonly tls?: boolean;
    readonly method?: string;
    readonly host?: string;
    readonly origin?: string;
  },
): Promise<Answer> {
  const { path = '/_node/stats', tls = false, method = 'GET', authorization, host, origin } = options;
  const given = Object.entries({ authorization, host, origin });
  const headers = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const target = { host: '127.0.0.1', port, path, method, headers, agent: false as const, ca: certificatePem() };
  return new Promise((resolve, reject) => {
    const sent = (tls ? httpsRequest : httpRequest)(target, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, challenge: response.headers['www-authenticate'], text }),
      );
    });
    sent.on('error', reject).end();
  });
}

function stream(url: string, authorization?: string, others: Record<string, string> = {}): Promise<string> {
  const headers = authorization === undefined ? others : { ...others, authorization };
  const client = new WebSocket(url, { headers, ca: certificatePem() });
  return new Promise<string>((resolve, reject) => {
    client.on('error', reject);
    client.on('message', (data) => resolve(String(data)));
  }).finally(() => client.close());
}

describe('an API with users', () => {
  test.each(['/', '/_node/stats', '/metrics', '/_health_report', '/nope'])(
    'asks for name and password on %s',
    async (path) => {
      await served(USERS, async (_server, port) => {
        const answer = await ask(port, { path });
        expect(answer.status).toBe(401);
        expect(answer.challenge).toBe('Basic realm="logstash-api", charset="UTF-8"');
        expect(JSON.parse(answer.text)).toEqual({ path, status: 401, error: { message: 'Unauthorized' } });
      });
    },
  );

  test('answers those who know both, in any language', async () => {
    await served(USERS, async (_server, port) => {
      expect((await ask(port, { authorization: RIGHT })).status).toBe(200);
      expect((await ask(port, { authorization: RIGHT.replace('Basic', 'basic'), path: '/metrics' })).status).toBe(200);
    });
  });

  test.each([
    ['another password', `Basic ${Buffer.from('wanda:fjord').toString('base64')}`],
    ['another name', `Basic ${Buffer.from('vanda:fjörd: 2x').toString('base64')}`],
    ['no password', `Basic ${Buffer.from('wanda').toString('base64')}`],
    ['a password and more', `Basic ${Buffer.from('wanda:fjörd: 2xx').toString('base64')}`],
    ['another scheme', RIGHT.replace('Basic', 'Bearer')],
    ['nothing', ''],
    ['something endless', `Basic ${'A'.repeat(10_000)}`],
  ])('refuses %s', async (_name, authorization) => {
    await served(USERS, async (_server, port) => expect((await ask(port, { authorization })).status).toBe(401));
  });

  test('guards the stats stream too', async () => {
    await served(USERS, async (_server, port) => {
      const url = `ws://127.0.0.1:${port}/_node/stats/stream?interval=100ms`;
      await expect(stream(url)).rejects.toThrow('401');
      expect(JSON.parse(await stream(url, RIGHT))).toHaveProperty('events');
    });
  });

  test.each(['username', 'password'])('does not start without a %s', async (name) => {
    const settings = { ...USERS, [`api.auth.basic.${name}`]: '' };
    await expect(served(settings)).rejects.toThrow(`api.auth.basic.${name} is needed by api.auth.type: basic`);
  });

  test('is not taken for one when the type is missing', async () => {
    await expect(served({ ...USERS, 'api.auth.type': 'none' })).rejects.toThrow('nobody would be asked');
  });
});

describe('an API without users', () => {
  test('is asked under names of its own, and by no page of another site', async () => {
    await served({}, async (_server, port) => {
      const refused = await ask(port, { host: 'evil.example.com' });
      expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
        403,
        expect.stringContaining('[api.http.allowed_hosts]'),
      ]);
      expect((await ask(port, { origin: 'http://evil.example.com' })).status).toBe(403);
      expect((await ask(port, { host: 'agent:9600' })).status).toBe(200);
      const url = `ws://127.0.0.1:${port}/_node/stats/stream?interval=100ms`;
      await expect(stream(url, undefined, { host: 'evil.example.com' })).rejects.toThrow('403');
    });
    await served({ 'api.http.allowed_hosts': '*.example.com' }, async (_server, port) =>
      expect((await ask(port, { host: 'agent.example.com' })).status).toBe(200),
    );
    await served(USERS, async (_server, port) =>
      expect((await ask(port, { host: 'agent.example.com', authorization: RIGHT })).status).toBe(200),
    );
  });
});

describe('an API with TLS', () => {
  test.each([
    ['a certificate and its key', PEM],
    ['a PKCS#12 key store', KEYSTORE],
  ])('answers over TLS alone, with %s', async (_name, settings) => {
    await served({ ...settings, ...USERS }, async (_server, port) => {
      expect((await ask(port, { tls: true, authorization: RIGHT })).status).toBe(200);
      expect((await ask(port, { tls: true })).status).toBe(401);
      await expect(ask(port, { authorization: RIGHT })).rejects.toThrow();
      const pushed = await stream(`wss://127.0.0.1:${port}/_node/stats/stream?interval=100ms`, RIGHT);
      expect(JSON.parse(pushed)).toHaveProperty('events');
    });
  });

  test.each([
    ['a wrong password', { ...KEYSTORE, 'api.ssl.keystore.password': 'no' }, 'certificate and key of the API'],
    ['a file that is none', { ...KEYSTORE, 'api.ssl.keystore.path': 'api.crt' }, 'certificate and key of the API'],
    ['a Java key store', { ...KEYSTORE, 'api.ssl.keystore.path': 'api.jks' }, 'keytool -importkeystore'],
    ['no such file', { ...PEM, 'api.ssl.key': 'other.key' }, 'api.ssl.key [other.key] cannot be read'],
    ['no key', { ...PEM, 'api.ssl.key': '' }, 'api.ssl.key is needed by api.ssl.certificate'],
    ['nothing at all', { 'api.ssl.enabled': true }, 'api.ssl.certificate is needed'],
    ['two of them', { ...PEM, ...KEYSTORE }, 'one of them'],
  ])('does not start with %s', async (_name, settings, message) => {
    await expect(served(settings)).rejects.toThrow(message);
  });
});

describe('an API beyond this machine', () => {
  test.each([
    ['neither', {}, 'it lacks users (api.auth.type: basic) and TLS (api.ssl.enabled: true)'],
    ['users alone', USERS, 'it lacks TLS'],
    ['TLS alone', PEM, 'it lacks users'],
  ])('is refused with %s', async (_name, settings, message) => {
    await expect(served({ ...settings, 'api.http.host': '0.0.0.0' })).rejects.toThrow(message);
    await expect(served({ ...settings, 'api.http.host': '0.0.0.0' })).rejects.toThrow('--insecure');
  });

  test('is there with both, and then listens everywhere when no address is set', async () => {
    await served({ ...USERS, ...PEM }, async (server) => expect(server.address.host).toBe('0.0.0.0'));
    await served({ ...USERS, ...PEM, 'api.http.host': '127.0.0.1' }, async (server) =>
      expect(server.address.host).toBe('127.0.0.1'),
    );
  });

  test('is there when told that this is meant', async () => {
    await served({ insecure: true, 'api.http.host': '0.0.0.0' }, async (_server, port) =>
      expect((await ask(port, {})).status).toBe(200),
    );
  });
});
