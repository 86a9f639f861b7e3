/**
 * Sort columns one behind the other. Pieces may differ in kind where their values do: longs within 2^53 and beyond, or
 * numbers beside the texts that other shards have.
 */
import { columnLength, type ShownBytes, type SortColumn } from './sort-column.ts';
import { wholeColumn } from './whole-column.ts';

/** The pieces in order; all have equally many columns. */
export function joinColumns(pieces: readonly (readonly SortColumn[])[]): readonly SortColumn[] {
  const [first] = pieces;
  if (first === undefined || pieces.length === 1) return first ?? [];
  return first.map((_, k) => joinColumn(pieces.flatMap((columns) => columns[k] ?? [])));
}

function joinColumn(pieces: readonly SortColumn[]): SortColumn {
  const kinds = new Set(pieces.filter((piece) => columnLength(piece) > 0).map(({ kind }) => kind));
  if (kinds.has('string')) return joinStrings(pieces);
  if (kinds.has('bigint') || kinds.has('unsigned')) return wholeColumn(pieces.flatMap(numbersOf));
  const numbers = pieces.flatMap((piece) => numbersOf(piece).map(Number));
  if (kinds.has('score')) return { kind: 'score', values: Float32Array.from(numbers) };
  return { kind: kinds.has('double') ? 'double' : 'integer', values: Float64Array.from(numbers) };
}

function numbersOf(column: SortColumn): readonly (number | bigint)[] {
  return column.kind === 'string' ? [] : Array.from<number | bigint>(column.values);
}

/** One form for entries of several columns: addresses tell themselves apart from texts by their length, versions by a mark. */
export function shownOf(pieces: readonly SortColumn[]): ShownBytes {
  for (const piece of pieces) if (piece.kind === 'string' && piece.shown !== 'text') return piece.shown;
  return 'text';
}

function joinStrings(pieces: readonly SortColumn[]): SortColumn {
  const count = pieces.reduce((sum, piece) => sum + columnLength(piece), 0);
  const length = pieces.reduce((sum, piece) => sum + (piece.kind === 'string' ? piece.bytes.length : 0), 0);
  const offsets = new Uint32Array(count + 1);
  const missing = new Uint8Array(count);
  const bytes = new Uint8Array(length);
  let at = 0;
  let end = 0;
  for (const piece of pieces) {
    const isString = piece.kind === 'string';
    if (isString) bytes.set(piece.bytes, end);
    for (let i = 0; i < columnLength(piece); i++) {
      // A number among texts has none.
      missing[at] = isString ? (piece.missing[i] ?? 0) : 1;
      offsets[++at] = end + (isString ? (piece.offsets[i + 1] ?? 0) : 0);
    }
    if (isString) end += piece.bytes.length;
  }
  return { kind: 'string', shown: shownOf(pieces), offsets, bytes, missing };
}
