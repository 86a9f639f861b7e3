import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterNestedSource, nestedSource } from './nested-source.ts';
import { valuesAtPath } from './values-at-path.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const cut = (source: string, ...steps: readonly (readonly [string, number])[]) => {
  const found = nestedSource(
    bytes(source),
    steps.map(([field, offset]) => ({ field, offset })),
  );
  return found === null ? null : Buffer.from(found).toString('utf8');
};

describe('the source of a nested object', () => {
  test('is the object as it was written', () => {
    const source = '{"t":"}{","c":[{"n":1.0},{"n":[1e2, {"k":{}}]}],"o":{"c":{"x":"\\"}"}}}';
    expect(cut(source, ['c', 0])).toBe('{"n":1.0}');
    expect(cut(source, ['c', 1])).toBe('{"n":[1e2, {"k":{}}]}');
    expect(cut(source, ['o.c', 0])).toBe('{"x":"\\"}"}');
    expect(cut(source, ['c', 1], ['n', 0])).toBe('{"k":{}}');
    expect(cut(source, ['c', 2])).toBeNull();
    expect(cut('{"c.n":1}', ['c', 0])).toBeNull();
  });

  test('is found where its values are found', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(
        fc.constantFrom('a', 'b', 'a.b', 'c'),
        fc.oneof({ maxDepth: 3 }, leaf, tie('tree'), fc.array(tie('tree'), { maxLength: 3 })),
        { maxKeys: 3 },
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom('a', 'a.b', 'c'), fc.nat(3), (source, path, offset) => {
        const objects = valuesAtPath(source, path).filter((value) => typeof value === 'object' && value !== null);
        const found = cut(JSON.stringify(source), [path, offset]);
        expect(found === null ? undefined : JSON.parse(found)).toEqual(objects[offset]);
      }),
    );
  });

  test('is filtered by patterns of the whole document', () => {
    const filter = (includes: readonly string[], excludes: readonly string[] = []) =>
      Buffer.from(filterNestedSource(bytes('{"x":1,"y":{"z":2}}'), 'c.k', { enabled: true, includes, excludes }));
    expect(filter([]).toString()).toBe('{"x":1,"y":{"z":2}}');
    expect(filter(['c.k.x']).toString()).toBe('{"x":1}');
    expect(filter(['c']).toString()).toBe('{"x":1,"y":{"z":2}}');
    expect(filter(['x']).toString()).toBe('{}');
    expect(filter(['c.*'], ['*.z']).toString()).toBe('{"x":1,"y":{}}');
  });
});
