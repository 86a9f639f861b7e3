import { describe, expect, test } from 'vitest';
import { parseMapping, renderMapping } from './mapping-parser.ts';
import { refuseUnsupported } from './refuse-unsupported.ts';

const mapping = (meta: unknown) => ({ properties: { f: { type: 'keyword', meta } } });

describe('meta of a field', () => {
  test.each([
    ['x', '[meta] must be an object, got String[x] for field [f]'],
    [[1], '[meta] must be an object, got ArrayList[[1]] for field [f]'],
    [{ a: '', b: '', c: '', d: '', e: '', f: '' }, "[meta] can't have more than 5 entries, but got 6 on field [f]"],
    [
      { abcdefghijklmnopqrstu: '' },
      "[meta] keys can't be longer than 20 chars, but got [abcdefghijklmnopqrstu] for field [f]",
    ],
    [{ a: null }, "[meta] values can't be null (field [f])"],
    [{ a: 3 }, '[meta] values can only be strings, but got Integer[3] for field [f]'],
    [{ a: { b: 1 } }, '[meta] values can only be strings, but got HashMap[{b=1}] for field [f]'],
    [{ a: 'x'.repeat(51) }, `[meta] values can't be longer than 50 chars, but got [${'x'.repeat(51)}] for field [f]`],
  ])('%j is refused in a new mapping, and stays where it is', (meta, reason) => {
    expect(() => refuseUnsupported(mapping(meta))).toThrow(reason);
    expect(renderMapping(parseMapping(mapping(meta)))).toEqual(mapping(meta));
  });

  test('is kept as it is written', () => {
    const meta = { unit: 'ms', metric_type: 'x'.repeat(50), abcdefghijklmnopqrst: '', c: 'd', e: 'f' };
    refuseUnsupported(mapping(meta));
    expect(renderMapping(parseMapping(mapping(meta)))).toEqual(mapping(meta));
  });
});
