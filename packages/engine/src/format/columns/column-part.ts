/**
 * Part of a field that is a column of values, as the directory describes it before anything of it is read.
 */
import { DamagedBytes } from '@shoal/core';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionGroup } from '../container/segment-sections.ts';

const START_BYTES = 4;

export interface ColumnLayout {
  /** Sections of the values, without that of the starts. */
  readonly values: readonly SectionRef[];
  /** Section of the starts; null: each document has exactly one value. */
  readonly starts: SectionRef | null;
  /** Bytes a value, over all sections; 0 where values are computed from their position. */
  readonly valueBytes: number;
  /** Values of the column; null: as many as the sections have room for. */
  readonly count: number | null;
}

/** A column and its layout; the column is read when it is asked for. */
export interface ColumnPart<Column> {
  readonly group: SectionGroup<Column>;
  readonly layout: ColumnLayout;
}

export function refsOfColumn({ values, starts }: ColumnLayout): readonly SectionRef[] {
  return starts === null ? values : [...values, starts];
}

/** Throws `DamagedBytes` when the sections are too short or too long for the documents of the segment. */
export function verifyColumnLayout({ values, starts, valueBytes, count }: ColumnLayout, docCount: number): void {
  const bytes = values.reduce((sum, { length }) => sum + length, 0);
  if (count !== null && bytes !== count * valueBytes)
    throw new DamagedBytes(`${count} values of ${valueBytes} bytes in sections of ${bytes} bytes`);
  if (starts !== null && starts.length !== (docCount + 1) * START_BYTES)
    throw new DamagedBytes(`starts of ${docCount} documents in a section of ${starts.length} bytes`);
  if (starts === null && (count ?? bytes / valueBytes) < docCount)
    throw new DamagedBytes(`${count ?? bytes} values or bytes for ${docCount} documents with one each`);
}
