/**
 * `index.sort.*`: the order in which the segments of an index hold their documents. Set when the index is created, and never changed.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { FieldKind } from '../field-types/declared-types.ts';
import type { FieldMapping } from '../mapping/field-mapping.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { noColumn, noDocValues, noFielddata } from '../mapping/without-column.ts';

export interface IndexSortKey {
  /** Name of the field, which may be an alias. */
  readonly field: string;
  readonly isDescending: boolean;
  /** Value of several that a document is sorted by. */
  readonly mode: 'min' | 'max';
  /** Documents without a value come before the others. */
  readonly isMissingFirst: boolean;
}

/** Settings of an index sort, each a list with an entry a field. */
export const INDEX_SORT_SETTINGS = [
  'index.sort.field',
  'index.sort.order',
  'index.sort.mode',
  'index.sort.missing',
] as const;

type SortSetting = (typeof INDEX_SORT_SETTINGS)[number];

/** Kinds of fields whose values by document are numbers or terms in the order that searches sort them in. */
const SORTED_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'boolean',
  'date',
  'date_nanos',
  'keyword',
  'ip',
  'token_count',
]);

/** Kinds that searches sort by values that segments do not have. */
const DERIVED_KINDS: ReadonlySet<FieldKind> = new Set<FieldKind>([
  'text',
  'half_float',
  'scaled_float',
  'unsigned_long',
]);

/** Sort keys, most significant first; empty without an index sort. @throws illegal_argument_exception */
export function indexSort(flat: Readonly<Record<string, string>>): readonly IndexSortKey[] {
  const fields = entriesOf(flat, 'index.sort.field');
  const modes = entriesOf(flat, 'index.sort.mode').map(readMode);
  const orders = entriesOf(flat, 'index.sort.order').map(readOrder);
  const missing = entriesOf(flat, 'index.sort.missing').map(readMissing);
  checkSize('index.sort.order', fields, orders);
  checkSize('index.sort.mode', fields, modes);
  checkSize('index.sort.missing', fields, missing);
  return fields.map((field, at) => {
    const isDescending = orders[at] === 'desc';
    const mode = modes[at] ?? (isDescending ? 'MAX' : 'MIN');
    return { field, isDescending, mode: mode === 'MAX' ? 'max' : 'min', isMissingFirst: missing[at] === '_first' };
  });
}

function entriesOf(flat: Readonly<Record<string, string>>, setting: SortSetting): readonly string[] {
  const text = flat[setting];
  if (text !== undefined) return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
  const entries: string[] = [];
  for (let entry = flat[`${setting}.0`]; entry !== undefined; entry = flat[`${setting}.${entries.length}`]) {
    entries.push(entry);
  }
  return entries;
}

function checkSize(setting: SortSetting, fields: readonly string[], entries: readonly string[]): void {
  if (entries.length === 0 || entries.length === fields.length) return;
  throw illegalArgument(`index.sort.field:[${fields.join(', ')}] ${setting}:[${entries.join(', ')}], size mismatch`);
}

function readOrder(text: string): string {
  const order = text.toLowerCase();
  if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Illegal sort order:${text}`);
  return order;
}

function readMode(text: string): string {
  const mode = text.toUpperCase();
  if (mode === 'MIN' || mode === 'MAX') return mode;
  const isKnown = ['SUM', 'AVG', 'MEDIAN'].includes(mode);
  throw illegalArgument(
    isKnown ? `Illegal index sort mode:[${mode}], must be one of [MAX, MIN]` : `Unknown SortMode [${text}]`,
  );
}

function readMissing(text: string): string {
  if (text === '_last' || text === '_first') return text;
  throw illegalArgument(`Illegal missing value:[${text}], must be one of [_last, _first]`);
}

/** Throws when segments of the mapping cannot be in the order. */
export function checkIndexSort(mapping: Mapping, sort: readonly IndexSortKey[]): void {
  if (sort.length === 0) return;
  if (mapping.nestedPaths.length > 0) throw illegalArgument('cannot have nested fields when index sort is activated');
  for (const { field: name } of sort) {
    // Values that a search makes are in no segment.
    const field = mapping.fields.get(name) ?? mapping.named.get(name);
    if (field === undefined || field.runtime !== null) throw illegalArgument(`unknown index sort field:[${name}]`);
    if (!SORTED_KINDS.has(field.kind)) throw notSorted(name, field);
    if (!field.hasDocValues) throw withoutValues(name, noDocValues(field.path, field.kind));
  }
}

function notSorted(name: string, { kind, path, fielddata }: FieldMapping): ShoalError {
  if (kind === 'binary') return illegalArgument("can't sort on binary field");
  if (kind === 'geo_point')
    return illegalArgument("can't sort on geo_point field without using specific sorting feature, like geo_distance");
  if (kind === 'text' && fielddata === null) return withoutValues(name, noFielddata(path));
  if (DERIVED_KINDS.has(kind) || kind.endsWith('_range')) return illegalArgument(`invalid index sort field:[${name}]`);
  return withoutValues(name, noColumn(path, kind));
}

function withoutValues(name: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `docvalues not found for index sort field:[${name}]`, {
    causedBy: illegalArgument(why),
  });
}
