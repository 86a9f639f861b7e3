/**
 * Parts of a shape: single points, lines and areas, in the coordinates that are indexed or compared.
 *
 * What crosses the date line is in pieces, none of which does.
 */

/** Coordinates of a chain of positions: x before y. */
export type Chain = Float64Array;

export type Corner = readonly [x: number, y: number];

/** Corners of a ring, without the last one, which is the first. */
export type Corners = readonly Corner[];

export type ShapePart =
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | { readonly kind: 'line'; readonly chain: Chain }
  /** The shell and its holes, each closed. */
  | { readonly kind: 'area'; readonly rings: readonly Chain[] }
  /** Sides are included; `west` is greater than `east` over the date line. */
  | {
      readonly kind: 'box';
      readonly west: number;
      readonly east: number;
      readonly south: number;
      readonly north: number;
    }
  | { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number };

/** Extent of one or more parts. */
export interface Extent {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function chainOf(points: readonly (readonly [number, number, ...unknown[]])[]): Chain {
  const chain = new Float64Array(points.length * 2);
  points.forEach(([x, y], i) => {
    chain[2 * i] = x;
    chain[2 * i + 1] = y;
  });
  return chain;
}

export function extentOfChains(chains: readonly Chain[]): Extent {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  for (const chain of chains) {
    for (let i = 0; i < chain.length; i += 2) {
      const x = chain[i] as number;
      const y = chain[i + 1] as number;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  return { minX, minY, maxX, maxY };
}
