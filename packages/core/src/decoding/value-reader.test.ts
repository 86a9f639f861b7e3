import { describe, expect, test } from 'vitest';
import { isMalformedMessage, ValueReader } from './value-reader.ts';

const r = ValueReader.of({
  text: 'a',
  whole: 3,
  half: 0.5,
  big: 2n ** 60n,
  yes: true,
  items: [1, 2],
  inner: { name: 'x', list: ['a', 7] },
  nothing: null,
  bytes: new Uint8Array([1]),
});

describe('a reader', () => {
  test('returns what has the right type', () => {
    expect(r.string('text')).toBe('a');
    expect(r.integer('whole', 0, 3)).toBe(3);
    expect(r.number('half')).toBe(0.5);
    expect(r.bigint('big')).toBe(2n ** 60n);
    expect(r.bigint('whole')).toBe(3n);
    expect(r.boolean('yes')).toBe(true);
    expect(r.list('items', ValueReader.integerIn(0, 9), 2)).toEqual([1, 2]);
    expect(r.object('inner').string('name')).toBe('x');
    expect([...r.bytes('bytes')]).toEqual([1]);
    expect(r.oneOf('text', ['a', 'b'])).toBe('a');
    expect(r.optionalString('nothing')).toBeNull();
    expect(r.optionalString('missing')).toBeNull();
    expect(r.optionalObject('missing')).toBeNull();
  });

  test.each<[string, () => unknown]>([
    ['field [missing] of a transport message must be a string, got nothing', () => r.string('missing')],
    ['field [whole] of a transport message must be a string, got 3', () => r.string('whole')],
    ['field [whole] of a transport message must be an integer within 4..9, got 3', () => r.integer('whole', 4, 9)],
    ['field [half] of a transport message must be an integer within 0..9, got 0.5', () => r.integer('half', 0, 9)],
    ['field [items] of a transport message has [2] entries, at most [1] are read', () => r.list('items', (v) => v, 1)],
    [
      'field [inner.list[1]] of a transport message must be a string, got 7',
      () => r.object('inner').list('list', ValueReader.asString, 9),
    ],
    ['field [items] of a transport message must be a map, got a list of 2', () => r.object('items')],
    ['field [text] of a transport message must be one of [b], got "a"', () => r.oneOf('text', ['b'])],
    ['field [nothing] of a transport message must be a boolean, got null', () => r.boolean('nothing')],
    ['field [toString] of a transport message must be a string, got nothing', () => r.string('toString')],
  ])('refuses: %s', (message, read) => {
    let thrown: unknown;
    try {
      read();
    } catch (error) {
      thrown = error;
    }
    expect(isMalformedMessage(thrown)).toBe(true);
    expect((thrown as Error).message).toBe(message);
  });

  test('reads a map of any keys into one without a prototype', () => {
    const map = ValueReader.of({ m: { constructor: 1, a: 2 } }).map('m', ValueReader.asNumber, 2);
    expect(Object.entries(map)).toEqual([
      ['constructor', 1],
      ['a', 2],
    ]);
    expect(Object.getPrototypeOf(map)).toBeNull();
  });

  test.each([null, undefined, 1, 'x', [], new Uint8Array(1)])('is not made over %j', (value) => {
    expect(() => ValueReader.of(value)).toThrow('field [message] of a transport message must be a map');
  });
});
