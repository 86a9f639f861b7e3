import { expect, test } from 'vitest';
import { mergeMapping, parseMapping, renderMapping } from './mapping-parser.ts';

const LIMITS = { totalFieldsLimit: 1_000, depthLimit: 20, fieldNameLengthLimit: 1_000, nestedFieldsLimit: 50 };

test.each([
  [{ _source: { what: 1 } }, 'unknown parameter [what] on mapper [_source] of type [null]'],
  [{ _source: { enabled: 'x' } }, 'Failed to parse value [x] as only [true] or [false] are allowed.'],
  [{ _source: { includes: 'a' } }, 'class java.lang.String cannot be cast to class java.util.List'],
])('a mapping is refused: %j', (mapping, reason) => {
  expect(() => mergeMapping({}, mapping, LIMITS)).toThrow(reason);
});

test('the part that is kept never changes', () => {
  const disabled = { _source: { enabled: false }, properties: { a: { type: 'long' } } };
  expect(() => mergeMapping(disabled, { _source: { excludes: ['a'] } })).toThrow(
    'Mapper for [_source] conflicts with existing mapper:\n\tCannot update parameter [enabled] from [false] to [true]\n\tCannot update parameter [excludes] from [[]] to [[a]]',
  );
  expect(mergeMapping(disabled, { properties: { b: { type: 'long' } } })).toMatchObject({
    _source: { enabled: false },
  });
});

test('what says nothing is not printed', () => {
  expect(renderMapping(parseMapping(mergeMapping({}, { _source: { enabled: true, includes: [] } })))).toEqual({});
});
