import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import type { RabbitConnection, RabbitMessage } from '../../rabbitmq/rabbitmq-client.ts';
import { type RabbitServer, startRabbitmq, whyNoRabbitmq } from '../../rabbitmq/rabbitmq-server.test-support.ts';
import { event, line, start } from '../output-under-test.test-support.ts';
import { rabbitmqOutput } from './rabbitmq.ts';

const reason = await whyNoRabbitmq();
const exchangeOptions = { host: ['127.0.0.1'], exchange: 'logs', exchange_type: 'direct' };

test.each([
  [{ message_properties: { colour: 'red' } }, 'knows no [colour]'],
  [{ automatic_recovery: false }, 'is not supported'],
])('%j is refused', (options, message) => {
  expect(() => makeOutput(rabbitmqOutput, { ...exchangeOptions, ...options }, testContext())).toThrow(message);
});

test('gives back what it cannot deliver when it is stopped', async () => {
  if (reason !== null) return;
  const { output } = await start(rabbitmqOutput, { ...exchangeOptions, port: 1 });
  const received = output.receive([event({ message: 'a' })]);
  await output.stop?.();
  await expect(received).rejects.toThrow();
});

describe.skipIf(reason !== null)(`the rabbitmq output${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: RabbitServer;
  let connection: RabbitConnection;
  beforeAll(async () => {
    server = await startRabbitmq();
    connection = await server.connected();
  });
  afterAll(async () => {
    await connection.close();
    await server.end();
  });

  /** Messages of the exchange with a routing key, from now on. */
  async function messagesOf(exchange: string, key: string) {
    const channel = await connection.createChannel();
    const messages: RabbitMessage[] = [];
    let wake: () => void = () => undefined;
    await channel.assertExchange(exchange, 'direct', { durable: true });
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, exchange, key);
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message !== null) messages.push(message);
      wake();
    });
    onTestFinished(async () => void (await channel.cancel(consumerTag)));
    return {
      until: async (count: number): Promise<readonly RabbitMessage[]> => {
        while (messages.length < count) await new Promise<void>((resolve) => (wake = resolve));
        return messages;
      },
    };
  }

  test('publishes with key and properties', async () => {
    const messages = await messagesOf('logs', 'k1');
    const message_properties = { content_type: 'text/%{kind}', priority: '3', headers: { source: 'here' } };
    const options = { ...exchangeOptions, port: server.port, key: '%{to}', codec: line, message_properties };
    const { output } = await start(rabbitmqOutput, options);
    await output.receive([event({ to: 'k1', kind: 'plain', message: 'a' }), event({ to: 'other', message: 'b' })]);
    const [message] = await messages.until(1);
    expect(message?.content.toString()).toBe('a\n');
    expect(message?.properties).toMatchObject({
      contentType: 'text/plain',
      priority: 3,
      headers: { source: 'here' },
      deliveryMode: 2,
    });
  });

  test('publishes again what was not confirmed when the connection broke', async () => {
    const messages = await messagesOf('logs', 'k2');
    const options = { ...exchangeOptions, port: server.port, key: 'k2', codec: line, connect_retry_interval: 0.01 };
    const { output } = await start(rabbitmqOutput, options);
    await output.receive([event({ message: 'a' })]);
    server.breakConnections();
    await output.receive([event({ message: 'b' })]);
    expect(new Set((await messages.until(2)).map(({ content }) => content.toString()))).toEqual(
      new Set(['a\n', 'b\n']),
    );
  });
});
