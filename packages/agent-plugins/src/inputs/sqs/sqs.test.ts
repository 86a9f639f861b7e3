import { expect, test } from 'vitest';
import { KEYS, startSqs } from '../../aws/sqs-server.test-support.ts';
import { CollectingSink, makeInput, testContext } from '../../plugin-instance.test-support.ts';
import { plainOf, start } from '../input-under-test.test-support.ts';
import { sqsInput } from './sqs.ts';

test.each([
  [{ ...KEYS, polling_frequency: 21 }, 'up to 20'],
  [{ ...KEYS, threads: 0 }, 'at least 1'],
  [{ ...KEYS, endpoint: 'http://[' }, 'no address'],
  [{ ...KEYS, additional_settings: { no_such_setting: true } }, 'no_such_setting'],
  [{ ...KEYS, additional_settings: { ssl_verify_peer: 'perhaps' } }, 'ssl_verify_peer'],
])('%j is refused', (options, message) => {
  expect(() => makeInput(sqsInput, { queue: 'logs', ...options }, testContext())).toThrow(message);
});

test('messages are deleted when the queue of the pipeline has them', async () => {
  const server = await startSqs();
  server.put(...Array.from({ length: 12 }, (_, i) => `{"message":${i}}`));
  const additional_settings = { ssl_verify_peer: 'false', http_read_timeout: '30' };
  const options = { queue: 'logs', endpoint: server.endpoint, polling_frequency: 0, additional_settings, ...KEYS };
  const { sink, input } = await start(sqsInput, options);
  await sink.until(12);
  await server.until(() => server.queue.length === 0);
  expect(sink.messages()).toEqual(Array.from({ length: 12 }, (_, i) => i));
  let open: () => void = () => undefined;
  sink.gate = new Promise((resolve) => (open = resolve));
  server.put('{"message":"held"}');
  await server.until(() => server.queue.some(({ isTaken }) => isTaken));
  expect(server.queue).toHaveLength(1);
  open();
  await server.until(() => server.queue.length === 0);
  await input.stop();
});

test('where the pipeline confirms, messages are deleted then and not before', async () => {
  const server = await startSqs();
  server.put('{"message":1}');
  let confirm: () => void = () => undefined;
  const confirmation = new Promise<void>((resolve) => (confirm = resolve));
  const options = { queue: 'logs', endpoint: server.endpoint, polling_frequency: 0, ...KEYS };
  const input = makeInput(sqsInput, options, testContext());
  const sink = Object.assign(new CollectingSink(), { confirmed: () => confirmation });
  await input.start(sink);
  await sink.until(1);
  expect(server.calls).not.toContain('DeleteMessageBatch');
  confirm();
  await server.until(() => server.queue.length === 0);
  await input.stop();
});

test('what SQS says of a message goes into fields', async () => {
  const server = await startSqs();
  server.put('{"a":1}');
  const fields = { id_field: '[sqs][id]', md5_field: '[sqs][md5]', sent_timestamp_field: '[sqs][sent]' };
  const options = { queue: 'logs', endpoint: server.endpoint, polling_frequency: 0, ...KEYS, ...fields };
  const { sink } = await start(sqsInput, options);
  await sink.until(1);
  expect(plainOf(sink)).toEqual({ a: 1, sqs: { id: 'm0', md5: 'md5', sent: '2017-07-14T02:40:00.000Z' } });
});

test('a call that fails is made again', async () => {
  const server = await startSqs();
  server.put('{"message":1}');
  const { sink } = await start(sqsInput, {
    queue: 'logs',
    endpoint: server.endpoint,
    ...KEYS,
    secret_access_key: 'other',
  });
  await server.until(() => server.calls.length >= 2);
  expect([sink.events, new Set(server.calls)]).toEqual([[], new Set(['GetQueueUrl'])]);
});
