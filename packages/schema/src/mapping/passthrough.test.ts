import { describe, expect, test } from 'vitest';
import { mergeMapping, parseMapping } from './mapping-parser.ts';

const KEYWORD = { type: 'keyword' };
const passing = (priority: number, properties?: object) => ({
  type: 'passthrough',
  priority,
  ...(properties && { properties }),
});

describe('a pass-through object', () => {
  test('has its fields named with and without it, dots and all', () => {
    const mapping = parseMapping({
      properties: { a: passing(1, { 'host.name': KEYWORD, os: { properties: { id: KEYWORD } } }) },
    });
    expect(mapping.json).toEqual({ properties: { a: passing(1, { 'host.name': KEYWORD, 'os.id': KEYWORD }) } });
    expect(['a.host.name', 'host.name', 'os.id'].map((name) => mapping.field(name)?.path)).toEqual([
      ...['a.host.name', 'a.host.name', 'a.os.id'],
    ]);
    expect([...mapping.named.keys()]).toEqual(['a.host.name', 'a.os.id']);
    expect(parseMapping(mapping.json).json).toEqual(mapping.json);
  });

  test('gives way to a field of such a name, and to an object of a higher priority', () => {
    const mapping = parseMapping({
      properties: {
        low: passing(1, { x: KEYWORD, y: KEYWORD, z: KEYWORD }),
        high: passing(7, { y: KEYWORD }),
        z: { type: 'long' },
        w: { type: 'alias', path: 'z' },
      },
    });
    expect(['x', 'y', 'z', 'w'].map((name) => mapping.field(name)?.path)).toEqual(['low.x', 'high.y', 'z', 'z']);
  });

  test('takes new fields and another priority, and stays what it is', () => {
    const before = { properties: { a: { ...passing(1, { x: KEYWORD }), dynamic: 'true' } } };
    expect(mergeMapping(before, { properties: { a: passing(2, { y: KEYWORD }) } })).toEqual({
      properties: { a: { ...passing(2, { x: KEYWORD, y: KEYWORD }), dynamic: 'true' } },
    });
    const other = { properties: { a: { properties: { y: KEYWORD } } } };
    expect(() => mergeMapping(before, other)).toThrow("can't merge a passthrough mapping [a] with one that is none");
    expect(() => mergeMapping(other, before)).toThrow("can't merge a passthrough mapping [a]");
  });

  test.each([
    [
      { a: { type: 'passthrough' } },
      'Pass-through object [a] is missing a non-negative value for parameter [priority]',
    ],
    [{ a: passing(-1) }, 'Pass-through object [a] is missing a non-negative value'],
    [{ a: passing(1), b: passing(1) }, 'Pass-through object [b] has a conflicting param [priority=1] with object [a]'],
    [{ a: passing(1, { b: passing(2) }) }, 'Tried to add passthrough object [b]'],
    [{ a: passing(1, { b: { type: 'nested' } }) }, 'Tried to add nested object [b]'],
    [
      { a: { ...passing(1), subobjects: true } },
      'Mapping definition for [a] has unsupported parameters:  [subobjects : true]',
    ],
  ])('is refused: %j', (properties, reason) => {
    expect(() => parseMapping({ properties })).toThrow(reason);
  });
});
