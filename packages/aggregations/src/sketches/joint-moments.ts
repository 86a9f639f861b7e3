/**
 * Moments of several variables that are measured together: means, central moments up to the fourth, and products of each two.
 *
 * Two sets of measurements are merged without looking at them again (P. Pébay, "Formulas for robust, one-pass parallel computation
 * of covariances and arbitrary-order statistical moments", 2008). One measurement is a set of its own.
 */
import { assert } from '@shoal/core';

export interface MomentSums {
  readonly count: number;
  readonly means: Float64Array;
  /** Sums of the squares, cubes and fourth powers of the distances from the mean. */
  readonly squares: Float64Array;
  readonly cubes: Float64Array;
  readonly fourths: Float64Array;
  /** Sums of the products of the distances of two variables, row by row; `width` × `width`. */
  readonly products: Float64Array;
}

export class JointMoments implements MomentSums {
  count = 0;
  readonly means: Float64Array;
  readonly squares: Float64Array;
  readonly cubes: Float64Array;
  readonly fourths: Float64Array;
  readonly products: Float64Array;
  readonly #deltas: Float64Array;

  constructor(width: number) {
    this.means = new Float64Array(width);
    this.squares = new Float64Array(width);
    this.cubes = new Float64Array(width);
    this.fourths = new Float64Array(width);
    this.products = new Float64Array(width * width);
    this.#deltas = new Float64Array(width);
  }

  get sizeBytes(): number {
    return 5 * this.means.byteLength + this.products.byteLength + 200;
  }

  /** One measurement of all variables. */
  add(values: Float64Array): void {
    this.#merge(1, values, null);
  }

  merge(other: MomentSums): void {
    assert(other.means.length === this.means.length, `${other.means.length} variables and ${this.means.length}`);
    if (other.count > 0) this.#merge(other.count, other.means, other);
  }

  /** @param sums null: all are 0, as those of one measurement are */
  #merge(otherCount: number, otherMeans: Float64Array, sums: MomentSums | null): void {
    const width = this.means.length;
    const deltas = this.#deltas;
    for (let i = 0; i < width; i++) deltas[i] = (otherMeans[i] as number) - (this.means[i] as number);
    const [a, b] = [this.count, otherCount];
    const all = a + b;
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) {
        const at = i * width + j;
        const joint = ((deltas[i] as number) * (deltas[j] as number) * a * b) / all;
        this.products[at] = (this.products[at] as number) + (sums?.products[at] ?? 0) + joint;
      }
    }
    for (let i = 0; i < width; i++) this.#mergeOne(i, { a, b, delta: deltas[i] as number }, sums);
    this.count = all;
  }

  #mergeOne(
    i: number,
    { a, b, delta }: { readonly a: number; readonly b: number; readonly delta: number },
    sums: MomentSums | null,
  ): void {
    const all = a + b;
    const [squareA, squareB] = [this.squares[i] as number, sums?.squares[i] ?? 0];
    const [cubeA, cubeB] = [this.cubes[i] as number, sums?.cubes[i] ?? 0];
    const fourths = (this.fourths[i] as number) + (sums?.fourths[i] ?? 0);
    this.fourths[i] =
      fourths +
      (delta ** 4 * a * b * (a * a - a * b + b * b)) / all ** 3 +
      (6 * delta ** 2 * (a * a * squareB + b * b * squareA)) / all ** 2 +
      (4 * delta * (a * cubeB - b * cubeA)) / all;
    this.cubes[i] =
      cubeA + cubeB + (delta ** 3 * a * b * (a - b)) / all ** 2 + (3 * delta * (a * squareB - b * squareA)) / all;
    this.squares[i] = squareA + squareB + (delta ** 2 * a * b) / all;
    this.means[i] = (this.means[i] as number) + (delta * b) / all;
  }
}
