import { createSocket } from 'node:dgram';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeInput, type OptionsLiteral, testContext } from '../../plugin-instance.test-support.ts';
import { dial, local, start } from '../input-under-test.test-support.ts';
import { gelfInput } from './gelf.ts';

/** Sends each datagram after the one before has left. */
async function send(port: number, datagrams: readonly Uint8Array[]): Promise<void> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  for (const datagram of datagrams) {
    await new Promise<void>((resolve, reject) =>
      socket.send(datagram, port, '127.0.0.1', (error) => (error === null ? resolve() : reject(error))),
    );
  }
}

function message(text: string): Buffer {
  return Buffer.from(JSON.stringify({ version: '1.1', host: 'web', short_message: text }));
}

function chunked(whole: Buffer, size: number): Buffer[] {
  const count = Math.ceil(whole.length / size);
  return Array.from({ length: count }, (_, i) =>
    Buffer.concat([
      Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, i, count]),
      whole.subarray(i * size, (i + 1) * size),
    ]),
  );
}

describe('the gelf input over UDP', () => {
  test('takes messages as they are, compressed, and in chunks', async () => {
    const { sink, port } = await start(gelfInput, local);
    const large = 'abcdefghij'.repeat(500);
    await send(port, [
      message('plain'),
      gzipSync(message('gzip')),
      ...[1, 6, 9].map((level) => deflateSync(message(`zlib ${level}`), { level })),
      ...chunked(message(large), 1_000).reverse(),
      ...chunked(gzipSync(message('packed in chunks')), 20),
    ]);
    await sink.until(7);
    expect(sink.messages()).toEqual(['plain', 'gzip', 'zlib 1', 'zlib 6', 'zlib 9', large, 'packed in chunks']);
    expect(sink.events[0]?.fields.get('source_host')).toBe('127.0.0.1');
    expect(sink.events[0]?.fields.get('host')).toBe('web');
  });

  test('what cannot be unpacked is counted, and others go on', async () => {
    const { sink, port, context } = await start(gelfInput, local);
    const bomb = gzipSync(Buffer.alloc(16 * 1024 * 1024));
    await send(port, [
      new Uint8Array(0),
      Buffer.from([0x1f, 0x8b, 1, 2]),
      Buffer.from([0x78, 0x9c, 0xff]),
      bomb,
      Buffer.from([0x1e, 0x0f, 0]),
      // A chunk inside of a chunk is no message.
      ...chunked(Buffer.concat(chunked(message('inner'), 1_000)), 1_000),
      message('after'),
    ]);
    await sink.until(2);
    expect(sink.messages().at(-1)).toBe('after');
    expect(sink.events[0]?.fields.get('tags')).toEqual(['_jsonparsefailure']);
    expect(Object.fromEntries(context.counts)).toEqual({ decode_failures: 3, dropped_chunks: 1 });
  });

  test('what waits for a full queue is bounded', async () => {
    const { sink, port, context } = await start(gelfInput, local);
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    // Eight thousand bytes that unpack to eight million: nine of them are more than may wait.
    const large = gzipSync(message('x'.repeat(8_000_000)));
    for (let i = 0; i < 12; i++) await send(port, [large]);
    await expect.poll(() => context.counts.get('dropped') ?? 0).toBeGreaterThan(0);
    sink.gate = null;
    open();
    await sink.until(8);
    expect(sink.events.length).toBeLessThan(12);
  });
});

describe('the gelf input over TCP', () => {
  test('takes messages that end with a null byte, and the last without one', async () => {
    const { sink, port } = await start(gelfInput, { ...local, use_tcp: true, use_udp: false });
    const socket = await dial(port);
    const second = message('two');
    socket.write(Buffer.concat([message('one'), Buffer.from([0, 0]), second.subarray(0, 7)]));
    await sink.until(1);
    socket.end(Buffer.concat([second.subarray(7), Buffer.from([0]), message('three')]));
    await sink.until(3);
    expect(sink.messages()).toEqual(['one', 'two', 'three']);
    expect(sink.events[0]?.fields.get('source_host')).toBe('127.0.0.1');
  });

  test('works beside UDP, each on its port', async () => {
    const ports: number[] = [];
    const { metrics } = testContext();
    const { sink } = await start(
      gelfInput,
      { host: '127.0.0.1', port_tcp: 0, port_udp: 0, use_tcp: true },
      { metrics: { ...metrics, gauge: (_name, value) => void ports.push(Number(value)) } },
    );
    const [tcp = 0, udp = 0] = ports;
    (await dial(tcp)).end(message('tcp'));
    await sink.until(1);
    await send(udp, [message('udp')]);
    await sink.until(2);
    expect(sink.messages()).toEqual(['tcp', 'udp']);
  });
});

test('the gelf input listens to something', () => {
  const make = (options: OptionsLiteral) => makeInput(gelfInput, options, testContext());
  expect(() => make({ use_udp: false })).toThrow('one of [use_udp] and [use_tcp] must be true');
});
