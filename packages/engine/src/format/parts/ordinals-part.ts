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
import type { PartCodec } from './part-codec.ts';

export const ORDINALS_PART: PartCodec<OrdinalColumnValues, ColumnPart<FlatOrdinals>> = {
  version: 1,
  *write(content, into) {
    writeOrdinalColumn(content, into);
    yield;
  },
  read(from, { sections, terms }) {
    if (terms === null) throw new DamagedBytes('ordinals without their values');
    const layout = ordinalColumnLayout(from);
    const group = sections.group(refsOfColumn(layout), (loaded) => new FlatOrdinals(from.loaded(loaded), terms));
    return { group, layout };
  },
  verify: ({ layout }, docCount) => verifyColumnLayout(layout, docCount),
};
