import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCodec, testContext } from '../../plugin-instance.test-support.ts';
import { messages, sample } from '../codec-text.test-support.ts';

const packed = gzipSync('one\ntwo\nthree');

describe('the gzip_lines codec', () => {
  test('gives an event a line, wherever the stream is cut', () => {
    for (let cut = 0; cut <= packed.length; cut++) {
      const decoder = makeCodec('gzip_lines').decoder();
      const events = [...decoder.decode(packed.subarray(0, cut)), ...decoder.decode(packed.subarray(cut))];
      expect(messages([...events, ...decoder.flush()])).toEqual(['one\n', 'two\n', 'three']);
    }
  });

  test('reads another charset', () => {
    const decoder = makeCodec('gzip_lines', { charset: 'ISO-8859-1' }).decoder();
    expect(messages([...decoder.decode(gzipSync(Buffer.from([0xe9])))])).toEqual(['é']);
  });

  test('survives what is no gzip, and says so', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(packed.length - 1), (noise, cut) => {
        const context = testContext();
        const decoder = makeCodec('gzip_lines', {}, context).decoder();
        decoder.decode(Buffer.concat([packed.subarray(0, cut), noise]));
        decoder.flush();
        expect(messages([...decoder.decode(packed), ...decoder.flush()])).toHaveLength(3);
      }),
    );
    const context = testContext();
    makeCodec('gzip_lines', {}, context).decoder().decode(Buffer.from('plain text'));
    expect(context.counts.get('failures')).toBe(1);
  });

  test('does not write', () => {
    expect(() => makeCodec('gzip_lines').encode(sample())).toThrow('only reads');
  });
});
