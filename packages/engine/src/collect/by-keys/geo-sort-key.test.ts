import { expect, test } from 'vitest';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { at: { type: 'geo_point' }, k: { type: 'keyword' } } };
const AT = ['[0,1]', '[[0,3],[0,10]]', '[]', '[0,-2]'];

async function sorted(options: object, rest: object = {}) {
  const docs = AT.map((at, id) => ({ id: String(id), source: `{"at":${at}}` }));
  const searched = memoryContext(MAPPING, [docs.slice(0, 2), docs.slice(2)]);
  const { ords } = await runQuery(searched, { sort: [{ _geo_distance: options }], ...rest });
  return idsOf(searched, ords);
}

test('hits come by the distance of their points, those without any last', async () => {
  expect(await sorted({ at: [0, 0] })).toEqual(['0', '3', '1', '2']);
  expect(await sorted({ at: [0, 0], order: 'desc' })).toEqual(['2', '1', '3', '0']);
});

test.each([
  ['min', ['1', '0', '3', '2']],
  ['max', ['0', '3', '1', '2']],
  ['avg', ['1', '0', '3', '2']],
  ['median', ['1', '0', '3', '2']],
])('mode %s says which of several distances counts', async (mode, ids) => {
  // From 3.5 degrees north: 2.5; 0.5 and 6.5; none; 5.5.
  const shifted = { at: mode === 'max' ? { lat: 3.5, lon: 0 } : { lat: 6.6, lon: 0 }, mode };
  expect(await sorted(shifted)).toEqual(ids);
});

test('a cursor is a distance in the unit of the request', async () => {
  const options = { at: '0,0', unit: 'km' };
  expect(await sorted(options, { search_after: [112] })).toEqual(['3', '1', '2']);
  expect(await sorted(options, { search_after: ['Infinity'] })).toEqual([]);
  await expect(sorted(options, { search_after: ['far'] })).rejects.toThrow('Failed to parse search_after value');
});

test.each([
  [{ q: [0, 0] }, 'failed to find mapper for [q] for geo distance based sort'],
  [{ k: [0, 0] }, 'does not hold points'],
  [{ at: [0, 500] }, 'illegal latitude value [500.0] for [GeoDistanceSort] for field [at].'],
  [{ at: [0, 0], mode: 'sum' }, "sort_mode [sum] isn't supported for sorting by geo distance"],
  [{ at: [0, 0], missing: 1 }, '[_geo_distance] does not support [missing]'],
  [{ at: [0, 0], unit: 'foo' }, 'No distance unit match [foo]'],
  [{ unit: 'km' }, 'Geo distance sorting needs at least one point.'],
])('%j is refused', async (options, reason) => {
  await expect(sorted(options)).rejects.toThrow(reason);
});

test('a field that is not mapped may be ignored', async () => {
  expect(await sorted({ q: [0, 0], ignore_unmapped: true })).toHaveLength(AT.length);
});
