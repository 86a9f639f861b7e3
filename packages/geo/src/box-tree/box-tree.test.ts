import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoxRelation } from '../shapes/compared-part.ts';
import { BoxTree } from './box-tree.ts';
import { type BoxEntries, type BuiltBoxTree, buildBoxTree } from './build-box-tree.ts';

const step = fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.integer({ min: -50, max: 50 }));
type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];
const box: fc.Arbitrary<Box> = fc
  .tuple(step, step, step, step)
  .map(([a, b, c, d]) => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

function built(boxes: readonly Box[]): BuiltBoxTree {
  const side = (at: number): Int32Array => Int32Array.from(boxes, (each) => each[at] as number);
  const entries: BoxEntries = {
    docs: Uint32Array.from(boxes, (_, i) => i),
    minX: side(0),
    minY: side(1),
    maxX: side(2),
    maxY: side(3),
  };
  const steps = buildBoxTree(entries);
  for (let made = steps.next(); ; made = steps.next()) if (made.done === true) return made.value;
}

const areApart = (a: Box, b: Box): boolean => a[0] > b[2] || a[2] < b[0] || a[1] > b[3] || a[3] < b[1];
const isWithin = (a: Box, b: Box): boolean => a[0] >= b[0] && a[2] <= b[2] && a[1] >= b[1] && a[3] <= b[3];

function relationTo(sought: Box): (...at: Box) => BoxRelation {
  return (...at) => (areApart(at, sought) ? 'outside' : isWithin(at, sought) ? 'inside' : 'crosses');
}

describe('a tree of boxes', () => {
  test('hands on every box that is not outside, and calls inside only what is', () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 1_500, minLength: 1 }), box, (boxes, sought) => {
        const { docs, boxes: packed } = built(boxes);
        const found = new Set<number>();
        new BoxTree(docs, packed).search(relationTo(sought), (run, from, to, isInside) => {
          for (let i = from; i < to; i++) {
            const doc = run[i] as number;
            found.add(doc);
            if (isInside) expect(isWithin(boxes[doc] as Box, sought)).toBe(true);
          }
        });
        boxes.forEach((each, doc) => {
          if (!areApart(each, sought)) expect(found.has(doc)).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('looks at few of many that lie apart', () => {
    const side = 200;
    const boxes = Array.from({ length: side * side }, (_, i): Box => {
      const [x, y] = [(i % side) * 1_000, Math.floor(i / side) * 1_000];
      return [x, y, x, y];
    });
    const { docs, boxes: packed } = built(boxes);
    let seen = 0;
    new BoxTree(docs, packed).search(relationTo([50_000, 50_000, 52_000, 52_000]), (_, from, to) => {
      seen += to - from;
    });
    expect(seen).toBeGreaterThanOrEqual(9);
    expect(seen).toBeLessThan(1_000);
  });

  test('may be empty', () => {
    const { docs, boxes } = built([]);
    let isAsked = false;
    const relate = (): BoxRelation => {
      isAsked = true;
      return 'inside';
    };
    new BoxTree(docs, boxes).search(relate, () => {});
    expect(isAsked).toBe(false);
  });
});
