import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer, type SecureVersion, type TLSSocket } from 'node:tls';
import { eventFromJson } from '@shoal/agent-event';
import {
  HttpClient,
  type Input,
  type Output,
  type PluginContext,
  type PluginDefinition,
} from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { opensslCiphers } from '../../agent-plugin-kit/src/tls/cipher-suites.ts';
import {
  makeCertificate,
  type TestCertificate,
} from '../../agent-plugin-kit/src/tls/test-certificates.test-support.ts';
import { beatsInput } from './inputs/beats/beats.ts';
import { elasticsearchInput } from './inputs/elasticsearch/elasticsearch.ts';
import { httpInput } from './inputs/http/http.ts';
import { httpPollerInput } from './inputs/http-poller/http-poller.ts';
import { tcpInput } from './inputs/tcp/tcp.ts';
import { elasticsearchOutput } from './outputs/elasticsearch/elasticsearch.ts';
import { httpOutput } from './outputs/http/http.ts';
import { tcpOutput } from './outputs/tcp/tcp.ts';
import {
  CollectingSink,
  codecBlock,
  makeInput,
  makeOutput,
  type OptionsLiteral,
  removeFolders,
  temporaryFolder,
  testContext,
} from './plugin-instance.test-support.ts';

const authority = makeCertificate({ name: 'test authority', issuer: null });
const stranger = makeCertificate({ name: 'other authority', issuer: null });
const server = makeCertificate({ name: 'server', issuer: authority, hosts: ['127.0.0.1'], passphrase: 'open' });
const misnamed = makeCertificate({ name: 'misnamed', issuer: authority, hosts: ['other.example.com'] });
const client = makeCertificate({ name: 'client', issuer: authority });
const unknown = makeCertificate({ name: 'unknown', issuer: stranger });

const paths: Record<string, string> = {};
const running: { stop?(): Promise<void> }[] = [];
const ends: (() => void)[] = [];

beforeAll(async () => {
  const folder = await temporaryFolder();
  const write = async (name: string, made: TestCertificate): Promise<void> => {
    for (const [end, text] of [
      ['pem', made.certificate],
      ['key', made.key],
    ] as const) {
      paths[`${name}.${end}`] = join(folder, `${name}.${end}`);
      await writeFile(join(folder, `${name}.${end}`), text);
    }
  };
  await Promise.all([
    write('authority', authority),
    write('stranger', stranger),
    write('server', server),
    write('misnamed', misnamed),
    write('client', client),
    write('unknown', unknown),
  ]);
});
afterAll(removeFolders);
afterEach(async () => {
  for (const plugin of running.splice(0)) await plugin.stop?.();
  for (const end of ends.splice(0)) end();
});

const serving = (more: OptionsLiteral = {}): OptionsLiteral => ({
  host: '127.0.0.1',
  port: 0,
  ssl_enabled: true,
  ssl_certificate: paths['server.pem'],
  ssl_key: paths['server.key'],
  ssl_key_passphrase: 'open',
  ...more,
});
const trusting = (more: OptionsLiteral = {}): OptionsLiteral => ({
  ssl_enabled: true,
  ssl_certificate_authorities: [paths['authority.pem']],
  ...more,
});
const asking = (mode: string): OptionsLiteral => ({
  ssl_client_authentication: mode,
  ssl_certificate_authorities: [paths['authority.pem']],
});

async function listen(definition: PluginDefinition, options: OptionsLiteral, changes: Partial<PluginContext> = {}) {
  const context = testContext(changes);
  const sink = new CollectingSink();
  const input: Input = makeInput(definition, options, context);
  await input.start(sink);
  running.push(input);
  return { sink, input, port: Number(context.gauges.get('port')) };
}

interface DialOptions {
  readonly as?: TestCertificate;
  readonly maxVersion?: SecureVersion;
}

/** Sends a line over TLS as a client that trusts the authority. Answers whether the server took the connection. */
async function sendLine(port: number, line: string, { as, maxVersion }: DialOptions = {}): Promise<boolean> {
  const socket = connectTls({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    ...(as === undefined ? {} : { cert: as.certificate, key: as.key }),
    ...(maxVersion === undefined ? {} : { maxVersion }),
  });
  ends.push(() => socket.destroy());
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.once('secureConnect', () => {
      socket.end(line);
      // A refused certificate shows as an error behind the handshake, an accepted line as an end of the other side.
      socket.resume().once('end', () => resolve(true));
    });
  });
}

describe('the tcp input over TLS', () => {
  const quiet = { dns_reverse_lookup_enabled: false };
  test('takes what comes encrypted, with a key that has a passphrase', async () => {
    const { sink, port } = await listen(tcpInput, serving(quiet));
    await sendLine(port, 'hello\n');
    await sink.until(1);
    expect(sink.messages()).toEqual(['hello']);
    expect(sink.events[0]?.fields.has('sslsubject')).toBe(false);
  });

  test('a client without TLS is turned away, and others go on', async () => {
    const log = createRecordingLog();
    const { sink, port } = await listen(tcpInput, serving(quiet), { runtime: createNodeRuntime({ log }) });
    const plain = connect(port, '127.0.0.1');
    plain.on('error', () => undefined).write('in the clear\n');
    await once(plain.resume(), 'close');
    await sendLine(port, 'hello\n');
    await sink.until(1);
    expect(sink.messages()).toEqual(['hello']);
    expect(log.lines.map((line) => line.message)).toContain('a TLS handshake failed');
  });

  test.each([
    ['required', undefined, false],
    ['required', unknown, false],
    ['required', client, true],
    ['optional', undefined, true],
    ['optional', unknown, false],
    ['optional', client, true],
  ] as const)('client authentication %s', async (mode, as, isTaken) => {
    const { sink, port } = await listen(tcpInput, serving({ ...quiet, ...asking(mode) }));
    await sendLine(port, 'one\n', as === undefined ? {} : { as });
    await sendLine(port, 'two\n', { as: client });
    await sink.until(isTaken ? 2 : 1);
    expect(sink.messages()).toEqual(isTaken ? ['one', 'two'] : ['two']);
    expect(sink.events.at(-1)?.fields.get('sslsubject')).toBe('CN=client');
  });

  test('under ECS the subject is in the metadata', async () => {
    const { sink, port } = await listen(tcpInput, serving({ ...quiet, ...asking('required') }), { ecs: 'v8' });
    await sendLine(port, 'one\n', { as: client });
    await sink.until(1);
    expect(JSON.stringify(Object.fromEntries(sink.events[0]?.fields ?? []))).not.toContain('CN=client');
    const about = sink.events[0]?.metadata.get('input');
    const tcp = about instanceof Map ? about.get('tcp') : undefined;
    expect(tcp instanceof Map && tcp.get('ssl')).toEqual(new Map([['subject', 'CN=client']]));
  });

  test('protocols and cipher suites are those that are named', async () => {
    const modern = await listen(tcpInput, serving({ ...quiet, ssl_supported_protocols: ['TLSv1.3'] }));
    expect(await sendLine(modern.port, 'x\n', { maxVersion: 'TLSv1.2' })).toBe(false);
    const suites = ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'];
    const old = await listen(
      tcpInput,
      serving({ ...quiet, ssl_supported_protocols: ['TLSv1.2'], ssl_cipher_suites: suites }),
    );
    const socket = connectTls({ host: '127.0.0.1', port: old.port, ca: authority.certificate });
    ends.push(() => socket.destroy());
    await once(socket, 'secureConnect');
    expect([socket.getProtocol(), socket.getCipher().standardName]).toEqual(['TLSv1.2', suites[0]]);
  });

  test('stops at once, whatever a handshake is waiting for', async () => {
    const { input, port } = await listen(tcpInput, serving(quiet));
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    await input.stop();
    await closed;
  });

  test('as a client it checks whom it reads from', async () => {
    const source = createTlsServer({ cert: server.certificate, key: server.key, passphrase: 'open' }, (socket) => {
      socket.on('error', () => undefined).end('from server\n');
    });
    const port = await open(source);
    const log = createRecordingLog();
    const at = { host: '127.0.0.1', port, mode: 'client', ...quiet };
    await listen(tcpInput, { ...at, ssl_enabled: true }, { runtime: createNodeRuntime({ log }) });
    const { sink } = await listen(tcpInput, { ...at, ...trusting() });
    await sink.until(1);
    expect(sink.messages()).toEqual(['from server']);
    await eventually(() => log.lines.some((line) => line.message === 'a connection failed'));
  });
});

async function open(made: Server): Promise<number> {
  made.listen(0, '127.0.0.1');
  ends.push(() => made.close());
  await once(made, 'listening');
  return (made.address() as AddressInfo).port;
}

/** The other side's log line comes when it comes. */
async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('other inputs over TLS', () => {
  test('http', async () => {
    const { sink, port } = await listen(httpInput, serving(asking('required')));
    const call = (tls: OptionsLiteral): Promise<number> => {
      const caller = new HttpClient({ tls: { rejectUnauthorized: true, ca: authority.certificate, ...tls } });
      ends.push(() => caller.close());
      const body = Buffer.from('hello');
      const url = `https://127.0.0.1:${port}/`;
      return caller.call({ method: 'POST', url, body, timeoutMs: 5_000 }).then((answer) => answer.status);
    };
    await expect(call({})).rejects.toThrow();
    await expect(call({ cert: unknown.certificate, key: unknown.key })).rejects.toThrow();
    expect(await call({ cert: client.certificate, key: client.key })).toBe(200);
    expect(sink.messages()).toEqual(['hello']);
  });

  test('beats acknowledges, and says who sent when asked', async () => {
    const enrich = { enrich: ['all'], ...asking('optional') };
    const { sink, port } = await listen(beatsInput, serving(enrich));
    const send = async (as?: TestCertificate): Promise<Buffer> => {
      const given = as === undefined ? {} : { cert: as.certificate, key: as.key };
      const socket: TLSSocket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate, ...given });
      ends.push(() => socket.destroy());
      await once(socket, 'secureConnect');
      const json = Buffer.from('{"message":"m"}');
      const head = Buffer.from([0x32, 0x57, 0, 0, 0, 1, 0x32, 0x4a, 0, 0, 0, 1, 0, 0, 0, json.length]);
      socket.write(Buffer.concat([head, json]));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer;
    };
    expect(await send(client)).toEqual(Buffer.from([0x32, 0x41, 0, 0, 0, 1]));
    await send();
    const peers = sink.events.map((event) => event.metadata.get('tls_peer'));
    expect(peers).toEqual([
      new Map([
        ['status', 'verified'],
        ['protocol', 'TLSv1.3'],
        ['subject', 'CN=client'],
        ['cipher_suite', 'TLS_AES_256_GCM_SHA384'],
      ]),
      new Map([['status', 'unverified']]),
    ]);
  });

  test('http_poller and elasticsearch ask whom they trust', async () => {
    const site = createHttpsServer(
      { cert: server.certificate, key: server.key, passphrase: 'open' },
      (request, response) => {
        const found = request.url?.startsWith('/_search/scroll') === true ? [] : [{ _source: { a: 1 } }];
        response.end(JSON.stringify({ _scroll_id: 's', hits: { hits: found } }));
      },
    );
    const port = await open(site);
    const poll = { urls: { x: `https://127.0.0.1:${port}/` }, schedule: { every: '1h' } };
    const good = await listen(httpPollerInput, { ...poll, ...trusting() });
    await good.sink.until(1);
    expect(good.sink.events[0]?.fields.has('hits')).toBe(true);
    const bad = await listen(httpPollerInput, poll);
    await bad.sink.until(1);
    expect(bad.sink.events[0]?.hasTag('_http_request_failure')).toBe(true);
    const search = { hosts: [`https://127.0.0.1:${port}`], search_api: 'scroll' };
    const found = await listen(elasticsearchInput, { ...search, ...trusting() });
    await found.sink.until(1);
    expect(found.sink.events[0]?.fields.get('a')).toBe(1);
  });
});

describe('outputs over TLS', () => {
  const event = () => eventFromJson({ message: 'hello' });
  const line = codecBlock('line', { format: '%{message}' });

  function sender(definition: PluginDefinition, options: OptionsLiteral): { output: Output; log: readonly string[] } {
    const log = createRecordingLog();
    const output = makeOutput(definition, options, testContext({ runtime: createNodeRuntime({ log }) }));
    running.push(output);
    return {
      output,
      get log() {
        return log.lines.map((one) => JSON.stringify(one));
      },
    };
  }

  /** What a TLS server got from each of its connections, with the subject of who sent it. */
  async function receiver(as: TestCertificate, passphrase?: string) {
    const got: string[] = [];
    let wake = (): void => undefined;
    const made = createTlsServer(
      {
        cert: as.certificate,
        key: as.key,
        ca: authority.certificate,
        requestCert: true,
        rejectUnauthorized: false,
        ...(passphrase === undefined ? {} : { passphrase }),
      },
      (socket) => {
        const subject = socket.authorized ? socket.getPeerCertificate().subject?.CN : 'nobody';
        socket
          .on('error', () => undefined)
          .on('data', (chunk) => {
            got.push(`${String(subject)}: ${chunk.toString().trim()}`);
            wake();
          });
      },
    );
    const port = await open(made);
    return { port, got, next: () => new Promise<void>((resolve) => (wake = resolve)) };
  }

  test('tcp writes to a server that it knows, and shows its own certificate', async () => {
    const { port, got, next } = await receiver(server, 'open');
    const own = { ssl_certificate: paths['client.pem'], ssl_key: paths['client.key'] };
    const { output } = sender(tcpOutput, { host: '127.0.0.1', port, codec: line, ...trusting(own) });
    const came = next();
    await output.receive([event()]);
    await came;
    expect(got).toEqual(['client: hello']);
  });

  test.each([
    ['an unknown authority', 'server', 'stranger.pem'],
    ['another name', 'misnamed', 'authority.pem'],
  ])('tcp does not write to a server with %s unless told to', async (_why, name, trusted) => {
    const { port, got, next } = await receiver(name === 'server' ? server : misnamed, 'open');
    const options = { host: '127.0.0.1', port, codec: line, reconnect_interval: 0.005, ssl_enabled: true };
    const refused = sender(tcpOutput, { ...options, ssl_certificate_authorities: [paths[trusted]] });
    const delivery = refused.output.receive([event()]).catch(() => 'given up');
    await eventually(() => refused.log.some((one) => one.includes('cannot write to a tcp server')));
    await refused.output.stop?.();
    expect(await delivery).toBe('given up');
    expect(got).toEqual([]);
    const careless = sender(tcpOutput, { ...options, ssl_verification_mode: 'none' });
    const came = next();
    await careless.output.receive([event()]);
    await came;
    expect(got).toEqual(['nobody: hello']);
  });

  test('tcp as a server writes to those whom it lets in', async () => {
    const context = testContext();
    const options = serving({ mode: 'server', codec: line, ...asking('required') });
    const output = makeOutput(tcpOutput, options, context);
    await output.start?.();
    running.push(output);
    const port = Number(context.gauges.get('port'));
    const reader = connectTls({
      host: '127.0.0.1',
      port,
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
    });
    ends.push(() => reader.destroy());
    const data = once(reader, 'data');
    await once(reader, 'secureConnect');
    const sending = (async () => {
      for (;;) {
        await output.receive([event()]);
        if (await Promise.race([data.then(() => true), soon()])) return;
      }
    })();
    expect(String((await data)[0])).toContain('hello\n');
    await sending;
  });
  const soon = (): Promise<boolean> => new Promise((resolve) => setImmediate(() => resolve(false)));

  test('http and elasticsearch deliver to whom they trust, and to nobody else', async () => {
    const bodies: string[] = [];
    const site = createHttpsServer(
      { cert: server.certificate, key: server.key, passphrase: 'open' },
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          bodies.push(Buffer.concat(chunks).toString('utf8'));
          response.end(JSON.stringify({ errors: false, items: [{ index: { status: 201 } }] }));
        });
      },
    );
    const port = await open(site);
    const http = { url: `https://127.0.0.1:${port}/`, http_method: 'post' };
    await sender(httpOutput, { ...http, ...trusting() }).output.receive([event()]);
    const bulk = { hosts: [`https://127.0.0.1:${port}`], index: 'i', retry_initial_interval: 0.005 };
    await sender(elasticsearchOutput, { ...bulk, ...trusting() }).output.receive([event()]);
    expect(bodies.map((body) => body.includes('hello'))).toEqual([true, true]);
    for (const [definition, options] of [
      [httpOutput, http],
      [elasticsearchOutput, bulk],
    ] as const) {
      const refused = sender(definition, { ...options, ssl_certificate_authorities: [paths['stranger.pem']] });
      const delivery = refused.output.receive([event()]).catch(() => undefined);
      await eventually(() => refused.log.some((one) => /self.signed|certificate/i.test(one)));
      await refused.output.stop?.();
      await delivery;
    }
    expect(bodies).toHaveLength(2);
  });
});

describe('the options of TLS', () => {
  test('cipher suites by the names of the standards and of OpenSSL', () => {
    expect(
      opensslCiphers([
        'TLS_AES_256_GCM_SHA384',
        'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
        'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
        'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384',
        'TLS_RSA_WITH_AES_128_CBC_SHA',
        'ECDHE-RSA-AES128-SHA256',
      ]),
    ).toBe(
      'TLS_AES_256_GCM_SHA384:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-SHA384:AES128-SHA:ECDHE-RSA-AES128-SHA256',
    );
    expect(() => opensslCiphers(['TLS_NULL'])).toThrow('holds [TLS_NULL]');
  });

  test('what cannot be is refused before anything starts', () => {
    const make = (options: OptionsLiteral) =>
      makeInput(tcpInput, { host: '127.0.0.1', port: 0, ...options }, testContext());
    expect(() => make({ ssl_enabled: true })).toThrow('needs [ssl_certificate] and [ssl_key]');
    expect(() => make(serving({ ssl_supported_protocols: ['TLSv9'] }))).toThrow('ssl_supported_protocols');
  });
});
