import { once } from 'node:events';
import type { Socket } from 'node:net';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { dial, local, metadataOf, plainOf, start } from '../input-under-test.test-support.ts';
import { beatsInput } from './beats.ts';

describe('the beats input', () => {
  const u32 = (value: number) =>
    Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((byte) => byte & 255));
  const json = (sequence: number, value: unknown) => {
    const payload = Buffer.from(JSON.stringify(value));
    return Buffer.concat([Buffer.from('2J'), u32(sequence), u32(payload.length), payload]);
  };
  const window = (count: number) => Buffer.concat([Buffer.from('2W'), u32(count)]);
  const compressed = (...frames: Buffer[]) => {
    const payload = deflateSync(Buffer.concat(frames));
    return Buffer.concat([Buffer.from('2C'), u32(payload.length), payload]);
  };
  const ack = async (socket: Socket) => (await once(socket, 'data'))[0] as Buffer;

  test('acknowledges a window after the queue has it', async () => {
    const { sink, port } = await start(beatsInput, local);
    const socket = await dial(port);
    const frames = Buffer.concat([
      window(2),
      compressed(
        json(1, {
          '@timestamp': '2026-01-02T03:04:05Z',
          message: 'a',
          '@metadata': { beat: 'filebeat', version: '8' },
        }),
        json(2, { message: 'b' }),
      ),
    ]);
    for (const byte of frames.subarray(0, 20)) socket.write(Buffer.from([byte]));
    socket.write(frames.subarray(20));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(2)]));
    expect(sink.messages()).toEqual(['a', 'b']);
    expect(sink.events[0]?.metadata.get('beat')).toBe('filebeat');
    expect(sink.events[0]?.metadata.get('ip_address')).toBe('127.0.0.1');
    expect(sink.events[0]?.hasTag('beats_input_codec_plain_applied')).toBe(true);
    expect(sink.events[0]?.timestamp?.toString()).toBe('2026-01-02T03:04:05.000Z');
    socket.write(Buffer.concat([window(1), json(3, { message: 'c' })]));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(3)]));
  });
  test('under ECS the sender is in the metadata', async () => {
    const { sink, port } = await start(beatsInput, { ...local, add_hostname: true }, { ecs: 'v8' });
    const socket = await dial(port);
    socket.write(Buffer.concat([window(1), json(1, { message: 'a', agent: { name: 'n' } })]));
    await ack(socket);
    expect(metadataOf(sink, '[input][beats][host]')).toEqual(
      new Map([
        ['ip', '127.0.0.1'],
        ['name', 'n'],
      ]),
    );
    expect(plainOf(sink)).toMatchObject({ message: 'a', event: { original: 'a' }, agent: { name: 'n' } });
    expect(sink.events[0]?.fields.has('host')).toBe(false);
  });
  test('does not acknowledge what the queue has not taken', async () => {
    const { sink, port } = await start(beatsInput, local);
    let open = (): void => undefined;
    let isOpen = false;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const socket = await dial(port);
    socket.write(Buffer.concat([window(1), json(1, { message: 'a' })]));
    const acknowledged = ack(socket).then(() => isOpen);
    await new Promise((resolve) => socket.write('', resolve));
    isOpen = true;
    sink.gate = null;
    open();
    expect(await acknowledged).toBe(true);
  });
  test('ends a connection that speaks something else', async () => {
    const { port } = await start(beatsInput, local);
    const socket = await dial(port);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
  });
});
