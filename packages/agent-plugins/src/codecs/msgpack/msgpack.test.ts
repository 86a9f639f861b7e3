import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { messages, sample } from '../codec-text.test-support.ts';

describe('the msgpack codec', () => {
  test('what it writes it reads, wherever the stream is cut', () => {
    const codec = makeCodec('msgpack');
    const packed = Buffer.concat([codec.encode(sample()), codec.encode(sample())]);
    for (let cut = 1; cut < packed.length; cut++) {
      const decoder = codec.decoder();
      const events = [...decoder.decode(packed.subarray(0, cut)), ...decoder.decode(packed.subarray(cut))];
      expect(messages(events)).toEqual(['hello', 'hello']);
      expect(events[0]?.timestamp?.toString()).toBe('2026-01-02T03:04:05.678Z');
    }
  });
  test('tags what is no msgpack', () => {
    const decoder = makeCodec('msgpack').decoder();
    expect(decoder.decode(new Uint8Array([0xc1]))[0]?.hasTag('_msgpackparsefailure')).toBe(true);
  });
});
