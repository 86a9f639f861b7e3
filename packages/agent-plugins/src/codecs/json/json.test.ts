import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

describe('the json codec', () => {
  test('makes an event of an object and one of each item of an array', () => {
    expect(decodeAll(makeCodec('json'), '{"a":1}')[0]?.fields.get('a')).toBe(1);
    expect(decodeAll(makeCodec('json'), '[{"a":1},{"a":2}]').map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });
  test('tags what is no JSON', () => {
    const [event] = decodeAll(makeCodec('json'), '{"a":');
    expect(event?.fields.get('message')).toBe('{"a":');
    expect(event?.hasTag('_jsonparsefailure')).toBe(true);
  });
  test('puts the object below the target', () => {
    const [event] = decodeAll(makeCodec('json', { target: '[x]' }), '{"a":1}');
    expect(event?.fields.get('x')).toEqual(new Map([['a', 1]]));
  });
  test('writes no newline', () => {
    expect(JSON.parse(textOf(makeCodec('json'), sample()))).toMatchObject({ message: 'hello', '@version': '1' });
    expect(textOf(makeCodec('json'), sample())).not.toContain('\n');
  });
});
