import { describe, expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { h: { type: 'half_float' } } };

function context() {
  const sources = { tenth: '{"h":1.1}', largest: '{"h":"65504"}', small: '{"h":[2049,6e-8,1e-9]}', none: '{}' };
  return memoryContext(MAPPING, [Object.entries(sources).map(([id, source]) => ({ id, source }))]);
}

async function found(query: unknown): Promise<string[]> {
  const searched = context();
  const { ords } = await runQuery(searched, { query });
  return idsOf(searched, ords).sort();
}

describe('a half_float field', () => {
  test('keeps eleven bits', () => {
    const column = context().searcher.views[0]?.segment.numericColumn('h');
    expect([0, 1, 2, 3, 4].map((at) => column?.value(at))).toEqual([1.099609375, 65504, 0, 2 ** -24, 2048]);
  });
  test.each([
    [{ term: { h: 1.1 } }, ['tenth']],
    [{ term: { h: 2048 } }, ['small']],
    [{ range: { h: { gte: 1.1 } } }, ['largest', 'small', 'tenth']],
    [{ range: { h: { gt: 1.1 } } }, ['largest', 'small']],
    [{ range: { h: { lte: 1.1 } } }, ['small', 'tenth']],
    [{ range: { h: { gt: 2048 } } }, ['largest']],
    [{ range: { h: { lt: 6e-8 } } }, ['small']],
  ])('%j finds %j', async (query, ids) => {
    expect(await found(query)).toEqual(ids);
  });
  test.each([
    ['65520', '65520.0'],
    ['1e10', '1.0E10'],
    ['-1e300', '-Infinity'],
  ])('does not take %s', async (value, shown) => {
    const reason = `[half_float] supports only finite values, but got [${shown}]`;
    expect(() => memoryContext(MAPPING, [[{ id: '1', source: `{"h":${value}}` }]])).toThrow(
      expect.objectContaining({ causedBy: expect.objectContaining({ reason }) }),
    );
    await expect(found({ term: { h: Number(value) } })).rejects.toThrow(`failed to create query: ${reason}`);
  });
});
