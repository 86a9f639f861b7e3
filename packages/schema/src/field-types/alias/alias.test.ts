import { describe, expect, test } from 'vitest';
import { mergeMapping, parseMapping } from '../../mapping/mapping-parser.ts';

const FIELDS = {
  n: { type: 'long' },
  t: { type: 'text', fields: { raw: { type: 'keyword' } } },
  o: { properties: { k: { type: 'keyword' } } },
};
const withAlias = (alias: object) => ({ properties: { ...FIELDS, a: { type: 'alias', ...alias } } });
const LIMITS = { totalFieldsLimit: 1_000, depthLimit: 20, fieldNameLengthLimit: 1_000, nestedFieldsLimit: 50 };

describe('an alias', () => {
  test.each(['n', 't', 't.raw', 'o.k'])('stands for the field %s', (path) => {
    const mapping = parseMapping(withAlias({ path }));
    expect(mapping.field('a')).toBe(mapping.field(path));
    expect(mapping.fields.has('a')).toBe(false);
    expect(mapping.json).toMatchObject({ properties: { a: { type: 'alias', path } } });
  });

  test.each([
    [{}, 'The [path] property must be specified for field [a].'],
    [{ path: 'n', foo: 1 }, 'unknown parameter [foo] on mapper [a] of type [alias]'],
    [{ path: 'n', fields: {} }, 'unknown parameter [fields] on mapper [a] of type [alias]'],
    [{ path: 'a' }, 'Invalid [path] value [a] for field alias [a]: an alias cannot refer to itself.'],
    [
      { path: 'x' },
      'Invalid [path] value [x] for field alias [a]: an alias must refer to an existing field in the mappings.',
    ],
    [
      { path: 'o' },
      'Invalid [path] value [o] for field alias [a]: an alias must refer to an existing field in the mappings.',
    ],
  ])('declared as %j is refused', (alias, reason) => {
    expect(() => parseMapping(withAlias(alias))).toThrow(reason);
  });

  test('of an alias is refused, and one in a multi-field', () => {
    const chain = { ...FIELDS, a: { type: 'alias', path: 'n' }, b: { type: 'alias', path: 'a' } };
    expect(() => parseMapping({ properties: chain })).toThrow('an alias cannot refer to another alias.');
    const multi = { k: { type: 'keyword', fields: { a: { type: 'alias', path: 'n' } } } };
    expect(() => parseMapping({ properties: multi })).toThrow('Type [alias] cannot be used in multi field');
  });

  test('may be pointed at another field, and is no field of values', () => {
    const current = withAlias({ path: 'n' });
    const moved = mergeMapping(current, { properties: { a: { type: 'alias', path: 'o.k' } } }, LIMITS);
    expect(parseMapping(moved).field('a')?.path).toBe('o.k');
    expect(() => mergeMapping(current, { properties: { a: { type: 'long' } } }, LIMITS)).toThrow(
      'Cannot merge a field alias mapping [a] with a mapping that is not for a field alias.',
    );
    expect(() => mergeMapping(current, { properties: { n: { type: 'alias', path: 'o.k' } } }, LIMITS)).toThrow(
      'mapper [n] cannot be changed from type [long] to [alias]',
    );
  });
});
