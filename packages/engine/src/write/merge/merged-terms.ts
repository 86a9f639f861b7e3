/**
 * Merging the terms of one field: what goes in and what comes out, whichever way it is done.
 */
import { assert } from '@shoal/core';
import type { WrittenPostings } from '../../format/postings/written-postings.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import type { DocMap, DocSources, MergeInput } from '../stored/doc-map.ts';

export interface FieldMerge {
  readonly field: string;
  readonly inputs: readonly MergeInput[];
  readonly docMaps: readonly DocMap[];
  /** Norm of each merged document; null where the field has none. */
  readonly norms: Uint8Array | null;
  readonly docCount: number;
  /** Source of each merged document; null: documents of an input follow those of the one before, in their order. */
  readonly sources: DocSources | null;
  /** New numbers of terms are asked for. */
  readonly hasOrdinals: boolean;
  /** Bytes of the windows of all inputs together. */
  readonly windowBytes: number;
}

export interface MergedTerms {
  readonly written: WrittenPostings;
  readonly docsWithTerms: number;
  /** New number of each term of each input, -1 where no live document has it; only where they were asked for. */
  readonly ordinalMaps: readonly Int32Array[];
}

/** Terms of each input; null where the segment has none. */
export function termsOf({ field, inputs }: FieldMerge): readonly (FlatTerms | null)[] {
  return inputs.map(({ segment }) => segment.parts(field)?.terms ?? null);
}

/** First terms there are: those of all inputs are of one field, and of one shape. */
export function anyOf(terms: readonly (FlatTerms | null)[]): FlatTerms {
  const any = terms.find((one) => one !== null);
  assert(any !== null && any !== undefined, 'a field without terms to merge');
  return any;
}

/** Values that live documents of input `i` have, where postings do not tell; null: all of them. */
export function usedTerms(merge: FieldMerge, i: number): Uint8Array | null {
  const column = merge.inputs[i]?.segment.parts(merge.field)?.ordinals ?? null;
  const numbers = merge.docMaps[i]?.numbers ?? null;
  if (column === null || numbers === null) return null;
  const used = new Uint8Array(column.valueCount);
  for (let doc = 0; doc < numbers.length; doc++) {
    if ((numbers[doc] as number) < 0) continue;
    for (let at = column.start(doc); at < column.start(doc + 1); at++) used[column.ordinal(at)] = 1;
  }
  return used;
}
