/**
 * Part `numbers`: the numbers of each document, in the narrowest exact form.
 */
import { type ColumnPart, refsOfColumn, verifyColumnLayout } from '../columns/column-part.ts';
import { numberColumnLayout, readNumberColumn } from '../columns/number-column.ts';
import { type NumberColumnValues, writeNumberColumn } from '../columns/number-column-writer.ts';
import type { NumericColumn } from '../reader/segment-reader.ts';
import type { PartCodec } from './part-codec.ts';

export const NUMBERS_PART: PartCodec<NumberColumnValues, ColumnPart<NumericColumn>> = {
  version: 1,
  write: writeNumberColumn,
  read(from, { sections }) {
    const layout = numberColumnLayout(from);
    return { group: sections.group(refsOfColumn(layout), (loaded) => readNumberColumn(from.loaded(loaded))), layout };
  },
  verify: ({ layout }, docCount) => verifyColumnLayout(layout, docCount),
};
