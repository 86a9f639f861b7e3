import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { codecBlock, makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { syslogOutput } from './syslog.ts';

const BAR = { '@timestamp': '2026-01-02T03:04:05.678Z', message: 'bar', host: 'baz' };

/** The datagram that an event becomes. */
async function sent(options: Record<string, unknown>, fields: Record<string, unknown> = {}): Promise<string> {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const received = once(server, 'message');
  const { output } = await start(syslogOutput, { host: '127.0.0.1', port: server.address().port, ...options });
  await output.receive([event({ ...BAR, ...fields })]);
  const [bytes] = await received;
  return String(bytes);
}

describe('a message', () => {
  test.each([
    [{}, '<13>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ facility: 'kernel', severity: 'emergency' }, '<0>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ facility: '%{f}', severity: '%{s}', appname: '%{a}' }, '<18>Jan 02 03:04:05 baz app[-]: bar\n'],
    [{ facility: 'none', severity: 'none' }, '<13>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ use_labels: false, priority: '%{p}' }, '<18>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ use_labels: false }, '<13>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ use_labels: false, priority: '192' }, '<13>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'],
    [{ message: '%{lines}' }, '<13>Jan 02 03:04:05 baz LOGSTASH[-]: a\\nb\\nc\n'],
    [{ rfc: 'rfc5424', procid: '7', msgid: 'm' }, '<13>1 2026-01-02T03:04:05.678+00:00 baz LOGSTASH 7 m - bar\n'],
    [
      { rfc: 'rfc5424', structured_data: '[x@1 a="%{a}"]' },
      '<13>1 2026-01-02T03:04:05.678+00:00 baz LOGSTASH - - [x@1 a="app"] bar\n',
    ],
  ])('under %j', async (options, line) => {
    expect(await sent(options, { f: 'mail', s: 'critical', a: 'app', p: '18', lines: 'a\r\nb\nc\n' })).toBe(line);
  });

  test('may have the format of its codec', async () => {
    const codec = codecBlock('plain', { format: '%{host} says %{message}' });
    expect(await sent({ codec })).toBe('<13>Jan 02 03:04:05 baz LOGSTASH[-]: baz says bar\n');
  });

  test('may be JSON', async () => {
    const line = await sent({ codec: 'json' });
    expect(JSON.parse(line.split(']: ')[1] ?? '')).toMatchObject({ message: 'bar', host: 'baz' });
  });
});

test('over a connection messages wait for a server', async () => {
  const first = createServer();
  const port = await listen(first);
  await new Promise((resolve) => first.close(resolve));
  const { output, context } = await start(syslogOutput, {
    protocol: 'tcp',
    host: '127.0.0.1',
    port,
    reconnect_interval: 0.01,
  });
  const received = output.receive([event(BAR), event(BAR)]);
  let text = '';
  const server = createServer((socket) => void socket.on('data', (chunk) => (text += chunk.toString('utf8'))));
  onTestFinished(() => void server.close());
  while (!context.counts.has('retries')) await new Promise(setImmediate);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(port);
  await received;
  while (text.split('\n').length < 3) await new Promise(setImmediate);
  expect(text).toBe('<13>Jan 02 03:04:05 baz LOGSTASH[-]: bar\n'.repeat(2));
});

test.each([
  [{ structured_data: '[x]' }, 'structured_data'],
  [{ protocol: 'tcp', ssl_certificate_authorities: ['/ca.pem'] }, 'ssl-tcp'],
])('%j is refused', (options, message) => {
  expect(() => makeOutput(syslogOutput, { host: 'h', port: 1, ...options }, testContext())).toThrow(message);
});
