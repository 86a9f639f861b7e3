/**
 * Part `ordinals`: the values of each document, as numbers of the field's terms.
 */
import { DamagedBytes } from '@shoal/core';
import { type ColumnPart, refsOfColumn, verifyColumnLayout } from '../columns/column-part.ts';
import {
  FlatOrdinals,
  type OrdinalColumnValues,
  ordinalColumnLayout,
  writeOrdinalColumn,
} from '../columns/ordinal-column.ts';
import { PagedOrdinals } from '../columns/paged-ordinals.ts';
import type { PartCodec } from './part-codec.ts';

export interface OrdinalsView extends ColumnPart<FlatOrdinals> {
  /** Ordinals of single documents; null: the column is read whole. */
  readonly paged: PagedOrdinals | null;
}

export const ORDINALS_PART: PartCodec<OrdinalColumnValues, OrdinalsView> = {
  version: 1,
  write: writeOrdinalColumn,
  read(from, { sections, terms }) {
    if (terms === null) throw new DamagedBytes('ordinals without their values');
    const layout = ordinalColumnLayout(from);
    const group = sections.group(refsOfColumn(layout), (loaded) => new FlatOrdinals(from.loaded(loaded), terms));
    return { group, layout, paged: PagedOrdinals.of(layout, sections) };
  },
  verify: ({ layout }, docCount) => verifyColumnLayout(layout, docCount),
};
