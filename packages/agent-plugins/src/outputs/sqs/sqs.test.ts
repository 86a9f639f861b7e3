import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEYS, startSqs } from '../../aws/sqs-server.test-support.ts';
import { makeOutput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { event, line, start } from '../output-under-test.test-support.ts';
import { sqsOutput } from './sqs.ts';

const events = (count: number, text = '') => Array.from({ length: count }, (_, i) => event({ message: `${i}${text}` }));

test.each([0, 11])('%i events a batch are refused', (batch_events) => {
  expect(() => makeOutput(sqsOutput, { queue: 'q', ...KEYS, batch_events }, testContext())).toThrow('from 1 to 10');
});

test.each([
  ['ten at once', {}, 3],
  ['one by one', { batch: false }, 21],
  ['as many as there is room for', { message_max_size: 8 }, 8],
])('events are sent, %s', async (_what, more, calls) => {
  const server = await startSqs();
  const { output } = await start(sqsOutput, {
    queue: 'logs',
    endpoint: server.endpoint,
    codec: line,
    ...KEYS,
    ...more,
  });
  await output.receive(events(21));
  expect(server.queue.map(({ body }) => body)).toEqual(Array.from({ length: 21 }, (_, i) => `${i}\n`));
  expect(server.calls.filter((action) => action === 'SendMessageBatch')).toHaveLength(calls);
});

test('what is not taken is sent again, unless the sender is to blame', async () => {
  const server = await startSqs();
  const { output, context } = await start(sqsOutput, {
    queue: 'logs',
    endpoint: server.endpoint,
    codec: line,
    ...KEYS,
  });
  await output.receive([]);
  server.next = () => null;
  const failing = (action: string) =>
    action === 'SendMessageBatch'
      ? {
          Failed: [
            { Id: '0', SenderFault: true },
            { Id: '1', SenderFault: false },
          ],
        }
      : null;
  const received = output.receive(events(2));
  await server.until(() => server.calls.length === 1);
  server.next = failing;
  await received;
  expect(server.queue.map(({ body }) => body)).toEqual(['1\n']);
  expect(context.counts.get('dropped')).toBe(1);
});

test('what is too large is dropped, and keys may stand in a file', async () => {
  const server = await startSqs();
  const path = join(await temporaryFolder(), 'aws.yml');
  writeFileSync(path, `:access_key_id: "${KEYS.access_key_id}"\n:secret_access_key: "${KEYS.secret_access_key}"\n`);
  const options = { queue: 'logs', endpoint: server.endpoint, codec: line, region: KEYS.region, message_max_size: 10 };
  const { output, context } = await start(sqsOutput, { ...options, aws_credentials_file: path });
  await output.receive([...events(1, 'x'.repeat(20)), ...events(1)]);
  expect([server.queue.map(({ body }) => body), context.counts.get('dropped')]).toEqual([['0\n'], 1]);
});

test('gives back what it cannot deliver when it is stopped', async () => {
  const { output } = await start(sqsOutput, { queue: 'logs', endpoint: 'http://127.0.0.1:1', ...KEYS });
  const received = output.receive(events(1));
  await output.stop?.();
  await expect(received).rejects.toThrow();
});
