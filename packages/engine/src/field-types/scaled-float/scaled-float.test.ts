import { parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { exactProduct } from './exact-product.ts';

const MAPPING = {
  properties: {
    s: { type: 'scaled_float', scaling_factor: 100 },
    t: { type: 'scaled_float', scaling_factor: '10', coerce: false, null_value: 1.26 },
  },
};
const SOURCES = {
  a: '{"s":1.1,"t":null}',
  b: '{"s":"1.116"}',
  huge: '{"s":1e300}',
  many: '{"s":[0.005,0.015,0.025,-0.005,-0.015]}',
  none: '{"s":""}',
  low: '{"s":-1e300}',
};

function context() {
  return memoryContext(MAPPING, [Object.entries(SOURCES).map(([id, source]) => ({ id, source }))]);
}

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  const { ords } = await runQuery(searched, { query });
  return idsOf(searched, ords).sort();
}

describe('a scaled_float field', () => {
  test('keeps multiples of 1 / scaling_factor within 64 bits, halves up', () => {
    const column = context().searcher.views[0]?.segment.numericColumn('s');
    const values = Array.from({ length: 9 }, (_, at) => column?.value(at));
    expect(values).toEqual([1.1, 1.12, 2 ** 63 / 100, -0.01, 0, 0.01, 0.02, 0.03, -(2 ** 63) / 100]);
    expect(Object.is(values[4], 0)).toBe(true);
  });
  test.each([
    [{ term: { s: 1.1 } }, ['a']],
    [{ term: { s: '1.104' } }, ['a']],
    [{ term: { t: 1.26 } }, ['a']],
    [{ term: { t: 1.3 } }, ['a']],
    [{ range: { s: { gte: 1.1 } } }, ['a', 'b', 'huge']],
    [{ range: { s: { gt: 1.1 } } }, ['b', 'huge']],
    [{ range: { s: { gte: 1.101 } } }, ['b', 'huge']],
    [{ range: { s: { lt: '1.12' } } }, ['a', 'low', 'many']],
    [{ range: { s: { lte: 1.119 } } }, ['a', 'low', 'many']],
  ])('%j finds %j', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });
  test('ranges take the decimals as they are written', () => {
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(cents, (count) => {
        expect(exactProduct(count / 100, 100)).toBe(count);
        expect(exactProduct(count / 10_000, 10_000)).toBe(count);
      }),
    );
    expect([exactProduct(1e300, 1e300), exactProduct(0, 7), exactProduct(1e-300, 3)]).toEqual([
      Number.POSITIVE_INFINITY,
      0,
      3e-300,
    ]);
  });
  test.each([
    [{}, 'Failed to parse mapping: Field [scaling_factor] is required'],
    [{ scaling_factor: 0 }, 'Failed to parse mapping: [scaling_factor] must be a positive number, got [0.0]'],
    [{ scaling_factor: 'x' }, /For input string: "x"/],
  ])('is not declared with %j', (parameters, reason) => {
    expect(() => parseMapping({ properties: { s: { type: 'scaled_float', ...parameters } } })).toThrow(reason);
  });
});
