/**
 * Some entries of sort columns, in another order or with gaps, as columns of their own.
 */
import type { ShownBytes, SortColumn } from './sort-column.ts';

/** Entry i of the answer is entry `entries[i]` of the columns. */
export function pickColumns(columns: readonly SortColumn[], entries: Uint32Array): readonly SortColumn[] {
  return columns.map((column) => pickColumn(column, entries));
}

function pickColumn(column: SortColumn, entries: Uint32Array): SortColumn {
  switch (column.kind) {
    case 'score':
      return { kind: 'score', values: Float32Array.from(entries, (at) => column.values[at] ?? 0) };
    case 'bigint':
      return { kind: 'bigint', values: BigInt64Array.from(entries, (at) => column.values[at] ?? 0n) };
    case 'unsigned':
      return { kind: 'unsigned', values: BigUint64Array.from(entries, (at) => column.values[at] ?? 0n) };
    case 'string':
      return stringColumn(
        Array.from(entries, (at) =>
          column.missing[at] === 1 ? null : column.bytes.subarray(column.offsets[at], column.offsets[at + 1]),
        ),
        column.shown,
      );
    default:
      return { kind: column.kind, values: Float64Array.from(entries, (at) => column.values[at] ?? 0) };
  }
}

/** Texts as a column; null where there is none. */
export function stringColumn(
  values: readonly (Uint8Array | null)[],
  shown: ShownBytes = 'text',
): Extract<SortColumn, { kind: 'string' }> {
  const offsets = new Uint32Array(values.length + 1);
  const missing = new Uint8Array(values.length);
  for (const [i, value] of values.entries()) {
    if (value === null) missing[i] = 1;
    offsets[i + 1] = (offsets[i] ?? 0) + (value?.length ?? 0);
  }
  const bytes = new Uint8Array(offsets[values.length] ?? 0);
  for (const [i, value] of values.entries()) if (value !== null) bytes.set(value, offsets[i]);
  return { kind: 'string', shown, offsets, bytes, missing };
}
