import { describe, expect, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { type RedisServer, startRedis, whyNoRedis } from '../../redis/redis-server.test-support.ts';
import { event, line, start } from '../output-under-test.test-support.ts';
import { redisOutput } from './redis.ts';

const reason = await whyNoRedis();
const events = ['a', 'b', 'c'].map((message) => event({ message, to: 'logs' }));

async function listed(server: RedisServer, key = 'logs'): Promise<string[]> {
  const items = await server.client.send(['LRANGE', key, '0', '-1']);
  return Array.isArray(items) ? items.map(String) : [];
}

const options = (server: RedisServer, more = {}) => ({
  host: [`127.0.0.1:${server.port}`],
  key: '%{to}',
  data_type: 'list',
  codec: line,
  reconnect_interval: 0.01,
  ...more,
});

test('a batch of a channel, and a list without a name, are refused', () => {
  expect(() => makeOutput(redisOutput, { key: 'k', data_type: 'channel', batch: true }, testContext())).toThrow(
    '[batch] is for',
  );
  expect(() => makeOutput(redisOutput, { data_type: 'list' }, testContext())).toThrow();
});

describe.skipIf(reason !== null)(`the redis output${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test.each([
    ['an event a command', { batch: false }, 3],
    ['as many as a batch holds', { batch: true, batch_events: 2 }, 2],
  ])('appends to a list, %s', async (_what, more, commands) => {
    const server = await startRedis();
    const { output } = await start(redisOutput, options(server, more));
    await output.receive(events);
    expect(await listed(server)).toEqual(['a\n', 'b\n', 'c\n']);
    expect(String(await server.client.send(['INFO', 'commandstats']))).toContain(`cmdstat_rpush:calls=${commands},`);
  });

  test('publishes to a channel', async () => {
    const server = await startRedis();
    const seen: string[] = [];
    let all: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (all = resolve));
    await server.client.subscribe('channel', 'logs', (message) => {
      if (seen.push(message.toString()) === 3) all();
    });
    const { output } = await start(redisOutput, options(server, { data_type: 'channel' }));
    await output.receive(events);
    await done;
    expect(seen).toEqual(['a\n', 'b\n', 'c\n']);
  });

  test('goes to the next host when one does not answer, and connects again after a break', async () => {
    const server = await startRedis();
    const hosts = ['127.0.0.1:1', `127.0.0.1:${server.port}`];
    const { output } = await start(redisOutput, options(server, { host: hosts, shuffle_hosts: false }));
    await output.receive(events);
    server.breakConnections();
    await output.receive(events);
    expect(await listed(server)).toHaveLength(6);
  });

  test('waits while a list is too long', async () => {
    const server = await startRedis();
    await server.client.send(['RPUSH', 'logs', 'x', 'y']);
    const more = { congestion_threshold: 1, congestion_interval: 0.01 };
    const { output } = await start(redisOutput, options(server, more));
    const received = output.receive(events);
    expect(await listed(server)).toEqual(['x', 'y']);
    await server.client.send(['LPOP', 'logs']);
    await received;
    expect(await listed(server)).toHaveLength(4);
  });

  test('gives back what it cannot deliver when it is stopped', async () => {
    const { output } = await start(redisOutput, { host: ['127.0.0.1:1'], key: 'k', data_type: 'list' });
    const received = output.receive(events);
    await output.stop?.();
    await expect(received).rejects.toThrow();
  });

  test('knows passwords and databases', async () => {
    const server = await startRedis('--requirepass', 'secret');
    const { output } = await start(redisOutput, options(server, { password: 'secret', db: 2 }));
    await output.receive(events);
    await server.client.send(['SELECT', '2']);
    expect(await listed(server)).toHaveLength(3);
  });
});
