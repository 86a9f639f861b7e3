import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KafkaBroker, startKafka, whyNoKafka } from '../../kafka/kafka-broker.test-support.ts';
import { type KafkaMessage, loadKafka } from '../../kafka/kafka-client.ts';
import { codecBlock, makeOutput, testContext } from '../../plugin-instance.test-support.ts';
import { event, start } from '../output-under-test.test-support.ts';
import { kafkaOutput } from './kafka.ts';

const reason = await whyNoKafka();
const codec = codecBlock('plain', { format: '%{message}' });

describe('the options of the kafka output', () => {
  test.each([
    [{ retries: -1 }, 'must not be negative'],
    [{ value_serializer: 'com.example.Mine' }, 'cannot be run'],
    [{ partitioner: 'com.example.Mine' }, 'partitioner'],
    [{ bootstrap_servers: 'nowhere' }, 'list of host:port'],
  ])('%j are refused', (options, message) => {
    expect(() => makeOutput(kafkaOutput, { topic_id: 't', ...options }, testContext())).toThrow(message);
  });
});

describe.skipIf(reason !== null)(`the kafka output${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let broker: KafkaBroker;
  let topics = 0;
  beforeAll(async () => void (broker = await startKafka()));
  afterAll(() => broker.end());

  const newTopic = (): string => `topic-${++topics}`;
  const running = (options = {}) =>
    start(kafkaOutput, { bootstrap_servers: broker.address, codec, topic_id: '%{to}', ...options });

  async function written(topic: string, count: number): Promise<KafkaMessage[]> {
    const { Consumer } = await loadKafka('a test');
    const consumer = new Consumer({
      clientId: 'test',
      groupId: `readers-of-${topic}`,
      bootstrapBrokers: [broker.address],
    });
    onTestFinished(() => consumer.close(true));
    const stream = await consumer.consume({ topics: [topic], mode: 'earliest', maxWaitTime: 50 });
    const messages: KafkaMessage[] = [];
    await new Promise<void>((resolve) => {
      stream.on('readable', () => {
        for (let one = stream.read(); one !== null; one = stream.read()) messages.push(one);
        if (messages.length >= count) resolve();
      });
    });
    return messages;
  }

  test('writes topic, key, headers and value', async () => {
    const to = newTopic();
    const { output } = await running({ message_key: '%{id}', message_headers: { source: 'of %{id}' } });
    await output.receive([event({ to, id: 'a', message: 'x' })]);
    const [message] = await written(to, 1);
    expect([String(message?.key), String(message?.value)]).toEqual(['a', 'x']);
    expect([...(message?.headers ?? [])].map(([name, value]) => [String(name), String(value)])).toEqual([
      ['source', 'of a'],
    ]);
  });

  test.each(['gzip', 'snappy', 'lz4'])('compresses with %s', async (compression_type) => {
    const to = newTopic();
    const { output } = await running({ compression_type, acks: 'all' });
    await output.receive([event({ to, message: 'x'.repeat(500) })]);
    expect(String((await written(to, 1))[0]?.value)).toBe('x'.repeat(500));
  });

  test('puts a key where the client of Java does, and others anywhere', async () => {
    const to = newTopic();
    const keyed = await running({ message_key: '%{id}' });
    await keyed.output.receive(['a', 'b', 'a', 'b'].map((id) => event({ to, id, message: id })));
    const spread = await running({ message_key: 'same', partitioner: 'round_robin' });
    await spread.output.receive(['1', '2', '3'].map((message) => event({ to, message })));
    const messages = await written(to, 7);
    const partitionOf = (value: string) => [
      ...new Set(messages.filter((message) => String(message.value) === value).map(({ partition }) => partition)),
    ];
    // Utils.toPositive(Utils.murmur2(key)) % 3 in Java.
    expect(['a', 'b'].map(partitionOf)).toEqual([[1], [2]]);
    expect(new Set(['1', '2', '3'].flatMap(partitionOf)).size).toBe(3);
  });

  test('drops what a broker refuses and delivers the rest', async () => {
    const to = newTopic();
    const { output, context } = await running();
    await output.receive([
      event({ to, message: 'a' }),
      event({ to, message: 'x'.repeat(200_000) }),
      event({ to, message: 'b' }),
    ]);
    await output.receive([event({ to, message: 'x'.repeat(2_000_000) })]);
    expect(new Set((await written(to, 2)).map(({ value }) => String(value)))).toEqual(new Set(['a', 'b']));
    expect(context.counts.get('dropped')).toBe(2);
  });

  test('gives up after as many retries as it may, else when it is stopped', async () => {
    const nowhere = { bootstrap_servers: '127.0.0.1:1', retry_backoff_ms: 1 };
    const limited = await running({ ...nowhere, retries: 1 });
    await limited.output.receive([event({ to: 't', message: 'a' })]);
    expect(limited.context.counts.get('dropped')).toBe(1);
    const endless = await running(nowhere);
    const received = endless.output.receive([event({ to: 't', message: 'a' })]);
    await endless.output.stop?.();
    await expect(received).rejects.toThrow();
  });
});
