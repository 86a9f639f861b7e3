import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

describe('the json_lines codec', () => {
  test('reads and writes a line each', () => {
    const events = decodeAll(makeCodec('json_lines'), '{"a":1}\n{"a"', ':2}\n{"a":3}');
    expect(events.map((event) => event.fields.get('a'))).toEqual([1, 2, 3]);
    expect(textOf(makeCodec('json_lines'), sample()).endsWith('}\n')).toBe(true);
  });
  test('tags a line beyond the limit', () => {
    const [event] = decodeAll(makeCodec('json_lines', { decode_size_limit_bytes: 8 }), '{"abc":12345}\n');
    expect(event?.hasTag('_jsonparsetoobigfailure')).toBe(true);
  });
});
