import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { eventToJsonText, parseFieldReference } from '@shoal/agent-event';
import type { Input, PluginContext, PluginDefinition } from '@shoal/agent-plugin-kit';
import { afterEach, describe, expect, test } from 'vitest';
import { CollectingSink, makeInput, type OptionsLiteral, testContext } from '../plugin-instance.test-support.ts';
import { beatsInput } from './beats/beats.ts';
import { execInput } from './exec/exec.ts';
import { generatorInput } from './generator/generator.ts';
import { heartbeatInput } from './heartbeat/heartbeat.ts';
import { httpInput } from './http/http.ts';
import { httpPollerInput } from './http-poller/http-poller.ts';
import { syslogInput } from './syslog/syslog.ts';
import { tcpInput } from './tcp/tcp.ts';
import { udpInput } from './udp/udp.ts';

const running: Input[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const input of running.splice(0)) await input.stop();
  for (const end of ends.splice(0)) end();
});

async function start(definition: PluginDefinition, options: OptionsLiteral, changes: Partial<PluginContext> = {}) {
  const context = testContext(changes);
  const sink = new CollectingSink();
  const input = makeInput(definition, options, context);
  await input.start(sink);
  running.push(input);
  return { sink, context, input, port: Number(context.gauges.get('port')) };
}
/** The first event without what every event has. */
function plainOf(sink: CollectingSink): unknown {
  const { '@timestamp': _, '@version': __, ...fields } = JSON.parse(eventToJsonText(sink.events[0]!));
  return fields;
}
const metadataOf = (sink: CollectingSink, reference: string, at = 0) =>
  sink.events[at]?.get(parseFieldReference(`[@metadata]${reference}`));
const local = { host: '127.0.0.1', port: 0 };
async function dial(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  ends.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('tcp', () => {
  test('lines of each connection become events with host and port; the rest comes at its end', async () => {
    const { sink, port } = await start(tcpInput, { ...local, dns_reverse_lookup_enabled: false });
    const socket = await dial(port);
    socket.write('one\ntw');
    await sink.until(1);
    socket.end('o');
    await sink.until(2);
    expect(sink.messages()).toEqual(['one', 'two']);
    expect(sink.events[0]?.fields.get('host')).toBe('127.0.0.1');
    expect(sink.events[0]?.fields.get('port')).toBeTypeOf('number');
  });
  test('json on a stream is cut at line ends', async () => {
    const { sink, port } = await start(tcpInput, { ...local, codec: 'json', dns_reverse_lookup_enabled: false });
    (await dial(port)).write('{"a":1}\n{"a":2}\n');
    await sink.until(2);
    expect(sink.events.map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });
  test('a full queue stops the sender', async () => {
    const { sink, port } = await start(tcpInput, { ...local, dns_reverse_lookup_enabled: false });
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const socket = await dial(port);
    // More than the kernel's buffers of both ends hold.
    const line = `${'x'.repeat(65_535)}\n`;
    let sent = 0;
    while (sent < 400 && socket.write(line)) sent++;
    for (; sent < 400; sent++) socket.write(line);
    expect(socket.writableLength).toBeGreaterThan(0);
    sink.gate = null;
    open();
    await sink.until(400);
    expect(sink.events).toHaveLength(400);
  });
  test('the header of a proxy names the peer', async () => {
    const { sink, port } = await start(tcpInput, { ...local, proxy_protocol: true });
    (await dial(port)).write('PROXY TCP4 192.0.2.7 192.0.2.8 5000 80\r\nhello\n');
    await sink.until(1);
    expect(sink.events[0]?.fields.get('host')).toBe('192.0.2.7');
    expect(sink.events[0]?.fields.get('proxy_port')).toBe(80);
  });
  test('as a client it reads what a server sends', async () => {
    const server = createTcpServer((socket) => socket.end('from server\n')).listen(0, '127.0.0.1');
    ends.push(() => server.close());
    await once(server, 'listening');
    const { sink } = await start(tcpInput, {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      mode: 'client',
    });
    await sink.until(1);
    expect(sink.messages()).toEqual(['from server']);
  });
});

test('udp: each datagram is an event', async () => {
  const { sink, port } = await start(udpInput, local);
  const socket = createSocket('udp4');
  socket.send('hello', port, '127.0.0.1', () => socket.close());
  await sink.until(1);
  expect(sink.messages()).toEqual(['hello']);
  expect(sink.events[0]?.fields.get('host')).toBe('127.0.0.1');
});

describe('http', () => {
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
});

describe('beats', () => {
  const u32 = (value: number) =>
    Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 255));
  const json = (sequence: number, value: unknown) => {
    const payload = Buffer.from(JSON.stringify(value));
    return Buffer.concat([Buffer.from('2J'), u32(sequence), u32(payload.length), payload]);
  };
  const window = (count: number) => Buffer.concat([Buffer.from('2W'), u32(count)]);
  const compressed = (...frames: Buffer[]) => {
    const payload = deflateSync(Buffer.concat(frames));
    return Buffer.concat([Buffer.from('2C'), u32(payload.length), payload]);
  };
  const ack = async (socket: Socket) => (await once(socket, 'data'))[0] as Buffer;

  test('acknowledges a window after the queue has it', async () => {
    const { sink, port } = await start(beatsInput, local);
    const socket = await dial(port);
    const frames = Buffer.concat([
      window(2),
      compressed(
        json(1, {
          '@timestamp': '2026-01-02T03:04:05Z',
          message: 'a',
          '@metadata': { beat: 'filebeat', version: '8' },
        }),
        json(2, { message: 'b' }),
      ),
    ]);
    for (const byte of frames.subarray(0, 20)) socket.write(Buffer.from([byte]));
    socket.write(frames.subarray(20));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(2)]));
    expect(sink.messages()).toEqual(['a', 'b']);
    expect(sink.events[0]?.metadata.get('beat')).toBe('filebeat');
    expect(sink.events[0]?.metadata.get('ip_address')).toBe('127.0.0.1');
    expect(sink.events[0]?.hasTag('beats_input_codec_plain_applied')).toBe(true);
    expect(sink.events[0]?.timestamp?.toString()).toBe('2026-01-02T03:04:05.000Z');
    socket.write(Buffer.concat([window(1), json(3, { message: 'c' })]));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(3)]));
  });
  test('under ECS the sender is in the metadata', async () => {
    const { sink, port } = await start(beatsInput, { ...local, add_hostname: true }, { ecs: 'v8' });
    const socket = await dial(port);
    socket.write(Buffer.concat([window(1), json(1, { message: 'a', agent: { name: 'n' } })]));
    await ack(socket);
    expect(metadataOf(sink, '[input][beats][host]')).toEqual(
      new Map([
        ['ip', '127.0.0.1'],
        ['name', 'n'],
      ]),
    );
    expect(plainOf(sink)).toMatchObject({ message: 'a', event: { original: 'a' }, agent: { name: 'n' } });
    expect(sink.events[0]?.fields.has('host')).toBe(false);
  });
  test('does not acknowledge what the queue has not taken', async () => {
    const { sink, port } = await start(beatsInput, local);
    let open = (): void => undefined;
    let isOpen = false;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const socket = await dial(port);
    socket.write(Buffer.concat([window(1), json(1, { message: 'a' })]));
    const acknowledged = ack(socket).then(() => isOpen);
    await new Promise((resolve) => socket.write('', resolve));
    isOpen = true;
    sink.gate = null;
    open();
    expect(await acknowledged).toBe(true);
  });
  test('ends a connection that speaks something else', async () => {
    const { port } = await start(beatsInput, local);
    const socket = await dial(port);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
  });
});

describe('syslog', () => {
  test('reads priority, time, host, program and pid over tcp', async () => {
    const { sink, port } = await start(syslogInput, { ...local, timezone: 'UTC' });
    (await dial(port)).write('<34>Oct 11 22:14:15 mymachine su[230]: failed for lonvick\n');
    await sink.until(1);
    expect(Object.fromEntries(sink.events[0]!.fields)).toMatchObject({
      message: 'failed for lonvick',
      priority: 34,
      facility: 4,
      severity: 2,
      facility_label: 'security/authorization',
      severity_label: 'Critical',
      program: 'su',
      pid: '230',
      logsource: 'mymachine',
      timestamp: 'Oct 11 22:14:15',
      host: '127.0.0.1',
    });
    expect(sink.events[0]?.timestamp?.toString()).toMatch(/^\d{4}-10-11T22:14:15.000Z$/);
  });
  test('under ECS the parts have its names, also those of an own pattern', async () => {
    const plain = await start(syslogInput, { ...local, timezone: 'UTC' }, { ecs: 'v8' });
    (await dial(plain.port)).write('<34>Oct 11 22:14:15 mymachine su[230]: failed\n');
    await plain.sink.until(1);
    const fields = new Map(plain.sink.events[0]?.fields);
    expect(fields.get('process')).toEqual(
      new Map<string, unknown>([
        ['name', 'su'],
        ['pid', 230],
      ]),
    );
    expect(fields.get('host')).toEqual(
      new Map([
        ['ip', '127.0.0.1'],
        ['hostname', 'mymachine'],
      ]),
    );
    expect(fields.get('event')).toEqual(new Map([['original', '<34>Oct 11 22:14:15 mymachine su[230]: failed']]));
    expect(fields.has('timestamp')).toBe(false);
    const own = { grok_pattern: '<%{POSINT:[log][syslog][priority]:int}>%{GREEDYDATA:message}' };
    const { sink, port } = await start(syslogInput, { ...local, ...own }, { ecs: 'v8' });
    (await dial(port)).write('<34>text\n');
    await sink.until(1);
    const log = sink.events[0]?.fields.get('log');
    const syslog = log instanceof Map ? log.get('syslog') : undefined;
    expect(syslog instanceof Map && syslog.get('priority')).toBe(34);
    expect(sink.messages()).toEqual(['text']);
  });
  test('reads the months of another language', async () => {
    const own = { grok_pattern: '<%{POSINT:priority}>(?<timestamp>\\S+ +\\S+ \\S+) %{GREEDYDATA:message}' };
    const { sink, port } = await start(syslogInput, { ...local, ...own, timezone: 'UTC', locale: 'de_DE' });
    (await dial(port)).write('<34>Dez 11 22:14:15 a\n<34>Mai. 11 22:14:15 b\n<34>Oct 11 22:14:15 c\n');
    await sink.until(3);
    expect(sink.events.map((event) => event.timestamp?.toString().slice(4, 10))).toEqual([
      '-12-11',
      '-05-11',
      '-10-11',
    ]);
  });
  test('over udp too, and tags what is no syslog', async () => {
    const { sink, port } = await start(syslogInput, local);
    const socket = createSocket('udp4');
    socket.send('no syslog', port, '127.0.0.1', () => socket.close());
    await sink.until(1);
    expect(sink.events[0]?.hasTag('_grokparsefailure_sysloginput')).toBe(true);
    expect(Object.fromEntries(sink.events[0]!.fields)).toMatchObject({
      priority: 13,
      severity_label: 'Notice',
      message: 'no syslog',
    });
  });
});

test('heartbeat: as many hearts as threads, each counts for itself', async () => {
  const options = { threads: 2, count: 2, interval: 0.01, message: 'sequence' };
  const { sink, input } = await start(heartbeatInput, options);
  await input.finished;
  expect(sink.events.map((event) => event.fields.get('clock')).sort()).toEqual([0, 0, 1, 1]);
});

test('exec: the whole output is one event', async () => {
  const { sink } = await start(execInput, { command: 'printf "a\\nb"; exit 3', interval: 60 });
  await sink.until(1);
  expect(sink.messages()).toEqual(['a\nb']);
  expect(sink.events[0]?.fields.get('command')).toContain('printf');
  expect(sink.events[0]?.metadata.get('exit_status')).toBe(3);
});

test('exec under ECS', async () => {
  const { sink } = await start(execInput, { command: 'printf a; exit 3', interval: 60 }, { ecs: 'v8' });
  await sink.until(1);
  expect(plainOf(sink)).toEqual({
    message: 'a',
    event: { original: 'a' },
    host: { name: 'tester' },
    process: { command_line: 'printf a; exit 3', exit_code: 3 },
  });
  expect(metadataOf(sink, '[input][exec][process][elapsed_time]')).toBeTypeOf('number');
});

test.each([
  [heartbeatInput, { count: 1, message: 'sequence' }, { host: { name: 'tester' }, event: { sequence: 0 } }],
  [
    generatorInput,
    { count: 1, message: 'm' },
    { message: 'm', host: { name: 'tester' }, event: { original: 'm', sequence: 0 } },
  ],
])('under ECS: %o', async (definition, options, expected) => {
  const { sink, input } = await start(definition, options, { ecs: 'v8' });
  await input.finished;
  expect(plainOf(sink)).toEqual(expected);
});

describe('http_poller', () => {
  test('asks each address, and makes events of failures', async () => {
    const server = createServer((request, response) => response.end(JSON.stringify({ at: request.url }))).listen(
      0,
      '127.0.0.1',
    );
    ends.push(() => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { sink } = await start(httpPollerInput, {
      urls: { good: `${url}/x`, bad: { url: 'http://127.0.0.1:1/', method: 'post' } },
      schedule: { every: '1h' },
    });
    await sink.until(2);
    const good = sink.events.find((event) => event.fields.get('at') === '/x');
    const bad = sink.events.find((event) => event.hasTag('_http_request_failure'));
    expect(good?.metadata.get('code')).toBe(200);
    expect(good?.metadata.get('name')).toBe('good');
    expect(bad?.fields.has('http_request_failure')).toBe(true);
  });
  test('under ECS the request and the answer stand below the input', async () => {
    const server = createServer((_, response) => response.end('{"a":1}')).listen(0, '127.0.0.1');
    ends.push(() => server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { sink } = await start(httpPollerInput, { urls: { x: url }, schedule: { every: '1h' } }, { ecs: 'v8' });
    await sink.until(1);
    const about = (name: string) => metadataOf(sink, `[input][http_poller]${name}`);
    expect(about('[request][host][hostname]')).toBe('tester');
    expect(about('[request][original][url]')).toBe(url);
    expect(about('[request][name]')).toBe('x');
    expect(about('[request][retry_count]')).toBe(0);
    expect(about('[response][status_code]')).toBe(200);
    expect(about('[response][status_message]')).toBe('OK');
    expect(about('[response][elapsed_time_ns]')).toBeTypeOf('number');
    expect([...sink.events[0]!.metadata.keys()]).toEqual(['input']);
    const urls = { x: { url: 'http://127.0.0.1:1/', method: 'post' } };
    const bad = await start(httpPollerInput, { urls, schedule: { every: '1h' } }, { ecs: 'v8' });
    await bad.sink.until(1);
    expect(plainOf(bad.sink)).toMatchObject({
      url: { full: 'http://127.0.0.1:1/' },
      http: { request: { method: 'post' } },
      host: { hostname: 'tester' },
      error: { message: expect.stringContaining('ECONNREFUSED') },
      tags: ['_http_request_failure'],
    });
  });
});
