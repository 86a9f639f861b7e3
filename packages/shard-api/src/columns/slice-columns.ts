/**
 * A range of the entries of sort columns, as columns of their own.
 */
import type { SortColumn } from './sort-column.ts';

/** Entries from..to; numbers are views of the given columns. */
export function sliceColumns(columns: readonly SortColumn[], from: number, to: number): readonly SortColumn[] {
  return columns.map((column) => sliceColumn(column, from, to));
}

function sliceColumn(column: SortColumn, from: number, to: number): SortColumn {
  switch (column.kind) {
    case 'score':
      return { kind: 'score', values: column.values.subarray(from, to) };
    case 'bigint':
      return { kind: 'bigint', values: column.values.subarray(from, to) };
    case 'unsigned':
      return { kind: 'unsigned', values: column.values.subarray(from, to) };
    case 'string': {
      const start = column.offsets[from] ?? 0;
      const offsets = column.offsets.slice(from, to + 1).map((offset) => offset - start);
      const bytes = column.bytes.subarray(start, start + (offsets[offsets.length - 1] ?? 0));
      return { kind: 'string', shown: column.shown, offsets, bytes, missing: column.missing.subarray(from, to) };
    }
    default:
      return { kind: column.kind, values: column.values.subarray(from, to) };
  }
}
