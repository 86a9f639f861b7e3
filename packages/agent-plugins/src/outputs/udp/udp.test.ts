import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { event, start } from '../output-under-test.test-support.ts';
import { udpOutput } from './udp.ts';

test('udp: an event a datagram', async () => {
  const receiver = createSocket('udp4');
  await new Promise<void>((resolve) => receiver.bind(0, '127.0.0.1', resolve));
  const message = once(receiver, 'message');
  const { output } = await start(udpOutput, { host: '127.0.0.1', port: receiver.address().port });
  await output.receive([event({ a: 1 })]);
  expect(JSON.parse(String((await message)[0]))).toMatchObject({ a: 1 });
  receiver.close();
});
