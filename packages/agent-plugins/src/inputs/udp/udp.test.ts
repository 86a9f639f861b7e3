import { createSocket } from 'node:dgram';
import { expect, test } from 'vitest';
import { codecBlock } from '../../plugin-instance.test-support.ts';
import { local, plainOf, start } from '../input-under-test.test-support.ts';
import { udpInput } from './udp.ts';

test('udp: each datagram is an event', async () => {
  const { sink, port } = await start(udpInput, local);
  const socket = createSocket('udp4');
  socket.send('hello', port, '127.0.0.1', () => socket.close());
  await sink.until(1);
  expect(sink.messages()).toEqual(['hello']);
  expect(sink.events[0]?.fields.get('host')).toBe('127.0.0.1');
});

test.each([
  [{}, '{"a":1}', { host: '127.0.0.1' }],
  [{}, '{"host":"mine"}', { host: 'mine' }],
  [{ source_ip_fieldname: '[from][ip]' }, '{"host":"mine"}', { host: 'mine', from: { ip: '127.0.0.1' } }],
])('udp: the address of the sender is set where the datagram has none: %j %s', async (options, text, fields) => {
  const { sink, port } = await start(udpInput, { ...local, ...options, codec: codecBlock('json', {}) });
  const socket = createSocket('udp4');
  socket.send(text, port, '127.0.0.1', () => socket.close());
  await sink.until(1);
  expect(plainOf(sink)).toMatchObject(fields);
});
