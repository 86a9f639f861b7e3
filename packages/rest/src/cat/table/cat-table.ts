/**
 * A `_cat` table: columns declared once, rows of typed cells, and the ways a request may ask to see them.
 *
 * The rules are Elasticsearch's, to the space: which columns `h` names (aliases, wildcards), how `s` sorts, how cells align. Pure:
 * HTTP decides between the text and the rows as objects.
 */
import { assert, illegalArgument, simpleMatch } from '@shoal/core';
import { type BytesUnit, bytesText, durationText, type TimeUnit } from '../../bodies/unit-text.ts';

/** Sizes and durations stay numbers until printed, so that `s` sorts them by size. null prints as nothing. */
export type CatCell =
  | string
  | number
  | null
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'duration'; readonly ms: number };

export interface CatColumn {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly isRight: boolean;
  /** Shown when the request names no columns. */
  readonly isDefault: boolean;
  /** This column follows the one it is named after (`pri.` before its name) when the flag `pri` is set. */
  readonly isPrimaryTwin: boolean;
}

export interface CatTable {
  readonly columns: readonly CatColumn[];
  readonly rows: readonly (readonly CatCell[])[];
}

export interface CatView {
  /** Patterns of column names or aliases; null: the default ones. */
  readonly headers: readonly string[] | null;
  readonly sort: readonly string[];
  readonly isVerbose: boolean;
  readonly bytes: BytesUnit | null;
  readonly time: TimeUnit | null;
  /** `?pri`: show the primaries' twin beside each column that has one. */
  readonly showPrimaryTwins: boolean;
  /** `?ts=false` hides the columns `epoch` and `timestamp`. */
  readonly showTimestamp: boolean;
}

interface ShownColumn {
  readonly position: number;
  readonly column: CatColumn;
  /** The name that the request used. */
  readonly title: string;
}

const TIMESTAMP_COLUMNS: readonly string[] = ['epoch', 'timestamp'];
const DESCENDING_SUFFIX = ':desc';
const ASCENDING_SUFFIX = ':asc';

/** One column, `right` or `hidden` (only when named) by flag. */
export function column(
  name: string,
  aliases: string,
  description: string,
  flags: readonly ('right' | 'hidden' | 'twin')[] = [],
): CatColumn {
  return {
    name,
    aliases: aliases === '' ? [] : aliases.split(','),
    description,
    isRight: flags.includes('right'),
    isDefault: !flags.includes('hidden'),
    isPrimaryTwin: flags.includes('twin'),
  };
}

/** The table as text: one line a row, a title line first when verbose. */
export function renderCatText(table: CatTable, view: CatView): string {
  const shown = shownColumns(table.columns, view);
  const cells = sortedRows(table, view.sort).map((row) =>
    shown.map(({ position }) => cellText(row[position] ?? null, view) ?? ''),
  );
  const titles = view.isVerbose ? [shown.map(({ title }) => title)] : [];
  const lines = [...titles, ...cells];
  const widths = shown.map((_, at) => maxLength(lines.map((line) => line[at] ?? '')));
  return lines.map((line) => `${padLine(line, shown, widths)}\n`).join('');
}

/** The rows as objects by title: what `format=json` and `format=yaml` print. */
export function renderCatRows(table: CatTable, view: CatView): readonly Readonly<Record<string, string | null>>[] {
  const shown = shownColumns(table.columns, view);
  return sortedRows(table, view.sort).map((row) =>
    Object.fromEntries(shown.map(({ position, title }) => [title, cellText(row[position] ?? null, view)])),
  );
}

/** `?help`: every column with its aliases and meaning. */
export function renderCatHelp(columns: readonly CatColumn[]): string {
  const lines = columns.map((c) => [c.name, c.aliases.join(','), c.description]);
  const widths = [0, 1, 2].map((at) => maxLength(lines.map((line) => line[at] ?? '')));
  return lines.map((line) => `${line.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')}\n`).join('');
}

/** `?help` with a structured format: the same as objects. */
export function renderCatHelpRows(columns: readonly CatColumn[]): readonly Readonly<Record<string, string>>[] {
  return columns.map((c) => ({ name: c.name, alias: c.aliases.join(','), description: c.description }));
}

function shownColumns(columns: readonly CatColumn[], view: CatView): readonly ShownColumn[] {
  const all = columns.map((c, position) => ({ position, column: c, title: c.name }));
  const wanted = view.headers === null ? all.filter((c) => c.column.isDefault) : namedColumns(all, view.headers);
  const withTwins = view.headers !== null && view.showPrimaryTwins ? addTwins(all, wanted) : wanted;
  return view.showTimestamp ? withTwins : withTwins.filter((c) => !TIMESTAMP_COLUMNS.includes(c.column.name));
}

/** Unknown names are left out, as Elasticsearch does. A wildcard shows its columns under their own names. */
function namedColumns(all: readonly ShownColumn[], names: readonly string[]): readonly ShownColumn[] {
  return names.flatMap((name) => {
    if (name.includes('*')) {
      return all.filter(({ column: c }) => [c.name, ...c.aliases].some((candidate) => simpleMatch(name, candidate)));
    }
    const found = findColumn(all, name);
    return found === undefined ? [] : [{ ...found, title: name }];
  });
}

function findColumn(all: readonly ShownColumn[], name: string): ShownColumn | undefined {
  return all.find((c) => c.column.name === name) ?? all.find((c) => c.column.aliases.includes(name));
}

function addTwins(all: readonly ShownColumn[], shown: readonly ShownColumn[]): readonly ShownColumn[] {
  return shown.flatMap((c) => {
    const twin = all.find((other) => other.column.isPrimaryTwin && other.column.name === `pri.${c.column.name}`);
    return twin === undefined ? [c] : [c, { ...twin, title: `pri.${c.title}` }];
  });
}

function sortedRows(table: CatTable, sort: readonly string[]): CatTable['rows'] {
  const odd = table.rows.find((row) => row.length !== table.columns.length);
  assert(odd === undefined, `a row has ${odd?.length} cells, its table ${table.columns.length} columns`);
  if (sort.length === 0) return table.rows;
  const all = table.columns.map((c, position) => ({ position, column: c, title: c.name }));
  const keys = sort.map((key) => {
    const isDescending = key.endsWith(DESCENDING_SUFFIX);
    const name = isDescending
      ? key.slice(0, -DESCENDING_SUFFIX.length)
      : key.endsWith(ASCENDING_SUFFIX)
        ? key.slice(0, -ASCENDING_SUFFIX.length)
        : key;
    const found = findColumn(all, name);
    if (found === undefined) throw illegalArgument(`Unable to sort by unknown sort key \`${name}\``);
    return { position: found.position, sign: isDescending ? -1 : 1 };
  });
  return [...table.rows].sort((a, b) => {
    for (const { position, sign } of keys) {
      const order = compareCells(a[position] ?? null, b[position] ?? null) * sign;
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Empty cells first; numbers by value, text by code unit. */
function compareCells(a: CatCell, b: CatCell): number {
  const left = sortValue(a);
  const right = sortValue(b);
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const leftText = String(left);
  const rightText = String(right);
  return leftText < rightText ? -1 : Number(leftText > rightText);
}

function sortValue(cell: CatCell): string | number | null {
  if (typeof cell !== 'object' || cell === null) return cell;
  return cell.kind === 'bytes' ? cell.bytes : cell.ms;
}

function cellText(cell: CatCell, view: CatView): string | null {
  if (cell === null) return null;
  if (typeof cell !== 'object') return String(cell);
  return cell.kind === 'bytes' ? bytesText(cell.bytes, view.bytes) : durationText(cell.ms, view.time);
}

function maxLength(texts: readonly string[]): number {
  return texts.reduce((max, text) => Math.max(max, text.length), 0);
}

/** The last cell of a line carries no spaces after it; everything else is padded to its column. */
function padLine(cells: readonly string[], shown: readonly ShownColumn[], widths: readonly number[]): string {
  return cells
    .map((text, at) => {
      const width = widths[at] ?? 0;
      if (shown[at]?.column.isRight) return text.padStart(width);
      return at === cells.length - 1 ? text : text.padEnd(width);
    })
    .join(' ');
}
