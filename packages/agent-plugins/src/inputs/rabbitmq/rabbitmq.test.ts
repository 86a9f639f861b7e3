import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import type { RabbitChannel, RabbitConnection } from '../../rabbitmq/rabbitmq-client.ts';
import { type RabbitServer, startRabbitmq, whyNoRabbitmq } from '../../rabbitmq/rabbitmq-server.test-support.ts';
import { metadataOf, type RunningInput, start } from '../input-under-test.test-support.ts';
import { rabbitmqInput } from './rabbitmq.ts';

const reason = await whyNoRabbitmq();

test.each([
  [{ prefetch_count: 0 }, 'at least 1'],
  [{ exchange_type: 'direct' }, 'needs [exchange]'],
  [{ automatic_recovery: false }, 'is not supported'],
])('%j is refused', (options, message) => {
  expect(() => makeInput(rabbitmqInput, { host: 'localhost', ...options }, testContext())).toThrow(message);
});

describe.skipIf(reason !== null)(`the rabbitmq input${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: RabbitServer;
  let connection: RabbitConnection;
  let channel: RabbitChannel;
  let queues = 0;

  beforeAll(async () => {
    server = await startRabbitmq();
    connection = await server.connected();
    channel = await connection.createConfirmChannel();
  });
  afterAll(async () => {
    await connection.close();
    await server.end();
  });

  const newQueue = (): string => `queue-${++queues}`;
  const running = (options = {}): Promise<RunningInput> =>
    start(rabbitmqInput, {
      host: ['127.0.0.1'],
      port: server.port,
      connect_retry_interval: 0.01,
      subscription_retry_interval_seconds: 0.01,
      ...options,
    });
  const send = async (queue: string, ...texts: readonly string[]): Promise<void> => {
    await channel.assertQueue(queue, { durable: true });
    for (const text of texts) channel.publish('', queue, Buffer.from(text), { persistent: true });
    await channel.waitForConfirms();
  };
  const left = async (queue: string): Promise<number> => {
    const { messageCount } = (await channel.checkQueue(queue)) as unknown as { messageCount: number };
    return messageCount;
  };

  test('reads a queue in its order, and goes on after a broken connection', async () => {
    const queue = newQueue();
    await send(queue, '{"message":1}', '{"message":2}');
    const { sink } = await running({ queue, durable: true });
    await sink.until(2);
    server.breakConnections();
    await send(queue, '{"message":3}');
    await sink.until(3);
    expect([...new Set(sink.messages())]).toEqual([1, 2, 3]);
  });

  test('acknowledges what the queue of the pipeline has, and nothing else', async () => {
    const queue = newQueue();
    await send(queue, '1', '2', '3', '4', '5');
    const { sink, input } = await running({ queue, passive: true, prefetch_count: 2, codec: 'plain' });
    await sink.until(1);
    await input.stop();
    // What it had and did not give is the server's again.
    while ((await left(queue)) + sink.events.length !== 5);
    expect(sink.messages()).toEqual(['1', '2', '3', '4', '5'].slice(0, sink.events.length));
  });

  test('declares and binds what it is told to, and shows what the server says', async () => {
    const exchange = newQueue();
    const options = { queue: newQueue(), exchange, exchange_type: 'topic', key: 'log.*', codec: 'plain' };
    const { sink } = await running({ ...options, metadata_enabled: 'extended', arguments: { 'x-max-length': 10 } });
    const properties = { headers: { a: 1 }, contentType: 'text/plain', priority: 0 };
    while (sink.events.length === 0) {
      // Nothing is kept for it until it has bound its queue.
      await channel.assertExchange(exchange, 'topic', { durable: false });
      channel.publish(exchange, 'log.error', Buffer.from('x'), properties);
      await channel.waitForConfirms();
    }
    expect(metadataOf(sink, '[rabbitmq_headers][a]')).toBe(1);
    expect(
      ['content-type', 'priority', 'exchange', 'routing-key'].map((name) =>
        metadataOf(sink, `[rabbitmq_properties][${name}]`),
      ),
    ).toEqual(['text/plain', 0, exchange, 'log.error']);
    expect(metadataOf(sink, '[rabbitmq_payload]')).toBe('x');
  });

  test('shares a queue between threads, also without acknowledgements', async () => {
    const queue = newQueue();
    await send(queue, ...Array.from({ length: 50 }, (_, i) => `{"message":${i}}`));
    const { sink } = await running({ queue, durable: true, threads: 2, ack: false, prefetch_count: 5 });
    await sink.until(50);
    expect(new Set(sink.messages()).size).toBe(50);
  });
});
