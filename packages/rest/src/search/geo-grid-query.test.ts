/** The query `geo_grid` finds what the aggregations over grids count in a cell. */
import { beforeAll, describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const LATITUDES = [-90, -60.5, -45, -0.1, 0, 22.5, 45, 66.51326, 90];
const LONGITUDES = [-180, -90, -45.5, 0, 0.1, 90, 135, 179.9, 180];

describe('documents of a cell', () => {
  let node: TestNode;
  beforeAll(async () => {
    const mapping = { properties: { at: { type: 'geo_point' } } };
    node = testNode({ indices: [indexOf('lib', { mapping })] });
    const points = LATITUDES.flatMap((lat) => LONGITUDES.map((lon) => ({ at: { lat, lon } })));
    const docs = points.flatMap((doc, id) => [{ index: { _id: `${id}` } }, doc]);
    await node.ask('POST', '/lib/_bulk?refresh=true', lines(...docs));
  });

  test.each([
    ['geohash', 1],
    ['geohash', 3],
    ['geotile', 0],
    ['geotile', 1],
    ['geotile', 6],
  ])('of a %s grid of %i are as many as its aggregation counts', async (grid, precision) => {
    const size = 1_000;
    const counted = await node.ask('POST', '/lib/_search', {
      size: 0,
      aggs: { cells: { [`${grid}_grid`]: { field: 'at', precision, size } } },
    });
    const { buckets } = counted.json.aggregations.cells;
    expect(buckets.length).toBeGreaterThan(0);
    for (const { key, doc_count } of buckets) {
      const { json } = await node.ask('POST', '/lib/_count', { query: { geo_grid: { at: { [grid]: key } } } });
      expect([key, json.count]).toEqual([key, doc_count]);
    }
  });

  test.each([
    [{ at: { geohex: '811fbffffffffff' } }, 'of the grid [geohex] are not supported'],
    [{ at: { squares: 'a' } }, 'Invalid grid name [squares]'],
    [{ at: { geohash: 'a!' } }, 'unsupported symbol'],
    [{ at: { geotile: '1/9/9' } }, 'no tile of zoom 1'],
    [{ at: {} }, 'expected one grid'],
    [{}, 'required field and cell not provided'],
    [{ at: { geohash: 'u' }, other: { geohash: 'u' } }, "doesn't support multiple fields"],
    [{ at: { geohash: 'u' }, relation: 'within' }, 'unexpected field [relation]'],
    [{ nosuch: { geohash: 'u' } }, 'failed to find geo field [nosuch]'],
  ])('%j is refused', async (query, reason) => {
    const { status, text } = await node.ask('POST', '/lib/_search', { query: { geo_grid: query } });
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('of a field that is not mapped are none, where that may be', async () => {
    const query = { geo_grid: { nosuch: { geohash: 'u' }, ignore_unmapped: true } };
    expect((await node.ask('POST', '/lib/_count', { query })).json.count).toBe(0);
  });
});
