/**
 * Values of places as entries of a box tree.
 */
import type { BoxEntries } from '@shoal/geo';
import { GLOBE_GRID, ShapeWords } from '@shoal/geo';
import type { NumberColumnValues } from '../../format/columns/number-column-writer.ts';
import type { ShapeColumnValues } from '../../format/reader/shape-column.ts';

const HIGH = 2 ** 32;
const HIGH_BITS = 32n;

/** Points of a column: the latitude is in the upper half of a number. */
export function pointEntries({ counts, values }: NumberColumnValues): BoxEntries {
  const docs = new Uint32Array(values.length);
  const x = new Int32Array(values.length);
  const y = new Int32Array(values.length);
  let at = 0;
  if (counts === null) for (let doc = 0; doc < docs.length; doc++) docs[doc] = doc;
  counts?.forEach((count, doc) => {
    for (let i = 0; i < count; i++) docs[at++] = doc;
  });
  let point = 0;
  for (const chunk of values.chunks()) {
    for (let i = 0; i < chunk.length; i++, point++) {
      const value = chunk[i] as number | bigint;
      y[point] = typeof value === 'bigint' ? Number(value >> HIGH_BITS) : Math.floor(value / HIGH);
      x[point] = typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value - Math.floor(value / HIGH) * HIGH;
    }
  }
  return { docs, minX: x, minY: y, maxX: x, maxY: y };
}

/** Parts of shapes; the sides of their boxes are steps of any grid. */
export function shapeEntries({ starts, words }: ShapeColumnValues): BoxEntries {
  const shapes = new ShapeWords(GLOBE_GRID);
  const sides: { readonly [Side in keyof BoxEntries]: number[] } = { docs: [], minX: [], minY: [], maxX: [], maxY: [] };
  for (let doc = 0; doc + 1 < starts.length; doc++) {
    shapes.open(words.subarray(starts[doc], starts[doc + 1]));
    while (shapes.step()) {
      sides.docs.push(doc);
      sides.minX.push(shapes.minX);
      sides.minY.push(shapes.minY);
      sides.maxX.push(shapes.maxX);
      sides.maxY.push(shapes.maxY);
    }
  }
  return {
    docs: Uint32Array.from(sides.docs),
    minX: Int32Array.from(sides.minX),
    minY: Int32Array.from(sides.minY),
    maxX: Int32Array.from(sides.maxX),
    maxY: Int32Array.from(sides.maxY),
  };
}
