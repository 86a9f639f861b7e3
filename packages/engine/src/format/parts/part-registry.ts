/**
 * Registry of the kinds of parts, in the order in which a field has them. The name of a kind is the one in the file.
 */

import type { BuiltBoxTree } from '@shoal/geo';
import type { ColumnPart } from '../columns/column-part.ts';
import type { FieldNorms } from '../columns/field-norms.ts';
import type { NumberColumnValues } from '../columns/number-column-writer.ts';
import type { OrdinalColumnValues } from '../columns/ordinal-column.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import type { ShapeColumnValues } from '../reader/shape-column.ts';
import type { FlatTerms } from '../terms/flat-terms.ts';
import type { TermFilter, TermFilterContent } from '../terms/term-filter.ts';
import { BOXES_PART, type BoxesView } from './boxes-part.ts';
import { FILTER_PART } from './filter-part.ts';
import { NORMS_PART } from './norms-part.ts';
import { NUMBERS_PART } from './numbers-part.ts';
import { ORDINALS_PART, type OrdinalsView } from './ordinals-part.ts';
import type { PartCodec } from './part-codec.ts';
import { SHAPES_PART, type ShapesView } from './shapes-part.ts';
import { TERMS_PART, type TermsContent } from './terms-part.ts';

/** What is written of each kind, and what a segment that was opened has of it. */
interface PartTypes {
  readonly terms: { readonly content: TermsContent; readonly view: FlatTerms };
  readonly ordinals: { readonly content: OrdinalColumnValues; readonly view: OrdinalsView };
  readonly numbers: { readonly content: NumberColumnValues; readonly view: ColumnPart<NumericColumn> };
  readonly norms: { readonly content: Uint8Array; readonly view: FieldNorms };
  readonly shapes: { readonly content: ShapeColumnValues; readonly view: ShapesView };
  readonly boxes: { readonly content: BuiltBoxTree; readonly view: BoxesView };
  readonly filter: { readonly content: TermFilterContent; readonly view: TermFilter };
}

export type PartKind = keyof PartTypes;
export type PartContents = { readonly [Kind in PartKind]: PartTypes[Kind]['content'] };
export type PartViews = { readonly [Kind in PartKind]: PartTypes[Kind]['view'] };

export const PART_CODECS: { readonly [Kind in PartKind]: PartCodec<PartContents[Kind], PartViews[Kind]> } = {
  terms: TERMS_PART,
  ordinals: ORDINALS_PART,
  numbers: NUMBERS_PART,
  norms: NORMS_PART,
  shapes: SHAPES_PART,
  boxes: BOXES_PART,
  filter: FILTER_PART,
};

export function isPartKind(name: string): name is PartKind {
  return Object.hasOwn(PART_CODECS, name);
}

/** Kinds in the order in which a field has them: terms before what is numbered by them, values before the boxes around them. */
export const PART_KINDS: readonly PartKind[] = Object.keys(PART_CODECS).filter(isPartKind);
