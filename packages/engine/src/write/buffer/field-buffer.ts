/**
 * What a segment that is being written holds of one field.
 */

import type { Analyzer } from '@shoal/analysis';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import type { PostingsShape } from '../../format/postings/written-postings.ts';
import type { InvertedBuffer } from './inverted-buffer.ts';
import type { NumberColumnBuffer } from './number-column-buffer.ts';
import type { ShapeBuffer } from './shape-buffer.ts';

/** Terms without frequencies, positions or norms. */
export const DOCS_ONLY: PostingsShape = { hasFreqs: false, hasPositions: false, hasPostings: true };

export interface FieldBuffer {
  readonly inverted: InvertedBuffer | null;
  readonly numbers: NumberColumnBuffer | null;
  readonly hasOrdinals: boolean;
  /** Terms are looked up one at a time in every segment of a shard. */
  readonly hasFilter: boolean;
  /** Shapes as they came; null for fields of others. */
  readonly shapes: ShapeBuffer | null;
  /** The numbers are points, which get boxes around them. */
  readonly hasPoints: boolean;
  /** Field lengths by document, for norms; null without. */
  readonly lengths: Lengths | null;
  /** Analyzer of a text field. */
  readonly analyzer: Analyzer | null;
  /** Analyzer whose words are counted; null where the values of the column are those of documents. */
  readonly counter: Analyzer | null;
  /** Normalizer of whole values; null: they are terms as they are. */
  readonly normalizer: Analyzer | null;
  readonly positionGap: number;
  /** Tokens at the position of another one count in the length. */
  readonly countsOverlaps: boolean;
  /** Number of its path among the field names; -1 before its first value. */
  nameNumber: number;
  /** Document being added; -1 before the first. */
  doc: number;
  /** Last position in that document. */
  position: number;
  /** Tokens in that document. */
  length: number;
}

/** Lengths of the field in the documents that have it. */
export class Lengths {
  readonly docs: GrowableU32 = new GrowableU32();
  readonly lengths: GrowableU32 = new GrowableU32();
}

export function fieldBuffer(parts: Partial<FieldBuffer>): FieldBuffer {
  return {
    inverted: null,
    numbers: null,
    hasOrdinals: false,
    hasFilter: false,
    shapes: null,
    hasPoints: false,
    lengths: null,
    analyzer: null,
    counter: null,
    normalizer: null,
    nameNumber: -1,
    positionGap: 0,
    countsOverlaps: false,
    doc: -1,
    position: -1,
    length: 0,
    ...parts,
  };
}
