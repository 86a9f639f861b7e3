import { once } from 'node:events';
import type { Socket } from 'node:net';
import { deflateSync } from 'node:zlib';
import { receivedMemory } from '@shoal/agent-plugin-kit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { testContext } from '../../plugin-instance.test-support.ts';
import { dial, local, metadataOf, plainOf, start } from '../input-under-test.test-support.ts';
import { beatsInput } from './beats.ts';
import { LumberjackReader } from './lumberjack.ts';

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

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
  test('reads the line of a forwarder, and a message that is no text, as text', async () => {
    const { sink, port } = await start(beatsInput, local);
    const socket = await dial(port);
    socket.write(Buffer.concat([window(3), json(1, { line: 'a' }), json(2, { message: 5 }), json(3, { metric: 1 })]));
    await ack(socket);
    expect(sink.messages()).toEqual(['a', '5', undefined]);
    expect(sink.events[0]?.fields.has('line')).toBe(false);
    expect(sink.events.map((event) => event.hasTag('beats_input_raw_event'))).toEqual([false, false, true]);
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
  test('ends a connection with compressed frames in compressed frames', async () => {
    const { sink, port } = await start(beatsInput, local);
    const socket = await dial(port);
    socket.write(Buffer.concat([window(1), compressed(compressed(json(1, { message: 'a' })))]));
    await once(socket, 'close');
    expect(sink.events).toEqual([]);
  });
  test('ends a connection with a compressed frame that is cut off within, and one that is not packed', async () => {
    const { sink, port } = await start(beatsInput, local);
    const cut = compressed(json(1, { message: 'a' }), json(2, { message: 'b' }).subarray(0, -1));
    const unpacked = Buffer.concat([Buffer.from('2C'), u32(4), Buffer.from('none')]);
    for (const bytes of [cut, unpacked]) {
      const socket = await dial(port);
      socket.write(Buffer.concat([window(3), bytes]));
      await once(socket, 'close');
    }
    expect(sink.events).toEqual([]);
  });
  test('takes more events in one compressed frame than a call has arguments, and what comes behind it', async () => {
    const { sink, port } = await start(beatsInput, local);
    const socket = await dial(port);
    const count = 150_000;
    const frames = Array.from({ length: count }, (_, i) => json(i + 1, { n: i }));
    socket.write(Buffer.concat([window(count + 1), compressed(Buffer.concat(frames)), json(count + 1, { n: count })]));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(count + 1)]));
    expect(sink.events.map((event) => event.fields.get('n'))).toEqual(Array.from({ length: count + 1 }, (_, i) => i));
  });
  test('gives a long window to the queue in parts, and acknowledges the whole', async () => {
    const { sink, port } = await start(beatsInput, local);
    const sizes: number[] = [];
    const push = sink.push.bind(sink);
    sink.push = (events) => {
      sizes.push(events.length);
      return push(events);
    };
    const socket = await dial(port);
    const count = 10_000;
    const frames = Array.from({ length: count }, (_, i) => json(i + 1, { message: `m${i}` }));
    socket.write(Buffer.concat([window(count), compressed(...frames)]));
    expect(await ack(socket)).toEqual(Buffer.concat([Buffer.from('2A'), u32(count)]));
    expect(sink.messages()).toEqual(Array.from({ length: count }, (_, i) => `m${i}`));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4_096);
  });
  test('lets others have their turn within a long window, also when the sender has gone', async () => {
    const { runtime } = testContext();
    let nowMs = 0;
    // Each look at the clock takes a millisecond.
    const clock = { ...runtime.clock, monotonicMs: () => nowMs++ };
    let turns = 0;
    const soon = (run: () => void): void => {
      turns++;
      runtime.sched.soon(run);
    };
    const sched = { ...runtime.sched, soon };
    const { sink, port } = await start(beatsInput, local, { runtime: { ...runtime, clock, sched } });
    const socket = await dial(port);
    const count = 1_000;
    const frames = Array.from({ length: count }, (_, i) => json(i + 1, { message: `m${i}` }));
    socket.end(Buffer.concat([window(count), compressed(...frames)]));
    await until(() => sink.events.length === count);
    expect(sink.messages()).toEqual(Array.from({ length: count }, (_, i) => `m${i}`));
    expect(turns).toBeGreaterThan(count / 10);
  });
  test('holds many senders back while what they all sent is too much, and loses and doubles nothing', async () => {
    const { runtime } = testContext();
    // A machine with little memory has 16 MiB for all connections together.
    const small = { ...runtime, machine: { ...runtime.machine, totalMemoryBytes: 0 } };
    const memory = receivedMemory(small);
    const { sink, port } = await start(beatsInput, local, { runtime: small });
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const [senders, count] = [12, 80];
    const text = 'x'.repeat(100_000);
    const acknowledged: Promise<Buffer>[] = [];
    for (let sender = 0; sender < senders; sender++) {
      const socket = await dial(port);
      acknowledged.push(ack(socket));
      const frames = Array.from({ length: count }, (_, n) => json(n + 1, { message: `${sender}/${n} ${text}` }));
      socket.write(Buffer.concat([window(count), ...frames]));
    }
    // Two connections alone send as much.
    await until(() => memory.bytes >= memory.bytesMax);
    for (let n = 0; n < 200; n++) await new Promise((resolve) => setImmediate(resolve));
    expect(memory.bytes).toBeLessThan(memory.bytesMax * 1.2);
    sink.gate = null;
    open();
    for (const one of await Promise.all(acknowledged))
      expect(one).toEqual(Buffer.concat([Buffer.from('2A'), u32(count)]));
    const names = sink.messages().map((message) => String(message).split(' ')[0]);
    const expected = Array.from({ length: senders }, (_, sender) =>
      Array.from({ length: count }, (_, n) => `${sender}/${n}`),
    ).flat();
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect(memory.bytes).toBe(0);
  });
  test('takes a long frame in small pieces, joined once', () => {
    const reader = new LumberjackReader();
    const text = 'x'.repeat(2_000_000);
    const pair = (name: string, value: string) => [
      u32(name.length),
      Buffer.from(name),
      u32(value.length),
      Buffer.from(value),
    ];
    const pairs = Buffer.concat([Buffer.from('1D'), u32(2), u32(2), ...pair('a', text), ...pair('b', 'c')]);
    const bytes = Buffer.concat([json(1, { message: text }), pairs]);
    const concat = vi.spyOn(Buffer, 'concat');
    onTestFinished(() => concat.mockRestore());
    const frames = [];
    for (let at = 0; at < bytes.length; at += 1_000) frames.push(...reader.push(bytes.subarray(at, at + 1_000)));
    expect(frames.map(({ kind }) => kind)).toEqual(['json', 'pairs']);
    expect(concat.mock.calls.length).toBeLessThan(20);
    expect(reader.pendingBytes).toBe(0);
  });
  test('ends a connection that speaks something else', async () => {
    const { port } = await start(beatsInput, local);
    const socket = await dial(port);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
  });
});
