import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, listen, start } from '../output-under-test.test-support.ts';
import { statsdOutput } from './statsd.ts';

const FIELDS = { host: 'web.1', bytes: 12, took: 3.5, who: 'ann', path: 'a:b|c' };
const METRICS = {
  increment: ['hits.%{path}'],
  decrement: ['left'],
  count: { 'http.bytes': '%{bytes}' },
  timing: { 'My::Time': '%{took}' },
  set: { users: '%{who}' },
  gauge: { level: '-1' },
};
const LINES = [
  'logstash.web_1.hits.a_b_c:1|c',
  'logstash.web_1.left:-1|c',
  'logstash.web_1.http.bytes:12|c',
  'logstash.web_1.My.Time:3.5|ms',
  'logstash.web_1.users:ann|s',
  'logstash.web_1.level:-1|g',
];

test.each([
  [1, LINES],
  [4, [LINES.slice(0, 4).join('\n'), LINES.slice(4).join('\n')]],
])('a datagram holds up to %i metrics', async (batch_size, datagrams) => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const lines: string[] = [];
  const all = new Promise<void>((resolve) =>
    server.on('message', (bytes) => {
      if (lines.push(bytes.toString('utf8')) === datagrams.length) resolve();
    }),
  );
  const { output } = await start(statsdOutput, {
    host: '127.0.0.1',
    port: server.address().port,
    batch_size,
    ...METRICS,
  });
  await output.receive([event(FIELDS)]);
  await all;
  expect(lines).toEqual(datagrams);
});

test.each([
  [{}, `${LINES.join('\n')}\n`],
  [
    {
      ...METRICS,
      namespace: '',
      sender: 'x',
      increment: 'a',
      decrement: [],
      count: {},
      timing: {},
      set: {},
      gauge: {},
    },
    'x.a:1|c\n',
  ],
])('over a connection each is a line: %j', async (options, text) => {
  let got = '';
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const server = createServer(
    (socket) => void socket.on('data', (chunk) => (got += chunk.toString('utf8'))).on('end', end),
  );
  const at = { protocol: 'tcp', host: '127.0.0.1', port: await listen(server) };
  const { output } = await start(statsdOutput, { ...at, ...METRICS, ...options });
  await output.receive([event(FIELDS)]);
  await output.stop?.();
  await ended;
  expect(got).toBe(text);
});

test('a part of them is sent, and says which part', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const context = testContext();
  let draws = 0;
  const random = { ...context.runtime.random, u32: () => (draws++ === 0 ? 0xffff_ffff : 0) };
  const at = { host: '127.0.0.1', port: server.address().port, increment: ['one', 'two'], sample_rate: 0.5 };
  const { output } = await start(statsdOutput, at, { runtime: { ...context.runtime, random } });
  const received = once(server, 'message');
  await output.receive([event(FIELDS)]);
  expect(String((await received)[0])).toBe('logstash.web_1.two:1|c|@0.5');
});

test.each(['sample_rate', 'batch_size'])('a %s of 0 is refused', (name) => {
  expect(() => makeOutput(statsdOutput, { [name]: 0 }, testContext())).toThrow(name);
});
