import { createSocket } from 'node:dgram';
import { expect, test } from 'vitest';
import { local, start } from '../input-under-test.test-support.ts';
import { udpInput } from './udp.ts';

test('udp: each datagram is an event', async () => {
  const { sink, port } = await start(udpInput, local);
  const socket = createSocket('udp4');
  socket.send('hello', port, '127.0.0.1', () => socket.close());
  await sink.until(1);
  expect(sink.messages()).toEqual(['hello']);
  expect(sink.events[0]?.fields.get('host')).toBe('127.0.0.1');
});
