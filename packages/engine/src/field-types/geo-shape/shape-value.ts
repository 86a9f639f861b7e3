/**
 * A shape of a document: as it was given, and the words that the field keeps of it.
 */
import type { Geometry } from '@shoal/geo';
import { ComposedValue } from '../contract/indexed-value.ts';

export class ShapeValue extends ComposedValue {
  /** No term: shapes are found by their boxes. */
  readonly indexed = '';
  readonly geometry: Geometry;
  /** Parts of the shape, on the grid of its field; none of an empty one. */
  readonly words: Int32Array;

  constructor(geometry: Geometry, words: Int32Array) {
    super();
    this.geometry = geometry;
    this.words = words;
  }
}
