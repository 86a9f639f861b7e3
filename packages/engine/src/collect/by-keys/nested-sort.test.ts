/** Sorts by values of nested objects, against the objects themselves. */
import { sortValueForHit } from '@shoal/shard-api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    o: { properties: { x: { type: 'long' } } },
    c: {
      type: 'nested',
      properties: {
        n: { type: 'long' },
        w: { type: 'long' },
        f: { type: 'double' },
        s: { type: 'keyword' },
        k: { type: 'nested', properties: { n: { type: 'long' }, s: { type: 'keyword' } } },
      },
    },
  },
};

interface Item {
  readonly n?: number | readonly number[];
  readonly s: string;
  readonly k: readonly { readonly n: number; readonly s: string }[];
}

const text = fc.constantFrom('a', 'b', 'c');
const item: fc.Arbitrary<Item> = fc.record(
  {
    n: fc.oneof(fc.nat(9), fc.array(fc.nat(9), { minLength: 1, maxLength: 2 })),
    s: text,
    k: fc.array(fc.record({ n: fc.nat(9), s: text }), { maxLength: 3 }),
  },
  { requiredKeys: ['s', 'k'] },
);
const documents = fc.array(fc.record({ c: fc.array(item, { maxLength: 4 }) }), { minLength: 1, maxLength: 12 });

function contextOf(docs: readonly object[]) {
  const all = docs.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }));
  const segments = [all.filter((_, i) => i % 3 === 0), all.filter((_, i) => i % 3 !== 0)];
  return memoryContext(
    MAPPING,
    segments.filter((list) => list.length > 0),
  );
}

async function sorted(docs: readonly object[], sort: object): Promise<readonly (readonly [string, unknown])[]> {
  const context = contextOf(docs);
  const { ords, columns } = await runQuery(context, { sort: [sort], size: 100 }, { topN: 100 });
  const [column] = columns;
  return idsOf(context, ords).map((id, i) => [id, column && sortValueForHit(column, i)]);
}

const numbers = ({ n }: Item): readonly number[] => (n === undefined ? [] : typeof n === 'number' ? [n] : n);
const MODES = {
  min: (values: readonly number[]) => Math.min(...values),
  max: (values: readonly number[]) => Math.max(...values),
  sum: (values: readonly number[]) => values.reduce((a, b) => a + b, 0),
  avg: (values: readonly number[]) => Math.round(values.reduce((a, b) => a + b, 0) / values.length),
};

describe('sorts by values of nested objects', () => {
  test('take the objects that pass the filter, up to a number of them', async () => {
    const mode = fc.constantFrom<keyof typeof MODES>('min', 'max', 'sum', 'avg');
    const children = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(documents, mode, text, children, async (docs, chosen, s, maxChildren) => {
        const nested = { path: 'c', filter: { term: { 'c.s': s } }, max_children: maxChildren };
        const shown = await sorted(docs, { 'c.n': { order: 'asc', mode: chosen, nested } });
        const wanted = new Map(
          docs.map(({ c }, i) => {
            const values = c.filter((one) => one.s === s && numbers(one).length > 0).slice(0, maxChildren);
            const all = values.flatMap((one) => [...numbers(one)].sort((a, b) => a - b));
            return [String(i), all.length === 0 ? 2 ** 63 : MODES[chosen](all)];
          }),
        );
        expect(new Map(shown.map(([id, value]) => [id, Number(value)]))).toEqual(wanted);
        const keys = shown.map(([, value]) => Number(value));
        expect(keys).toEqual([...keys].sort((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  test('go through objects inside objects', async () => {
    await fc.assert(
      fc.asyncProperty(documents, text, async (docs, s) => {
        const nested = { path: 'c', filter: { term: { 'c.s': s } }, nested: { path: 'c.k' } };
        const shown = await sorted(docs, { 'c.k.s': { order: 'desc', nested } });
        const wanted = new Map(
          docs.map(({ c }, i) => {
            const values = c.filter((one) => one.s === s).flatMap(({ k }) => k.map((inner) => inner.s));
            return [String(i), [...values].sort().at(-1) ?? null];
          }),
        );
        expect(new Map(shown)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  test('read numbers beyond 2^53 exactly', async () => {
    const docs = ['{"c":[{"w":9007199254740993},{"w":5}]}', '{"c":{"w":9007199254740992}}', '{}'];
    const all = docs.map((source, i) => ({ id: String(i), source }));
    const context = memoryContext(MAPPING, [all]);
    const sort = [{ 'c.w': { order: 'desc', nested: { path: 'c' } } }];
    const { ords, columns } = await runQuery(context, { sort });
    expect(idsOf(context, ords)).toEqual(['0', '1', '2']);
    const [column] = columns;
    expect(column && sortValueForHit(column, 0)).toBe(9007199254740993n);
  });

  test.each([
    ['sum', [9007199254740998n, 9007199254740992n, 9223372036854775807n]],
    ['avg', [4503599627370499n, 9007199254740992n, 9223372036854775807n]],
  ])('take the %s of numbers beyond 2^53', async (mode, wanted) => {
    const docs = ['{"c":[{"w":9007199254740993},{"w":5}]}', '{"c":{"w":9007199254740992}}', '{}'];
    const context = memoryContext(MAPPING, [docs.map((source, i) => ({ id: String(i), source }))]);
    const sort = [{ 'c.w': { mode, nested: { path: 'c' } } }];
    const { ords, columns } = await runQuery(context, { sort });
    const [column] = columns;
    const shown = idsOf(context, ords).map((id, i) => [id, column && BigInt(sortValueForHit(column, i) as number)]);
    expect(new Map(shown as [string, unknown][])).toEqual(new Map(wanted.map((value, i) => [String(i), value])));
    expect(shown.map(([, value]) => value)).toEqual([...wanted].sort((a, b) => (a < b ? -1 : 1)));
  });

  test.each([
    ['a path that is not there', { path: 'zz' }, 'failed to find nested object under path [zz]'],
    ['a path of plain objects', { path: 'o' }, '[nested] nested object under path [o] is not of nested type'],
    ['no object', 'c', "[field_sort] nested doesn't support values of type: VALUE_STRING"],
  ])('are refused with %s', async (_, nested, message) => {
    await expect(sorted([{}], { 'c.n': { nested } })).rejects.toThrow(message);
  });

  test.each([
    ['an unknown option', { path: 'c', foo: 1 }, 'malformed nested sort format, unknown field name [foo]'],
    ['no path', {}, '[path] is missing'],
  ])('are refused with %s, as the cause', async (_, nested, reason) => {
    await expect(sorted([{}], { 'c.n': { nested } })).rejects.toMatchObject({
      reason: expect.stringContaining('[field_sort] failed to parse field [nested]'),
      causedBy: { reason: expect.stringContaining(reason) },
    });
  });

  test('are refused with both forms of options, and by medians', async () => {
    const both = { 'c.n': { nested: { path: 'c' }, nested_path: 'c' } };
    await expect(sorted([{}], both)).rejects.toThrow('Setting both nested_path/nested_filter and nested not allowed');
    const median = { 'c.n': { mode: 'median', nested: { path: 'c' } } };
    await expect(sorted([{ c: [{ n: 1 }] }], median)).rejects.toThrow('[median]');
    await expect(
      sorted([{ c: [{ n: 1 }, { n: 3 }] }], { 'c.n': { nested_path: 'c', order: 'desc' } }),
    ).resolves.toEqual([['0', 3]]);
  });
});
