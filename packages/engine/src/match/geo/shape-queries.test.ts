import {
  ComparedShape,
  DOCUMENT_REFUSALS,
  GLOBE_GRID,
  indexedParts,
  parseWellKnownText,
  queriedParts,
  type ShapeRelation,
  ShapeWords,
  writeShapeWords,
} from '@shoal/geo';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FlatSegment } from '../../format/flat-segment.ts';
import { idsOf, memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { mergeInMemory } from '../../write/merge/merge-in-memory.test-support.ts';

const MAPPING = {
  properties: {
    area: { type: 'geo_shape' },
    left: { type: 'geo_shape', orientation: 'cw' },
    closed: { type: 'geo_shape', coerce: true },
    hidden: { type: 'geo_shape', index: false },
    at: { type: 'geo_point' },
    flat: { type: 'shape' },
    spot: { type: 'point' },
    k: { type: 'keyword' },
  },
};

const READING = { turnsRings: false, closesRings: false, ignoresZ: true, refusals: DOCUMENT_REFUSALS };

/** A shape of a document, as text. */
const shape: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: -170, max: 170 }),
    fc.integer({ min: -80, max: 80 }),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(3),
  )
  .map(([x, y, size, form]) => {
    const [east, north] = [x + size, y + size];
    if (form === 0) return `POINT (${x} ${y})`;
    if (form === 1) return `LINESTRING (${x} ${y}, ${east} ${north})`;
    if (form === 2) return `BBOX (${x}, ${east}, ${north}, ${y})`;
    return `POLYGON ((${x} ${y}, ${east} ${y}, ${x} ${north}, ${x} ${y}))`;
  });

const sought = fc
  .tuple(
    fc.integer({ min: -180, max: 90 }),
    fc.integer({ min: -90, max: 0 }),
    fc.integer({ min: 1, max: 90 }),
    fc.boolean(),
  )
  .map(([x, y, size, isBox]) => {
    const [east, north] = [x + size, y + size];
    if (isBox) return `BBOX (${x}, ${east}, ${north}, ${y})`;
    return `POLYGON ((${x} ${y}, ${east} ${y}, ${east} ${north}, ${x} ${y}))`;
  });

/** Whether a document's shapes stand in the relation, without an index. */
function stands(shapes: readonly string[], query: string, relation: ShapeRelation): boolean {
  const words: number[] = [];
  for (const each of shapes) {
    const parts = indexedParts(parseWellKnownText(each, READING), { grid: GLOBE_GRID, isLeft: false });
    writeShapeWords(parts, GLOBE_GRID, words);
  }
  if (words.length === 0) return false;
  const compared = new ComparedShape(queriedParts(parseWellKnownText(query, READING), GLOBE_GRID), GLOBE_GRID);
  const walk = new ShapeWords(GLOBE_GRID);
  walk.open(Int32Array.from(words));
  return compared.test(relation, walk);
}

const RELATIONS: readonly ShapeRelation[] = ['intersects', 'disjoint', 'within', 'contains'];

type Searched = ReturnType<typeof memoryContext>;

async function found(searched: Searched, query: object): Promise<string[]> {
  return idsOf(searched, (await runQuery(searched, { query, size: 1_000 })).ords).sort();
}

function contextOf(docs: readonly object[], isDeleted: (id: string) => boolean = () => false): Searched {
  const sources = docs.map((doc, id) => ({ id: String(id), source: JSON.stringify(doc) }));
  const half = Math.ceil(sources.length / 2);
  const segments = [sources.slice(0, half), sources.slice(half)].filter(({ length }) => length > 0);
  return memoryContext(MAPPING, segments, isDeleted);
}

/** The same documents in one segment, deleted ones gone. */
function merged(searched: Searched): Searched {
  const inputs = searched.searcher.views.map(({ segment, liveDocs }) => ({
    segment: segment as FlatSegment,
    live: liveDocs,
  }));
  const segment = mergeInMemory('_m', inputs)?.segment;
  if (segment === undefined) throw new Error('nothing is left');
  const view = { segment, liveDocs: null, liveCount: segment.docCount, docBase: 0 };
  const { docCount } = segment;
  return { ...searched, searcher: { generation: 2, views: [view], maxDoc: docCount, liveCount: docCount } };
}

describe('documents with shapes', () => {
  test('are found by every relation as without an index, before and after a merge', async () => {
    const documents = fc.array(fc.array(shape, { maxLength: 3 }), { minLength: 2, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(documents, sought, async (docs, query) => {
        const searched = contextOf(
          docs.map((area) => ({ area })),
          (id) => id === '1',
        );
        for (const relation of RELATIONS) {
          const wanted = docs.flatMap((shapes, id) =>
            id !== 1 && stands(shapes, query, relation) ? [String(id)] : [],
          );
          const asked = { geo_shape: { area: { shape: query, relation } } };
          expect(await found(searched, asked)).toEqual(wanted.sort());
          expect(await found(merged(searched), asked)).toEqual(wanted);
        }
      }),
      { numRuns: 40 },
    );
  });

  const searched = contextOf([
    { area: 'BBOX (0, 10, 10, 0)', k: 'a' },
    { area: [{ type: 'Point', coordinates: [1, 1] }, 'LINESTRING (50 50, 60 60)'], k: 'a' },
    {
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [170, 0],
            [-170, 0],
            [-170, 10],
            [170, 10],
            [170, 0],
          ],
        ],
      },
    },
    {
      left: {
        type: 'Polygon',
        coordinates: [
          [
            [170, 0],
            [170, 10],
            [-170, 10],
            [-170, 0],
            [170, 0],
          ],
        ],
      },
    },
    { closed: 'POLYGON ((0 0, 1 0, 1 1))', hidden: 'POINT (1 1)' },
    {
      at: [
        [1, 1],
        [50, 50],
      ],
    },
    { at: { lat: 80, lon: 80 }, area: 'POINT EMPTY' },
  ]);
  const at = (field: string, wkt: string, more: object = {}) => ({ geo_shape: { [field]: { shape: wkt, ...more } } });

  test.each<[string, object, string[]]>([
    ['in a box', { geo_bounding_box: { area: { top: 2, left: 0.5, bottom: 0.5, right: 2 } } }, ['0', '1']],
    ['over the date line', { geo_bounding_box: { area: { top: 2, left: 175, bottom: 0.5, right: -175 } } }, ['2']],
    ['near a place', { geo_distance: { distance: '50km', area: '55,55.1' } }, ['1']],
    ['that exist', { exists: { field: 'area' } }, ['0', '1', '2', '6']],
    ['within a box, all of them', at('area', 'BBOX (-1, 11, 11, -1)', { relation: 'WITHIN' }), ['0']],
    ['over the date line, by their orientation', at('area', 'POINT (180 5)'), ['2']],
    ['over the date line, by the orientation of their field', at('left', 'POINT (-180 5)'), ['3']],
    ['that were closed', at('closed', 'POINT (0.9 0.1)'), ['4']],
    ['and a term', { bool: { must: [{ term: { k: 'a' } }, at('area', 'POINT (5 5)')] } }, ['0']],
    ['but not near', { bool: { must_not: [at('area', 'BBOX (-20, 70, 70, -20)')] } }, ['2', '3', '4', '5', '6']],
    ['as points', at('at', 'POLYGON ((0 0, 5 0, 5 5, 0 5, 0 0))'), ['5']],
    [
      'as points of a circle',
      { geo_shape: { at: { shape: { type: 'circle', coordinates: [80, 80], radius: '9km' } } } },
      ['6'],
    ],
    ['of no shape', at('area', 'GEOMETRYCOLLECTION EMPTY'), []],
    ['of a field that is not there', { geo_shape: { no: { shape: 'POINT (1 1)' }, ignore_unmapped: true } }, []],
  ])('%s', async (_, query, ids) => {
    expect(await found(searched, query)).toEqual(ids);
    expect(await found(merged(searched), query)).toEqual(ids);
  });

  test('score what the query says, and nothing where it says nothing', async () => {
    const scoreOf = async (boost: object) => {
      const query = { geo_shape: { area: { shape: 'POINT (5 5)' }, ...boost } };
      const { maxScore } = await runQuery(searched, { query });
      return maxScore;
    };
    expect(await scoreOf({})).toBe(0);
    expect(await scoreOf({ boost: 2.5 })).toBe(2.5);
  });

  test.each<[string, object, string]>([
    ['a keyword', at('k', 'POINT (1 1)'), 'Field [k] is of unsupported type [keyword] for [geo_shape] query'],
    ['no field', at('no', 'POINT (1 1)'), 'failed to find type for field [no]'],
    [
      'points within',
      at('at', 'BBOX (0, 1, 1, 0)', { relation: 'within' }),
      'WITHIN query relation not supported for Field [at].',
    ],
    [
      'points on a line',
      at('at', 'GEOMETRYCOLLECTION (LINESTRING (1 2, 3 4))'),
      'Field [at] does not support linestring queries',
    ],
    [
      'what is within a line',
      at('area', 'LINESTRING (1 2, 3 4)', { relation: 'within' }),
      'does not support WITHIN queries with line geometries',
    ],
    ['a place beyond the globe', at('area', 'POINT (1 91)'), 'invalid latitude 91.0'],
    [
      'the points of a polygon',
      { geo_polygon: { area: { points: ['1,1', '1,2', '2,2'] } } },
      'field [area] is not a geo_point field',
    ],
    ['a value', { term: { area: 'POINT (1 1)' } }, 'Geometry fields do not support exact searching'],
    ['a range', { range: { area: { gte: 1 } } }, 'Field [area] of type [geo_shape] does not support range queries'],
  ])('are not sought by %s', async (_, query, reason) => {
    await expect(found(searched, query)).rejects.toThrow(reason);
  });
});

describe('documents in a plane', () => {
  const searched = contextOf([
    { flat: 'POLYGON ((0 0, 4000 0, 4000 4000, 0 0))' },
    {
      flat: {
        type: 'envelope',
        coordinates: [
          [-1_000, 50],
          [-900, -50],
        ],
      },
    },
    { spot: { x: 3_000, y: 1_000 } },
    { spot: ['-950,0', [-950, 1e30]] },
    { spot: 'POINT (-1e-30 0)', flat: 'LINESTRING (1e6 0, 2e6 0)' },
  ]);
  const at = (field: string, wkt: string | object, relation = 'intersects') => ({
    shape: { [field]: { shape: wkt, relation } },
  });

  test.each<[string, object, string[]]>([
    ['around a point', at('flat', 'POINT (3000 1000)', 'contains'), ['0']],
    ['within a box', at('flat', 'BBOX (-2000, 0, 100, -100)', 'within'), ['1']],
    ['apart from a box', at('flat', 'BBOX (-2000, 0, 100, -100)', 'disjoint'), ['4']],
    ['as points of an area', at('spot', 'POLYGON ((0 0, 4000 0, 4000 4000, 0 0))'), ['2']],
    ['as points of a circle', at('spot', { type: 'circle', coordinates: [-950, 3], radius: '5m' }), ['3']],
    ['as points far away', at('spot', 'BBOX (-1000, 0, 2e30, 1e29)'), ['3']],
    ['as points very near', at('spot', 'BBOX (-1e-29, 0, 1, -1)'), ['4']],
  ])('%s', async (_, query, ids) => {
    expect(await found(searched, query)).toEqual(ids);
    expect(await found(merged(searched), query)).toEqual(ids);
  });

  test.each<[string, object, string]>([
    [
      'on the globe',
      { geo_shape: { flat: { shape: 'POINT (1 1)' } } },
      'Field [flat] is of unsupported type [shape] for [geo_shape] query',
    ],
    ['of the globe', at('area', 'POINT (1 1)'), 'Field [area] is of unsupported type [geo_shape] for [shape] query'],
    ['points on a point', at('spot', 'POINT (1 1)'), 'Field [spot] does not support point queries'],
    ['beyond what a float holds', at('flat', 'POINT (1e39 1)'), 'invalid value 1.0E39'],
  ])('are not sought %s', async (_, query, reason) => {
    await expect(found(searched, query)).rejects.toThrow(reason);
  });

  test.each([
    '1,2,3,4',
    'x,1',
    { x: 1 },
    { x: 1, y: 2, lat: 3 },
    [1],
    true,
    { x: 1e39, y: 0 },
    'LINESTRING (1 2, 3 4)',
  ])('have no point %j', (spot) =>
    expect(() => contextOf([{ spot }])).toThrow('failed to parse field [spot] of type [point]'),
  );
});
