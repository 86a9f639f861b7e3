/**
 * Parts of one field in one segment; the sections of each are read when it is asked for.
 */

import type { BoxTree } from '@shoal/geo';
import type { FieldDiskBytes } from '@shoal/shard-api';
import type { FieldNorms } from '../columns/field-norms.ts';
import type { FlatOrdinals } from '../columns/ordinal-column.ts';
import type { PagedOrdinals } from '../columns/paged-ordinals.ts';
import type { SectionGroup } from '../container/segment-sections.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import type { ShapeColumn } from '../reader/shape-column.ts';
import type { FlatTerms } from '../terms/flat-terms.ts';
import type { TermFilter } from '../terms/term-filter.ts';
import type { PartKind, PartViews } from './part-registry.ts';

/** Bytes of the new number of a term. */
const ORDINAL_BYTES = 4;
/** Copies of starts that a merge has in memory: of the inputs, and of the new ones counts and starts. */
const STARTS_COPIES = 2;
/** Copies of shapes and of trees of boxes that a merge has in memory. */
const BOXES_COPIES = 3;

/** Parts of a field by their kind; without those that it does not have. */
export type FieldParts = { readonly [Kind in PartKind]?: PartViews[Kind] };

export class SegmentField {
  readonly terms: FlatTerms | null;
  /** null: the field has none, or an older program wrote the segment. */
  readonly filter: TermFilter | null;
  readonly ordinalsGroup: SectionGroup<FlatOrdinals> | null;
  private readonly pagedOrdinals: PagedOrdinals | null;
  readonly numbersGroup: SectionGroup<NumericColumn> | null;
  /** Bytes of the sections that say where the values of a document start. */
  private readonly startsBytes: number;
  /** null: the field has none. */
  readonly fieldNorms: FieldNorms | null;
  private readonly shapesGroup: SectionGroup<ShapeColumn> | null;
  private readonly boxesGroup: SectionGroup<BoxTree> | null;

  constructor({ terms, ordinals, numbers, norms, shapes, boxes, filter }: FieldParts) {
    this.terms = terms ?? null;
    this.filter = filter ?? null;
    this.ordinalsGroup = ordinals?.group ?? null;
    this.pagedOrdinals = ordinals?.paged ?? null;
    this.numbersGroup = numbers?.group ?? null;
    this.startsBytes = (ordinals?.layout.starts?.length ?? 0) + (numbers?.layout.starts?.length ?? 0);
    this.fieldNorms = norms ?? null;
    this.shapesGroup = shapes?.group ?? null;
    this.boxesGroup = boxes?.group ?? null;
  }

  /** Bytes of its sections in the file, by what they are for. */
  get lengthBytes(): Omit<FieldDiskBytes, 'name' | 'storedFields'> {
    const terms = (this.terms?.lengthBytes ?? 0) + (this.filter?.group.lengthBytes ?? 0);
    const isIndexed = this.terms?.hasPostings === true;
    const columns = [this.ordinalsGroup, this.numbersGroup, this.shapesGroup];
    return {
      invertedIndex: isIndexed ? terms : 0,
      docValues: columns.reduce((sum, group) => sum + (group?.lengthBytes ?? 0), isIndexed ? 0 : terms),
      points: this.boxesGroup?.lengthBytes ?? 0,
      norms: this.fieldNorms?.lengthBytes ?? 0,
    };
  }

  /** What a merge of the field has in memory of this segment, beside what it streams, in bytes: its columns, but not what comes of them. */
  get mergeBytes(): number {
    const { ordinalsGroup, numbersGroup, shapesGroup, boxesGroup, terms, filter } = this;
    const numbered = ordinalsGroup === null ? 0 : (terms?.size ?? 0) * ORDINAL_BYTES;
    const columns = (ordinalsGroup?.lengthBytes ?? 0) + (numbersGroup?.lengthBytes ?? 0);
    const boxes = (shapesGroup?.lengthBytes ?? 0) + (boxesGroup?.lengthBytes ?? 0);
    const starts = this.startsBytes * STARTS_COPIES;
    return columns + starts + numbered + (filter?.group.lengthBytes ?? 0) + boxes * BOXES_COPIES;
  }

  get ordinals(): FlatOrdinals | null {
    return this.ordinalsGroup?.get() ?? null;
  }

  /** The only value of a document, of a field in which each has one; null where the field has no column. A view, see `FlatTerms.term`. */
  onlyValue(doc: number): Uint8Array | null {
    const { pagedOrdinals, ordinalsGroup, terms } = this;
    if (pagedOrdinals?.isOfFile === true && ordinalsGroup?.isLoaded === false && terms !== null)
      return terms.term(pagedOrdinals.ordinal(doc));
    const { ordinals } = this;
    return ordinals === null ? null : ordinals.value(ordinals.ordinal(doc));
  }

  get numbers(): NumericColumn | null {
    return this.numbersGroup?.get() ?? null;
  }

  get shapes(): ShapeColumn | null {
    return this.shapesGroup?.get() ?? null;
  }

  get boxes(): BoxTree | null {
    return this.boxesGroup?.get() ?? null;
  }

  get norms(): Uint8Array | null {
    return this.fieldNorms?.get() ?? null;
  }
}
