import { inflateRawSync } from 'node:zlib';
import { ShoalError, type Steps } from '@shoal/core';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { readPlainObject } from '../json/plain-json.ts';
import { packState } from './packed-state.test-support.ts';
import { packStateInSteps, unpackState } from './state-bytes.ts';

const json = fc.jsonValue({ noUnicodeString: true, maxDepth: 3 });
const lists = fc.array(json, { minLength: 0, maxLength: 70 });
const state = fc.record({
  term: fc.nat(),
  none: fc.constant(null),
  indices: lists,
  diff: fc.record({ put: lists, removed: fc.array(fc.string()), deep: fc.record({ put: fc.record({ put: lists }) }) }),
  many: fc.dictionary(fc.string({ maxLength: 4 }), json, { maxKeys: 40, noNullPrototype: true }),
});

function largeState(indices: number) {
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`field-${i}`, { type: 'keyword' }]));
  return {
    version: 7,
    indices: Array.from({ length: indices }, (_, i) => ({ name: `index-${i}`, mapping: { properties } })),
  };
}

/** Result of the steps, and how many there were. */
function counted<T>(steps: Steps<T>): { readonly value: T; readonly steps: number } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, steps: count };
  }
}

describe('a packed state', () => {
  test('is what msgpack writes in one piece, and reads as it was', () => {
    fc.assert(
      fc.property(state, (value) => {
        const packed = packState(value);
        const whole = new Packr({ useRecords: false }).unpack(inflateRawSync(packed)) as unknown;
        expect(whole).toEqual(value);
        expect(unpackState(packed)).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });

  test('takes more steps, not longer ones, with the number of indices', () => {
    const few = counted(packStateInSteps(largeState(10)));
    const many = counted(packStateInSteps(largeState(5_000)));
    expect(few.steps).toBeLessThan(10);
    const rawBytes = inflateRawSync(many.value).length;
    // A step packs some tens of kilobytes, or compresses 128.
    expect(rawBytes / many.steps).toBeLessThan(100_000);
    expect(unpackState(many.value)).toEqual(largeState(5_000));
  });

  test('with lists of every size of head reads as it was', () => {
    for (const length of [0, 15, 16, 17, 65_535, 65_536]) {
      const value = { list: new Array<number>(length).fill(1) };
      expect(unpackState(packState(value))).toEqual(value);
    }
  });
});

describe('free-form JSON of another node', () => {
  const copyOf = (value: unknown) => readPlainObject(value, 'mapping');
  const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

  test('is copied, keys that mean something to a program included', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"constructor":[1,null,"t",true,{"b":{}}]}');
    const copy = copyOf(value);
    expect(copy).toEqual(value);
    expect(Object.keys(copy)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  test.each<[string, unknown, string]>([
    ['bytes', { a: [{ b: new Uint8Array(1) }] }, 'field [mapping.a[0].b] of a transport message must be a JSON value'],
    ['nothing', { a: undefined }, 'field [mapping.a] of a transport message must be a JSON value'],
    ['a list', [], 'field [mapping] of a transport message must be a map'],
    ['too deep', nested(65), 'must be a document of depth 64 at most'],
  ])('is refused where it holds %s', (_, value, reason) => {
    expect(() => copyOf(value)).toThrow(ShoalError);
    expect(() => copyOf(value)).toThrow(reason);
  });

  test('is as deep as the limit', () => {
    expect(copyOf(nested(64))).toEqual(nested(64));
  });
});
