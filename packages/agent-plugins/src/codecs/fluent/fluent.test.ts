import { gzipSync } from 'node:zlib';
import { type EventValue, type LogEvent, Timestamp } from '@shoal/agent-event';
import type { Codec } from '@shoal/agent-plugin-kit';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { CUT_OFF, MsgpackReader } from '../../msgpack/msgpack-reader.ts';
import { writeMsgpack } from '../../msgpack/msgpack-writer.ts';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { messages, sample } from '../codec-text.test-support.ts';

const pack = (value: EventValue): Buffer => Buffer.from(writeMsgpack(value));
const fields = (message: string): EventValue => new Map([['message', message]]);
const decode = (codec: Codec, ...chunks: readonly Uint8Array[]): LogEvent[] => {
  const decoder = codec.decoder();
  return [...chunks.flatMap((chunk) => [...decoder.decode(chunk)]), ...decoder.flush()];
};
const packedMode = (entries: Buffer, options?: EventValue): Buffer =>
  Buffer.concat([
    Buffer.from([options === undefined ? 0x92 : 0x93]),
    pack('app'),
    new Packr().pack(entries),
    ...(options === undefined ? [] : [pack(options)]),
  ]);
const entries = Buffer.concat([pack([1, fields('a')]), pack([2, fields('b')])]);

describe('the fluent codec reads', () => {
  test.each([
    ['a single event', Buffer.concat([pack(['app', 1, fields('a')]), pack(['app', 2, fields('b')])])],
    [
      'a list',
      pack([
        'app',
        [
          [1, fields('a')],
          [2, fields('b')],
        ],
      ]),
    ],
    ['packed events', packedMode(entries)],
    [
      'packed events as text',
      Buffer.concat([Buffer.from([0x92]), pack('app'), Buffer.from([0xd9, entries.length]), entries]),
    ],
    ['compressed events', packedMode(gzipSync(entries), new Map([['compressed', 'gzip']]))],
    [
      'two compressed pieces',
      packedMode(
        Buffer.concat([gzipSync(entries.subarray(0, 5)), gzipSync(entries.subarray(5))]),
        new Map([['compressed', 'gzip']]),
      ),
    ],
  ])('%s, wherever the stream is cut', (_what, bytes) => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const events = decode(makeCodec('fluent'), bytes.subarray(0, cut), bytes.subarray(cut));
      expect(messages(events)).toEqual(['a', 'b']);
      expect(events.map((event) => event.timestamp)).toEqual([new Timestamp(1000), new Timestamp(2000)]);
      expect(events.every((event) => event.hasTag('app'))).toBe(true);
    }
  });

  test('times with nanoseconds', () => {
    const time = Buffer.from('d7000000000100000002', 'hex');
    const bytes = Buffer.concat([Buffer.from([0x93]), pack('app'), time, pack(fields('a'))]);
    expect(decode(makeCodec('fluent'), bytes)[0]?.timestamp).toEqual(new Timestamp(1000, 2));
  });

  test('fields below a target', () => {
    const [event] = decode(makeCodec('fluent', { target: '[log]' }), pack(['app', 1, fields('a')]));
    expect(event?.fields.get('log')).toEqual(fields('a'));
  });

  test.each([
    ['a time that is text', pack(['app', 'then', fields('a')])],
    ['no fields', pack(['app', 1])],
    ['what is no message', pack(['app'])],
    ['what is not compressed', packedMode(entries, new Map([['compressed', 'gzip']]))],
    ['packed events that are cut off', packedMode(entries.subarray(0, -1))],
    ['no msgpack', Buffer.from([0xc1])],
  ])('%s as a failure', (_what, bytes) => {
    expect(decode(makeCodec('fluent'), bytes).map((event) => event.hasTag('_fluentparsefailure'))).toContain(true);
  });

  test('no noise without an end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        decode(makeCodec('fluent'), Buffer.concat([Buffer.from([0x93]), pack('app'), noise]));
      }),
    );
  });
});

describe('the fluent codec writes', () => {
  test('tag, seconds and fields', () => {
    const event = sample();
    event.tag('a');
    event.tag('b');
    expect(new MsgpackReader(makeCodec('fluent').encode(event)).next()).toEqual([
      'a.b',
      1_767_323_045,
      new Map<string, EventValue>([
        ['@timestamp', '2026-01-02T03:04:05.678Z'],
        ['@version', '1'],
        ['host', 'web'],
        ['message', 'hello'],
        ['tags', ['a', 'b']],
      ]),
    ]);
  });

  test('nanoseconds when told to, which it reads again', () => {
    const codec = makeCodec('fluent', { nanosecond_precision: true });
    const event = sample();
    event.timestamp = new Timestamp(1_767_323_045_678, 901_234);
    const [read] = decode(codec, codec.encode(event));
    expect(read?.timestamp).toEqual(event.timestamp);
    expect(read?.hasTag('log')).toBe(true);
    expect(new MsgpackReader(codec.encode(event).subarray(0, 3)).next()).toBe(CUT_OFF);
  });
});
