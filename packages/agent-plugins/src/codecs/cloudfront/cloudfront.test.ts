import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { plain } from '../../filters/filter-outcome.test-support.ts';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { sample } from '../codec-text.test-support.ts';

const HEAD = '#Version: 1.0\n#Fields: date time c-ip  x-event\n';

describe('the cloudfront codec', () => {
  const decode = (text: string, options = {}) => {
    const decoder = makeCodec('cloudfront', options).decoder();
    const events = [...decoder.decode(gzipSync(Buffer.from(text, 'latin1'))), ...decoder.flush()];
    return events.map(plain);
  };

  test('gives an event a line, with what the head of the file says of all', () => {
    const head = { cloudfront_version: '1.0', cloudfront_fields: 'date time c-ip  x-event' };
    expect(decode(`${HEAD}2010-03-12\t23:51:20\n2010-03-12\t23:51:21`)).toEqual([
      { message: '2010-03-12\t23:51:20\n', ...head },
      { message: '2010-03-12\t23:51:21', ...head },
    ]);
    expect(decode(HEAD)).toEqual([]);
  });

  test('knows neither where the first two lines are others', () => {
    expect(decode('a #Version: 1.0\n#Fields: \n\xe9\n', { charset: 'ISO-8859-1' })).toEqual([
      { message: 'é\n', cloudfront_version: null, cloudfront_fields: null },
    ]);
  });

  test('does not write', () => {
    expect(() => makeCodec('cloudfront').encode(sample())).toThrow('only reads');
  });
});
