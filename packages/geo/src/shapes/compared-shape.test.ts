import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ComparedShape, type ShapeRelation } from './compared-shape.ts';
import { GLOBE_GRID, PLANE_GRID } from './shape-grid.ts';
import { type Corner, chainOf, type ShapePart } from './shape-part.ts';
import { ShapeWords, writeShapeWords } from './shape-words.ts';

const RELATIONS: readonly ShapeRelation[] = ['intersects', 'disjoint', 'within', 'contains'];

function relations(document: readonly ShapePart[], query: readonly ShapePart[], grid = GLOBE_GRID): ShapeRelation[] {
  const words: number[] = [];
  writeShapeWords(document, grid, words);
  const shape = new ComparedShape(query, grid);
  return RELATIONS.filter((relation) => {
    const shapes = new ShapeWords(grid);
    shapes.open(Int32Array.from(words));
    return shape.test(relation, shapes);
  });
}

function area(...rings: readonly (readonly Corner[])[]): ShapePart {
  return { kind: 'area', rings: rings.map((ring) => chainOf([...ring, ring[0] as Corner])) };
}

function square(x: number, y: number, half: number): readonly Corner[] {
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
}

const point = (x: number, y: number): ShapePart => ({ kind: 'point', x, y });
const line = (...points: readonly Corner[]): ShapePart => ({ kind: 'line', chain: chainOf(points) });
const box = (west: number, east: number, south: number, north: number): ShapePart => ({
  kind: 'box',
  west,
  east,
  south,
  north,
});

/** Corners that the grid of the globe has exactly, so that edges touch where they are meant to. */
const UNIT = 5.625;

describe('a shape of a document', () => {
  test.each<[string, readonly ShapePart[], readonly ShapePart[], readonly ShapeRelation[]]>([
    ['a point within an area', [point(1, 1)], [area(square(0, 0, 5))], ['intersects', 'within']],
    ['a point in a hole', [point(0, 0)], [area(square(0, 0, 5), square(0, 0, 1))], ['disjoint']],
    ['a point on the edge', [point(UNIT, 0)], [area(square(0, 0, UNIT))], ['intersects', 'within']],
    ['an area around a point', [area(square(0, 0, 5))], [point(1, 1)], ['intersects', 'contains']],
    ['an area with a hole around a point', [area(square(0, 0, 5), square(0, 0, 2))], [point(1, 1)], ['disjoint']],
    ['an area within another', [area(square(0, 0, 1))], [area(square(0, 0, 5))], ['intersects', 'within']],
    ['an area around another', [area(square(0, 0, 5))], [area(square(0, 0, 1))], ['intersects', 'contains']],
    ['an area that fills a hole', [area(square(0, 0, 1))], [area(square(0, 0, 5), square(0, 0, 2))], ['disjoint']],
    ['an area over a hole', [area(square(0, 0, 3))], [area(square(0, 0, 5), square(0, 0, 2))], ['intersects']],
    ['an area that crosses', [area(square(0, 0, 2))], [area(square(3, 0, 2))], ['intersects']],
    ['an area that touches', [area(square(0, 0, UNIT))], [area(square(2 * UNIT, 0, UNIT))], ['intersects']],
    ['areas far apart', [area(square(0, 0, 1))], [area(square(9, 0, 1))], ['disjoint']],
    ['a line within a box', [line([0, 0], [1, 1])], [box(-5, 5, -5, 5)], ['intersects', 'within']],
    ['a line through a box', [line([-9, 0], [9, 1])], [box(-5, 5, -5, 5)], ['intersects']],
    ['a line past the corner of a box', [line([0, 8], [8, 0])], [box(-3, 3, -3, 3)], ['disjoint']],
    ['an area around a line', [area(square(0, 0, 5))], [line([0, 0], [1, 1])], ['intersects', 'contains']],
    ['a crossing line', [line([0, -1], [0, 1])], [line([-1, 0], [1, 0])], ['intersects']],
    ['one of two parts', [point(0, 0), point(9, 9)], [box(-1, 1, -1, 1)], ['intersects']],
    [
      'two parts in two boxes',
      [point(0, 0), point(9, 9)],
      [box(-1, 1, -1, 1), box(8, 10, 8, 10)],
      ['intersects', 'within'],
    ],
    ['all of two points', [area(square(0, 0, 5))], [point(1, 1), point(2, 2)], ['intersects', 'contains']],
    ['one of two points', [area(square(0, 0, 5))], [point(1, 1), point(9, 9)], ['intersects']],
    ['a point in a circle', [point(0, 1)], [{ kind: 'circle', x: 0, y: 0, radius: 120_000 }], ['intersects', 'within']],
    [
      'an area around a circle',
      [area(square(0, 0, 5))],
      [{ kind: 'circle', x: 0, y: 0, radius: 9_000 }],
      ['intersects', 'contains'],
    ],
    [
      'an area whose edge a circle meets',
      [area(square(0, 0, 5))],
      [{ kind: 'circle', x: 5, y: 0, radius: 9_000 }],
      ['intersects'],
    ],
  ])('%s', (_, document, query, expected) => {
    expect(relations(document, query)).toEqual(expected);
  });

  test('in a plane goes beyond the globe', () => {
    const circle: ShapePart = { kind: 'circle', x: 1_000, y: 0, radius: 50 };
    expect(relations([area(square(1_000, 0, 500))], [circle], PLANE_GRID)).toEqual(['intersects', 'contains']);
    expect(relations([point(1_040, 20)], [circle], PLANE_GRID)).toEqual(['intersects', 'within']);
    expect(relations([point(1_040, 40)], [circle], PLANE_GRID)).toEqual(['disjoint']);
  });
});

/** Coordinates as whole numbers: exact in a plane, so that a twin may compute with them exactly. */
const corner: fc.Arbitrary<Corner> = fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 }));

/** Corners around a middle at growing angles: an area whose edges do not cross. */
const ring: fc.Arbitrary<readonly Corner[]> = fc
  .tuple(corner, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 8, maxLength: 8 }))
  .map(([[x, y], reaches]) => {
    const ways = [
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
      [0, -1],
      [1, -1],
    ] as const;
    return ways.map(([dx, dy], i): Corner => [x + dx * (reaches[i] as number), y + dy * (reaches[i] as number)]);
  });

function edgesOf(corners: readonly Corner[]): readonly (readonly [Corner, Corner])[] {
  return corners.map((from, i) => [from, corners[(i + 1) % corners.length] as Corner]);
}

const turn = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
const isBetween = (a: number, b: number, c: number): boolean => Math.min(a, b) <= c && c <= Math.max(a, b);
const isOn = (a: Corner, b: Corner, c: Corner): boolean =>
  turn(a, b, c) === 0 && isBetween(a[0], b[0], c[0]) && isBetween(a[1], b[1], c[1]);

function meet(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  if (isOn(a, b, c) || isOn(a, b, d) || isOn(c, d, a) || isOn(c, d, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/** Winding number: how often the ring goes around the point. */
function holds(corners: readonly Corner[], at: Corner): boolean {
  let winding = 0;
  for (const [a, b] of edgesOf(corners)) {
    if (isOn(a, b, at)) return true;
    if (a[1] <= at[1] && b[1] > at[1] && turn(a, b, at) > 0) winding++;
    if (a[1] > at[1] && b[1] <= at[1] && turn(a, b, at) < 0) winding--;
  }
  return winding !== 0;
}

describe('two areas', () => {
  test('have points in common as the twin says that looks at every pair of edges', () => {
    fc.assert(
      fc.property(ring, ring, (a, b) => {
        const isMet = edgesOf(a).some(([p, q]) => edgesOf(b).some(([r, s]) => meet(p, q, r, s)));
        const isHeld = holds(b, a[0] as Corner);
        const holdsOther = holds(a, b[0] as Corner);
        const found = relations([area(a)], [area(b)], PLANE_GRID);
        expect(found.includes('intersects')).toBe(isMet || isHeld || holdsOther);
        expect(found.includes('disjoint')).toBe(!found.includes('intersects'));
        expect(found.includes('contains')).toBe(!isMet && holdsOther);
        if (!isMet) expect(found.includes('within')).toBe(isHeld);
        if (found.includes('within')) expect(a.every((at) => holds(b, at))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('and a line have points in common as the twin says', () => {
    fc.assert(
      fc.property(ring, fc.uniqueArray(corner, { minLength: 2, maxLength: 4, selector: String }), (a, points) => {
        const segments = points.slice(1).map((to, i) => [points[i] as Corner, to] as const);
        const isMet = segments.some(([r, s]) => edgesOf(a).some(([p, q]) => meet(p, q, r, s)));
        const isHeld = holds(a, points[0] as Corner);
        const asQuery = relations([area(a)], [line(...points)], PLANE_GRID);
        expect(asQuery.includes('intersects')).toBe(isMet || isHeld);
        expect(asQuery.includes('contains')).toBe(!isMet && isHeld);
        const asDocument = relations([line(...points)], [area(a)], PLANE_GRID);
        expect(asDocument.includes('intersects')).toBe(isMet || isHeld);
        if (!isMet) expect(asDocument.includes('within')).toBe(isHeld);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a box', () => {
  test('is inside or outside of a shape only where all of it is', () => {
    const side = fc.integer({ min: -10, max: 10 });
    fc.assert(
      fc.property(
        fc.array(ring, { minLength: 1, maxLength: 2 }),
        side,
        side,
        fc.nat(4),
        fc.nat(4),
        (rings, x, y, width, height) => {
          const shape = new ComparedShape(
            rings.map((each) => area(each)),
            PLANE_GRID,
          );
          const relation = shape.relate({ minX: x, minY: y, maxX: x + width, maxY: y + height });
          for (let dx = 0; dx <= width; dx += 0.5) {
            for (let dy = 0; dy <= height; dy += 0.5) {
              const isIn = rings.some((each) => holds(each, [x + dx, y + dy]));
              if (relation !== 'crosses') expect(isIn).toBe(relation === 'inside');
            }
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
