import { describe, expect, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { type RedisServer, startRedis, whyNoRedis } from '../../redis/redis-server.test-support.ts';
import { metadataOf, type RunningInput, start } from '../input-under-test.test-support.ts';
import { redisInput } from './redis.ts';

const reason = await whyNoRedis();
const LIST = { key: 'logs', data_type: 'list' };

async function running(server: RedisServer, options = {}): Promise<RunningInput> {
  return start(redisInput, { host: '127.0.0.1', port: server.port, ...options });
}

/** Channels have those who listen at the moment: waits until somebody does. */
async function publish(server: RedisServer, channel: string, text: string): Promise<void> {
  while ((await server.client.send(['PUBLISH', channel, text])) === 0);
}

test('threads that would give the events of a channel twice are refused', () => {
  const options = { key: 'a', data_type: 'channel', threads: 2 };
  expect(() => makeInput(redisInput, options, testContext())).toThrow('only a list can be shared');
});

describe.skipIf(reason !== null)(`the redis input${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  test.each([1, 2, 125])('empties a list, %i at a time, in its order', async (batch_count) => {
    const server = await startRedis();
    const texts = Array.from({ length: 7 }, (_, i) => JSON.stringify({ message: i }));
    await server.client.send(['RPUSH', 'logs', ...texts]);
    const { sink } = await running(server, { ...LIST, batch_count });
    await sink.until(7);
    expect(sink.messages()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await server.client.send(['LLEN', 'logs'])).toBe(0);
  });

  test('goes on after a broken connection, and after the server forgot its script', async () => {
    const server = await startRedis();
    const { sink } = await running(server, LIST);
    await server.client.send(['RPUSH', 'logs', '{"message":1}']);
    await sink.until(1);
    await server.client.send(['SCRIPT', 'FLUSH']);
    await server.client.send(['RPUSH', 'logs', '{"message":2}']);
    await sink.until(2);
    server.breakConnections();
    await server.client.send(['RPUSH', 'logs', '{"message":3}']);
    await sink.until(3);
    expect(sink.messages()).toEqual([1, 2, 3]);
  });

  test('takes nothing more from a list while the queue is full, and pushes what it took before it stops', async () => {
    const server = await startRedis();
    const { sink, input } = await running(server, { ...LIST, batch_count: 2 });
    let open: () => void = () => undefined;
    sink.gate = new Promise((resolve) => (open = resolve));
    await server.client.send(['RPUSH', 'logs', '1', '2', '3', '4', '5']);
    while (Number(await server.client.send(['LLEN', 'logs'])) > 3);
    const stopped = input.stop();
    expect(await server.client.send(['LLEN', 'logs'])).toBe(3);
    open();
    await stopped;
    expect(sink.events).toHaveLength(2);
  });

  test('shares a list between threads', async () => {
    const server = await startRedis();
    const { sink } = await running(server, { ...LIST, threads: 3, batch_count: 1 });
    await server.client.send(['RPUSH', 'logs', ...Array.from({ length: 20 }, (_, i) => `{"message":${i}}`)]);
    await sink.until(20);
    expect(new Set(sink.messages()).size).toBe(20);
  });

  test('listens on a channel, and on those that fit a pattern', async () => {
    const server = await startRedis();
    const one = await running(server, { key: 'news', data_type: 'channel' });
    await publish(server, 'news', '{"message":"a"}');
    await one.sink.until(1);
    expect(metadataOf(one.sink, '[redis_channel]')).toBe('news');
    await one.input.stop();
    const all = await running(server, { key: 'n*', data_type: 'pattern_channel', codec: 'plain' });
    await publish(server, 'none', 'text');
    await all.sink.until(1);
    expect([all.sink.messages(), metadataOf(all.sink, '[redis_channel]')]).toEqual([['text'], 'none']);
  });

  test('knows passwords, databases, sockets and other names of commands', async () => {
    const server = await startRedis('--requirepass', 'secret', '--rename-command', 'BLPOP', 'TAKE');
    await server.client.send(['SELECT', '3']);
    await server.client.send(['RPUSH', 'logs', '{"message":1}']);
    const options = { path: server.path, password: 'secret', db: 3, batch_count: 1, command_map: { blpop: 'TAKE' } };
    const { sink } = await running(server, { ...LIST, ...options });
    await sink.until(1);
    expect(sink.messages()).toEqual([1]);
  });
});
