/**
 * Merges of the kinds of parts: what the parts of one field in several segments become in one. Complete by its type: a kind
 * without a merge does not compile.
 */
import { assert } from '@shoal/core';
import { buildBoxTree } from '@shoal/geo';
import type { SpillFile } from '../../bytes/spill-file.ts';
import type { NumberColumnValues } from '../../format/columns/number-column-writer.ts';
import { ID_FIELD } from '../../format/metadata-fields.ts';
import type { PartListWriter } from '../../format/parts/part-list-writer.ts';
import { PART_KINDS, type PartContents, type PartKind } from '../../format/parts/part-registry.ts';
import type { ShapeColumnValues } from '../../format/reader/shape-column.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { pointEntries, shapeEntries } from '../seal/box-entries.ts';
import { NoKernelRoom } from '../seal/postings-job.ts';
import { mergeTermsByKernels } from './kernel-term-merge.ts';
import { mergeNorms, mergeNumbers, mergeOrdinals } from './merge-columns.ts';
import { mergeFilter } from './merge-filter.ts';
import { mergeShapes } from './merge-shapes.ts';
import type { FieldMerge, MergedTerms } from './merged-terms.ts';
import { mergeTerms } from './term-merge.ts';

/** Merge of one field, in the order of the parts: terms come before what is numbered by them. */
interface PartsMerge extends FieldMerge {
  readonly memory: SegmentMemory;
  /** Takes what is written side by side. */
  readonly spill: SpillFile;
  /** null before the terms were merged, or without any. */
  terms: MergedTerms | null;
  /** null before the numbers or shapes were merged, or without any. */
  numbers: NumberColumnValues | null;
  shapes: ShapeColumnValues | null;
}

/** null: the merged segment has no such part. Yields every millisecond or so. */
type PartMerge<Content> = (merge: PartsMerge) => Generator<void, Content | null>;

const PART_MERGES: { readonly [Kind in PartKind]: PartMerge<PartContents[Kind]> } = {
  *terms(merge) {
    if (!merge.inputs.some(({ segment }) => segment.parts(merge.field)?.terms != null)) return null;
    const terms = yield* mergedTerms(merge);
    assert(terms.docsWithTerms <= merge.docCount, `${terms.docsWithTerms} documents with terms of ${merge.docCount}`);
    merge.terms = terms;
    return { postings: terms.written, docCount: terms.docsWithTerms };
  },
  *ordinals(merge) {
    const { field, inputs, terms, hasOrdinals, spill } = merge;
    if (!hasOrdinals) return null;
    assert(terms !== null, `ordinals of field ${field} are merged without its terms`);
    yield;
    const columns = inputs.map(({ segment }) => segment.parts(field)?.ordinals ?? null);
    return yield* mergeOrdinals(merge, columns, terms, spill);
  },
  *numbers(merge) {
    merge.numbers = yield* mergeNumbers(merge, merge.spill);
    return merge.numbers;
  },
  *norms({ norms }) {
    yield;
    return norms;
  },
  *shapes(merge) {
    const columns = merge.inputs.map(({ segment }) => segment.shapes(merge.field));
    merge.shapes = yield* mergeShapes(columns, merge.docMaps, merge.docCount);
    return merge.shapes;
  },
  *boxes({ field, inputs, numbers, shapes }) {
    if (shapes !== null) return yield* buildBoxTree(shapeEntries(shapes));
    const hasBoxes = inputs.some(({ segment }) => segment.boxes(field) !== null);
    return hasBoxes && numbers !== null ? yield* buildBoxTree(pointEntries(numbers)) : null;
  },
  *filter(merge) {
    if (merge.field !== ID_FIELD) return null;
    assert(merge.terms !== null, `a filter of field ${merge.field} is merged without its terms`);
    return yield* mergeFilter(merge, merge.terms);
  },
};

/** Merges all parts of a field and writes them into `into`. */
export function* mergeFieldParts(
  merge: Omit<FieldMerge, 'norms' | 'hasOrdinals' | 'windowBytes'>,
  { memory, spill }: { readonly memory: SegmentMemory; readonly spill: SpillFile },
  into: PartListWriter,
): Generator<void, void> {
  const { field, inputs, docMaps, docCount } = merge;
  const parts = inputs.map(({ segment }) => segment.parts(field));
  const norms = parts.some((part) => part?.norms != null)
    ? mergeNorms(
        parts.map((part) => part?.norms ?? null),
        docMaps,
        docCount,
      )
    : null;
  const hasOrdinals = parts.some((part) => part?.ordinals != null);
  const windowBytes = memory.paging.mergeWindowBytes;
  const made = { terms: null, numbers: null, shapes: null };
  const state: PartsMerge = { ...merge, norms, hasOrdinals, windowBytes, memory, spill, ...made };
  for (const kind of PART_KINDS) yield* mergePart(kind, state, into);
  // Boxes are made of numbers that were written before.
  spill.clear();
}

function* mergePart<Kind extends PartKind>(kind: Kind, merge: PartsMerge, into: PartListWriter): Generator<void, void> {
  const content = yield* PART_MERGES[kind](merge);
  if (content !== null) yield* into.write(kind, content);
  yield;
}

function* mergedTerms(merge: PartsMerge): Generator<void, MergedTerms> {
  try {
    const steps = mergeTermsByKernels(merge, merge.memory.kernels, merge.spill);
    if (steps !== null) return yield* steps;
  } catch (error) {
    if (!(error instanceof NoKernelRoom)) throw error;
    merge.spill.clear();
  }
  return yield* mergeTerms(merge, merge.spill);
}
