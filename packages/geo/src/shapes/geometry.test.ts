import { writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { checkHeights, type Geometry, type GeometryReading } from './geometry.ts';
import { DOCUMENT_REFUSALS, REQUEST_REFUSALS } from './geometry-refusals.ts';
import { parseGeoJson } from './parse-geo-json.ts';
import { parseWellKnownText } from './parse-well-known-text.ts';
import { geoJsonOf, wellKnownTextOf } from './print-geometry.ts';
import { GLOBE_GRID } from './shape-grid.ts';
import { indexedParts, queriedParts } from './shape-parts.ts';

const READING: GeometryReading = { turnsRings: false, closesRings: false, ignoresZ: true, refusals: DOCUMENT_REFUSALS };
const REQUEST: GeometryReading = { ...READING, refusals: REQUEST_REFUSALS };

const text = (wkt: string, more: Partial<GeometryReading> = {}): Geometry =>
  parseWellKnownText(wkt, { ...READING, ...more });
const json = (geometry: object, more: Partial<GeometryReading> = {}): Geometry =>
  parseGeoJson(geometry, { ...READING, ...more });

/** Pieces of a geometry that is indexed, as lists of coordinates. */
function pieces(geometry: Geometry, isLeft = false): unknown {
  return indexedParts(geometry, { grid: GLOBE_GRID, isLeft }).map((part) => {
    if (part.kind === 'point') return [part.x, part.y];
    if (part.kind === 'line') return [...part.chain];
    return part.kind === 'area' ? part.rings.map((ring) => [...ring]) : part;
  });
}

describe('a geometry', () => {
  test.each([
    'POINT (1.0 2.0)',
    'POINT (1.0 2.0 3.5)',
    'MULTIPOINT (1.0 2.0, 3.0 4.0)',
    'LINESTRING (1.0 2.0, -3.0E-5 4.0)',
    'MULTILINESTRING ((1.0 2.0, 3.0 4.0),(5.0 6.0, 7.0 8.0))',
    'POLYGON ((0.0 0.0, 9.0 0.0, 9.0 9.0, 0.0 0.0), (5.0 1.0, 6.0 1.0, 6.0 2.0, 5.0 1.0))',
    'MULTIPOLYGON (((0.0 0.0, 9.0 0.0, 9.0 9.0, 0.0 0.0)),((0.0 0.0, 1.0 0.0, 1.0 1.0, 0.0 0.0)))',
    'GEOMETRYCOLLECTION (POINT (1.0 2.0),GEOMETRYCOLLECTION (BBOX (1.0, 2.0, 4.0, 3.0)))',
    'GEOMETRYCOLLECTION EMPTY',
    'CIRCLE (1.0 2.0 30.0)',
  ])('%s is read from and written as text and GeoJSON', (wkt) => {
    const geometry = text(wkt);
    expect(wellKnownTextOf(geometry)).toBe(wkt);
    if (wkt.includes('EMPTY')) return;
    expect(json(JSON.parse(writeJsonText(geoJsonOf(geometry))) as object)).toEqual(geometry);
  });

  test('may be written with other spaces, in lower case, and with a comment', () => {
    expect(text('  point( 1\t2 ) # here')).toEqual(text('POINT (1 2)'));
    expect(
      json({
        type: 'bbox',
        coordinates: [
          [1, 4],
          [2, 3],
        ],
      }),
    ).toEqual(text('BBOX (1, 2, 4, 3)'));
  });

  test('has its rings closed where that is wanted', () => {
    const open = 'POLYGON ((0 0, 1 0, 1 1))';
    expect(wellKnownTextOf(text(open, { closesRings: true }))).toBe('POLYGON ((0.0 0.0, 1.0 0.0, 1.0 1.0, 0.0 0.0))');
    expect(() => text(open)).toThrow('x[0]=0.0 x[2]=1.0 y[0]=0.0 y[2]=1.0');
  });

  test('turns the rings of another orientation', () => {
    const coordinates = [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ];
    const turned = json({ type: 'Polygon', coordinates, orientation: 'LEFT' });
    expect(wellKnownTextOf(turned)).toBe('POLYGON ((0.0 0.0, 1.0 1.0, 1.0 0.0, 0.0 0.0))');
  });

  test('has no height where heights are refused', () => {
    expect(() => checkHeights(text('LINESTRING (1 2 3, 4 5 6)'), { ...READING, ignoresZ: false })).toThrow(
      'found Z value [3.0] but [ignore_z_value] parameter is [false]',
    );
    expect(() => checkHeights(text('BBOX (1, 2, 4, 3)'), { ...READING, ignoresZ: false })).not.toThrow();
  });
});

describe('a refusal', () => {
  const short = [
    [
      [0, 0],
      [1, 0],
    ],
  ];
  test.each<[object, string, string]>([
    [{ coordinates: [1, 2] }, 'Required [type]', 'shape type not included'],
    [{ type: 'Point' }, 'coordinates not included', 'coordinates not included'],
    [
      { type: 'Blob', coordinates: [1, 2] },
      'No enum constant org.elasticsearch.geometry.ShapeType.BLOB',
      'unknown geo_shape [Blob]',
    ],
    [
      { type: 'Point', coordinates: [[1, 2]] },
      'expected a single points but got a list',
      'multipoint data provided when single point data expected.',
    ],
    [
      { type: 'LineString', coordinates: [[1, 2]] },
      'not enough points to build a line',
      'invalid number of points in LineString (found [1] - must be >= 2)',
    ],
    [
      { type: 'Polygon', coordinates: short },
      'first and last points of the linear ring',
      'invalid number of points in LinearRing (found [2] - must be >= 4)',
    ],
    [
      { type: 'MultiPoint', coordinates: [] },
      'the list of shapes cannot be null or empty',
      'no data provided for multipoint object',
    ],
    [
      { type: 'Point', coordinates: [1, 2], radius: '1m' },
      'parameter radius is not supported for type Point',
      'cannot have [radius] with type set to [point]',
    ],
    [{ type: 'Point', coordinates: ['x', 2] }, 'geo coordinates must be numbers', 'geo coordinates must be numbers'],
    [{ type: 'Point', coordinates: [1, 2, 3, 4] }, 'greater than 3 dimensions', 'greater than 3 dimensions'],
    [
      {
        type: 'envelope',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      'max y cannot be less than min x',
      'max y cannot be less than min x',
    ],
    [
      { type: 'Polygon', coordinates: short, orientation: 'up' },
      'Unknown orientation [up]',
      'Unknown orientation [up]',
    ],
  ])('of %j is worded for documents and for requests', (geometry, ofDocument, ofRequest) => {
    expect(reasonsOf(() => json(geometry))).toContain(ofDocument);
    expect(reasonsOf(() => json(geometry, REQUEST))).toContain(ofRequest);
  });

  test.each<[string, string]>([
    ['', 'expected word but found: END-OF-STREAM'],
    ['POINT (1)', "expected number but found: ')'"],
    ['POINT (a 1)', 'invalid number found: a'],
    ['POINT 1', 'expected EMPTY or ( but found: 1'],
    ['LINESTRING (1 2; 3 4)', "expected word but found: ';'"],
    ['LINESTRING (1 2 3, 3 4)', 'coordinate dimensions do not match'],
    ['LINESTRING (1 2)', 'at least two points in the line is required'],
    ['BLOB (1 2)', 'Unknown geometry type: blob'],
  ])('of the text %j', (wkt, reason) => expect(() => text(wkt)).toThrow(reason));

  test('of a request also says what stands behind the text', () => {
    expect(() => text('POINT (1 2) x', REQUEST)).toThrow('expected end of WKT string but found additional text: x');
    expect(() => text('CIRCLE (1 2 3)', REQUEST)).toThrow('Unknown geometry type: circle');
    expect(text('MULTIPOINT ((1 2), (3 4))', REQUEST)).toEqual(text('MULTIPOINT (1 2, 3 4)'));
  });

  test('of collections inside collections comes before the stack ends', () => {
    const deep = 1_500;
    expect(() => text(`${'GEOMETRYCOLLECTION ('.repeat(deep)}POINT (1 2)${')'.repeat(deep)}`)).toThrow(
      'depth greater than 1000',
    );
    let nested: object = { type: 'Point', coordinates: [1, 2] };
    for (let i = 0; i < deep; i++) nested = { type: 'GeometryCollection', geometries: [nested] };
    expect(() => json(nested, REQUEST)).toThrow('depth greater than 1000');
  });
});

function reasonsOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return JSON.stringify(error, ['message', 'reason', 'causedBy']);
  }
  return 'read';
}

describe('over the date line', () => {
  test('a line is cut where its longitudes go beyond', () => {
    expect(pieces(text('LINESTRING (170 0, 190 10)'))).toEqual([
      [170, 0, 180, 5],
      [-180, 5, -170, 10],
    ]);
    expect(pieces(text('LINESTRING (-170 0, 170 10)'))).toEqual([[-170, 0, 170, 10]]);
    expect(pieces(text('LINESTRING (0 0, 540 0)'))).toEqual([
      [0, 0, 180, 0],
      [-180, 0, 180, 0],
    ]);
  });

  test('an area is cut that is written against its orientation', () => {
    const clockwise = 'POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0))';
    expect(pieces(text(clockwise))).toEqual([
      [[180, 10, 170, 10, 170, 0, 180, 0, 180, 10]],
      [[-180, 0, -170, 0, -170, 10, -180, 10, -180, 0]],
    ]);
    expect(pieces(text(clockwise), true)).toHaveLength(1);
    const counterclockwise = 'POLYGON ((170 0, 170 10, -170 10, -170 0, 170 0))';
    expect(pieces(text(counterclockwise))).toHaveLength(1);
    expect(pieces(text(counterclockwise), true)).toHaveLength(2);
  });

  test('an area is cut where its longitudes go beyond, with the hole in the middle', () => {
    const around = 'POLYGON ((170 0, 190 0, 190 10, 170 10, 170 0), (175 2, 185 2, 185 8, 175 8, 175 2))';
    const found = indexedParts(text(around), { grid: GLOBE_GRID, isLeft: false });
    expect(found).toHaveLength(2);
    for (const part of found) expect(part.kind === 'area' && part.rings.length).toBe(1);
    const beside = 'POLYGON ((170 0, 190 0, 190 10, 170 10, 170 0), (182 2, 185 2, 185 8, 182 8, 182 2))';
    const counts = indexedParts(text(beside), { grid: GLOBE_GRID, isLeft: false }).map(
      (part) => part.kind === 'area' && part.rings.length,
    );
    expect(counts).toEqual([1, 2]);
  });

  test('an envelope is two boxes', () => {
    expect(queriedParts(text('BBOX (170, -170, 10, 0)'), GLOBE_GRID)).toEqual([
      { kind: 'box', west: 170, east: 180, south: 0, north: 10 },
      { kind: 'box', west: -180, east: -170, south: 0, north: 10 },
    ]);
  });

  test('a point of a document comes back onto the globe, one of a query is refused', () => {
    expect(pieces(text('POINT (200 95)'))).toEqual([[20, 85]]);
    expect(pieces(text('POINT (-180 0)'))).toEqual([[-180, 0]]);
    expect(() => queriedParts(text('POINT (200 0)'), GLOBE_GRID)).toThrow(
      'invalid longitude 200.0; must be between -180.0 and 180.0',
    );
  });
});

describe('what is no area', () => {
  test.each([
    ['POLYGON ((0 0, 1 1, 2 2, 0 0))', 'Cannot determine orientation: edges adjacent to (0.0,0.0) coincide'],
    [
      'POLYGON ((0 0, 9 0, 9 0, 9 9, 0 0))',
      'Provided shape has duplicate consecutive coordinates at: (POINT (9.0 0.0))',
    ],
    ['POLYGON ((0 0, 9 9, 9 0, 0 9, 0 0))', 'Unable to Tessellate shape. Possible malformed shape detected.'],
    ['POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (20 1, 21 1, 21 2, 20 1))', 'Invalid shape: Hole is not within polygon'],
    [
      'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 2 1, 2 20, 1 1))',
      'Unable to Tessellate shape. Possible malformed shape detected.',
    ],
    [
      'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (0 0, 9 0, 5 5, 0 0))',
      'interior cannot share more than one point with the exterior',
    ],
    ['BBOX (1, 1, 2, 0)', 'at least three non-collinear points required'],
    ['CIRCLE (1 2 3)', 'circle geometry is not supported'],
  ])('%s is not indexed', (wkt, reason) => {
    expect(() => pieces(text(wkt))).toThrow(reason);
  });

  test('is found quickly among many edges', () => {
    const corners = Array.from({ length: 60_000 }, (_, i) => `${(i / 60_000) * 90} ${i % 2 === 0 ? 10 : 10.0001}`);
    expect(pieces(text(`POLYGON ((0 0, 90 0, ${corners.toReversed().join(', ')}, 0 0))`))).toHaveLength(1);
  });
});
