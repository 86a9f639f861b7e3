import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KafkaBroker, startKafka, whyNoKafka } from '../../kafka/kafka-broker.test-support.ts';
import { type KafkaProducer, loadKafka } from '../../kafka/kafka-client.ts';
import { makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { metadataOf, type RunningInput, start } from '../input-under-test.test-support.ts';
import { kafkaInput } from './kafka.ts';

const reason = await whyNoKafka();

describe('the options of the kafka input', () => {
  test.each([
    [{ bootstrap_servers: 'nowhere' }, 'list of host:port'],
    [{ topics_pattern: '(' }, 'no regular expression'],
    [{ consumer_threads: 0 }, 'at least 1'],
    [{ security_protocol: 'SASL_SSL' }, 'GSSAPI] is not supported'],
    [{ security_protocol: 'SASL_PLAINTEXT', sasl_mechanism: 'PLAIN' }, 'must say username'],
    [{ value_deserializer_class: 'com.example.Mine' }, 'cannot be run'],
    [{ session_timeout_ms: 1000, heartbeat_interval_ms: 1000 }, 'must be below'],
    [{ partition_assignment_strategy: 'cooperative_sticky' }, 'must be one of range, round_robin'],
  ])('%j are refused', (options, message) => {
    expect(() => makeInput(kafkaInput, options, testContext())).toThrow(message);
  });
});

describe.skipIf(reason !== null)(`the kafka input${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let broker: KafkaBroker;
  let producer: KafkaProducer;
  let topics = 0;

  beforeAll(async () => {
    broker = await startKafka();
    const { Producer } = await loadKafka('a test');
    producer = new Producer({ clientId: 'test', bootstrapBrokers: [broker.address], autocreateTopics: true, acks: -1 });
  });
  afterAll(async () => {
    await producer.close(true);
    await broker.end();
  });

  const send = (topic: string, ...values: readonly string[]): Promise<unknown> =>
    producer.send({ messages: values.map((value) => ({ topic, value: Buffer.from(value) })) });
  const newTopic = (): string => `topic-${++topics}`;
  const running = (options = {}): Promise<RunningInput> =>
    start(kafkaInput, {
      bootstrap_servers: broker.address,
      auto_offset_reset: 'earliest',
      fetch_max_wait_ms: 50,
      ...options,
    });

  test.each(['range', 'round_robin'])('reads all partitions of a topic, also as two members (%s)', async (strategy) => {
    const topic = newTopic();
    await send(topic, '0');
    const options = { topics: [topic], group_id: topic, consumer_threads: 2, partition_assignment_strategy: strategy };
    const { sink } = await running(options);
    const values = Array.from({ length: 30 }, (_, i) => String(i + 1));
    for (const value of values) await send(topic, value);
    await sink.until(31);
    expect(new Set(sink.messages())).toEqual(new Set(['0', ...values]));
  });

  test.each([true, false])(
    'goes on behind what the queue has taken (enable_auto_commit %s)',
    async (enable_auto_commit) => {
      const topic = newTopic();
      const options = { topics: [topic], group_id: topic, enable_auto_commit, max_poll_records: 2 };
      await send(topic, 'a', 'b', 'c');
      const first = await running(options);
      await first.sink.until(3);
      await first.input.stop();
      const held = await running(options);
      let open: () => void = () => undefined;
      held.sink.gate = new Promise((resolve) => (open = resolve));
      await send(topic, 'd');
      const stopped = held.input.stop();
      open();
      await stopped;
      await send(topic, 'e');
      const last = await running(options);
      await last.sink.until(2 - held.sink.events.length);
      expect([...held.sink.messages(), ...last.sink.messages()].sort()).toEqual(['d', 'e']);
    },
  );

  test('decorates events with what Kafka knows of them', async () => {
    const topic = newTopic();
    const headers = new Map([
      [Buffer.from('good'), Buffer.from('é')],
      [Buffer.from('bad'), Buffer.from([0xff])],
    ]);
    await producer.send({
      messages: [{ topic, key: Buffer.from('k'), value: Buffer.from('{"message":"v"}'), headers }],
    });
    const options = { topics: [topic], group_id: 'decorated', decorate_events: 'extended', codec: 'json' };
    const { sink } = await running(options);
    await sink.until(1);
    expect(sink.messages()).toEqual(['v']);
    expect(
      ['topic', 'consumer_group', 'offset', 'key', 'headers'].map((name) => metadataOf(sink, `[kafka][${name}]`)),
    ).toEqual([topic, 'decorated', 0, 'k', new Map([['good', 'é']])]);
    expect(metadataOf(sink, '[kafka][timestamp]')).toBeGreaterThan(1_700_000_000_000);
  });

  test('finds topics by a pattern, also those that come later', async () => {
    const prefix = newTopic();
    await send(`${prefix}-a`, 'a');
    await send(`${prefix}xx`, 'no');
    const options = { topics_pattern: `${prefix}-.`, group_id: prefix, metadata_max_age_ms: 200 };
    const { sink } = await running(options);
    await sink.until(1);
    await send(`${prefix}-b`, 'b');
    await sink.until(2);
    expect([...sink.messages()].sort()).toEqual(['a', 'b']);
  });

  test('starts at the end when it is told so', async () => {
    const topic = newTopic();
    await send(topic, 'old');
    const { sink } = await running({ topics: [topic], group_id: topic, auto_offset_reset: 'latest' });
    const sender = { isOn: true };
    onTestFinished(() => void (sender.isOn = false));
    const sending = (async () => {
      while (sender.isOn) await send(topic, 'new');
    })();
    await sink.until(1);
    sender.isOn = false;
    await sending;
    expect(new Set(sink.messages())).toEqual(new Set(['new']));
  });

  test('proves who it is', async () => {
    const topic = newTopic();
    await send(topic, 'a');
    const { sink } = await running({
      topics: [topic],
      bootstrap_servers: broker.saslAddress,
      security_protocol: 'SASL_PLAINTEXT',
      sasl_mechanism: 'PLAIN',
      sasl_jaas_config:
        'org.apache.kafka.common.security.plain.PlainLoginModule required username="logs" password="secret";',
    });
    await sink.until(1);
    expect(sink.messages()).toEqual(['a']);
  });
});
