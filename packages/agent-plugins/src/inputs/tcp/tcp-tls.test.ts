import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeInput, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import {
  asking,
  authority,
  client,
  eventually,
  identityOf,
  open,
  sendLine,
  server,
  serving,
  trusting,
  unknown,
} from '../../tls-plugin.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { tcpInput } from './tcp.ts';

describe('the tcp input over TLS', () => {
  const quiet = { dns_reverse_lookup_enabled: false, ssl_client_authentication: 'none' };
  test('takes what comes encrypted, with a key that has a passphrase', async () => {
    const { sink, port } = await start(tcpInput, serving(quiet));
    await sendLine(port, 'hello\n');
    await sink.until(1);
    expect(sink.messages()).toEqual(['hello']);
    expect(sink.events[0]?.fields.has('sslsubject')).toBe(false);
  });

  test('a client without TLS is turned away, and others go on', async () => {
    const log = createRecordingLog();
    const { sink, port } = await start(tcpInput, serving(quiet), { runtime: createNodeRuntime({ log }) });
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
    const { sink, port } = await start(tcpInput, serving({ ...quiet, ...asking(mode) }));
    await sendLine(port, 'one\n', as === undefined ? {} : { as });
    await sendLine(port, 'two\n', { as: client });
    await sink.until(isTaken ? 2 : 1);
    expect(sink.messages()).toEqual(isTaken ? ['one', 'two'] : ['two']);
    expect(sink.events.at(-1)?.fields.get('sslsubject')).toBe('CN=client');
  });

  test('clients need a certificate unless the plugin says otherwise', async () => {
    const { sink, port } = await start(tcpInput, serving({ dns_reverse_lookup_enabled: false }));
    expect(await sendLine(port, 'one\n')).toBe(false);
    expect(sink.events).toEqual([]);
  });

  test('under ECS the subject is in the metadata', async () => {
    const { sink, port } = await start(tcpInput, serving({ ...quiet, ...asking('required') }), { ecs: 'v8' });
    await sendLine(port, 'one\n', { as: client });
    await sink.until(1);
    expect(JSON.stringify(Object.fromEntries(sink.events[0]?.fields ?? []))).not.toContain('CN=client');
    const about = sink.events[0]?.metadata.get('input');
    const tcp = about instanceof Map ? about.get('tcp') : undefined;
    expect(tcp instanceof Map && tcp.get('tls')).toEqual(new Map([['client', new Map([['subject', 'CN=client']])]]));
  });

  test('protocols and cipher suites are those that are named', async () => {
    const modern = await start(tcpInput, serving({ ...quiet, ssl_supported_protocols: ['TLSv1.3'] }));
    expect(await sendLine(modern.port, 'x\n', { maxVersion: 'TLSv1.2' })).toBe(false);
    const suites = ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'];
    const old = await start(
      tcpInput,
      serving({ ...quiet, ssl_supported_protocols: ['TLSv1.2'], ssl_cipher_suites: suites }),
    );
    const socket = connectTls({ host: '127.0.0.1', port: old.port, ca: authority.certificate });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    expect([socket.getProtocol(), socket.getCipher().standardName]).toEqual(['TLSv1.2', suites[0]]);
  });

  test('stops at once, whatever a handshake is waiting for', async () => {
    const { input, port } = await start(tcpInput, serving(quiet));
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    await input.stop();
    await closed;
  });

  test('as a client it checks whom it reads from', async () => {
    const source = createTlsServer(identityOf(server), (socket) => {
      socket.on('error', () => undefined).end('from server\n');
    });
    const port = await open(source);
    const log = createRecordingLog();
    const at = { host: '127.0.0.1', port, mode: 'client', dns_reverse_lookup_enabled: false };
    await start(tcpInput, { ...at, ssl_enabled: true }, { runtime: createNodeRuntime({ log }) });
    const { sink } = await start(tcpInput, { ...at, ...trusting() });
    await sink.until(1);
    expect(sink.messages()).toEqual(['from server']);
    await eventually(() => log.lines.some((line) => line.message === 'a connection failed'));
  });
});

test('options of TLS that cannot work are refused before the tcp input starts', () => {
  const make = (options: OptionsLiteral) =>
    makeInput(tcpInput, { host: '127.0.0.1', port: 0, ...options }, testContext());
  expect(() => make({ ssl_enabled: true })).toThrow('needs [ssl_certificate] and [ssl_key]');
  expect(() => make(serving({ ssl_verification_mode: 'full' }))).toThrow('no effect with [mode => server]');
  expect(() => make({ mode: 'client', ...trusting(asking('none')) })).toThrow('no effect with [mode => client]');
  expect(() => make(serving({ ssl_supported_protocols: ['TLSv9'] }))).toThrow('ssl_supported_protocols');
});
