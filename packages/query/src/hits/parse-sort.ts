/**
 * `sort`: of the body, where it takes many forms, and of the URI (`sort=a:desc,b`).
 */
import { contentError, illegalArgument, type JsonMember, type JsonNode } from '@shoal/core';
import { parseScript, type ScriptRequest } from '@shoal/script';
import { type NodeKinds, OBJECTS, readField, STRINGS, unknownField } from '../members/content-errors.ts';
import { readObject, readSortValue, readString } from '../members/request-values.ts';
import type { ParseInner } from '../node/query-kind.ts';
import type { QueryNode, QueryValue } from '../node/query-node.ts';
import { GeoSortParser } from './geo-sort.ts';
import { type NestedSort, parseNestedSort } from './nested-sort.ts';
import {
  NUMERIC_TYPES,
  type NumericType,
  SCRIPT_SORT_TYPES,
  type ScriptSortType,
  type SortField,
  type SortMode,
  type SortOrder,
} from './sort-field.ts';

const SPECIAL_KINDS: ReadonlyMap<string, SortField['kind']> = new Map([
  ['_score', 'score'],
  ['_doc', 'doc'],
  ['_shard_doc', 'shardDoc'],
]);

const FIELD_SORT = 'field_sort';
const FIELD_MEMBERS: readonly string[] = [
  'missing',
  'unmapped_type',
  'format',
  'order',
  'mode',
  'nested_filter',
  'nested_path',
  'nested',
  'numeric_type',
];
const VALUES: NodeKinds = ['string', 'number', 'boolean', 'null'];

const NO_OPTIONS = { mode: null, missing: '_last', unmappedType: null, format: null, numericType: null } as const;

/** Order of documents of one point in time when all else is equal. */
export const SHARD_DOC: SortField = {
  kind: 'shardDoc',
  field: '_shard_doc',
  order: 'asc',
  ...NO_OPTIONS,
};

/** The order of a request without a sort, where it has to be named. */
export const BY_SCORE: SortField = { ...SHARD_DOC, kind: 'score', field: '_score', order: 'desc' };

/** Sort keys of one request. */
const SORT_FIELDS_MAX = 64;

export function parseSort(node: JsonNode, parseInner: ParseInner): readonly SortField[] {
  // A number or a boolean alone is the name of a field.
  if (node.kind === 'number' || node.kind === 'boolean') return [sortField(readString(node, 'sort'), null)];
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > SORT_FIELDS_MAX) throw illegalArgument(`[sort] takes at most ${SORT_FIELDS_MAX} fields`);
  return items.flatMap((item) => parseSortItem(item, parseInner));
}

export function parseSortParameter(text: string): readonly SortField[] {
  return text.split(',').map((part) => {
    const colon = part.lastIndexOf(':');
    if (colon < 0) return sortField(part, null);
    return sortField(part.slice(0, colon), parseOrder(part.slice(colon + 1)));
  });
}

/** Empty when the order is by score alone, which needs no sort values. */
export function withoutPlainScore(fields: readonly SortField[]): readonly SortField[] {
  const [only] = fields;
  return fields.length === 1 && only?.kind === 'score' && only.order === 'desc' ? [] : fields;
}

function parseSortItem(node: JsonNode, parseInner: ParseInner): SortField[] {
  if (node.kind === 'string') return [sortField(node.value, null)];
  if (node.kind !== 'object') {
    throw illegalArgument('malformed sort format, within the sort array, an object, or an actual string are allowed');
  }
  return node.members.map((member) => parseSortMember(member, parseInner));
}

function parseSortMember(member: JsonMember, parseInner: ParseInner): SortField {
  if (member.name === '_script') return scriptSort(member.value, parseInner);
  if (member.name === '_geo_distance' && member.value.kind === 'object')
    return geoDistanceSort(member.value.members, parseInner);
  if (member.value.kind === 'string') return sortField(member.name, parseOrder(member.value.value));
  if (member.value.kind !== 'object') {
    throw contentError(
      member.value.at,
      `[${SPECIAL_KINDS.get(member.name) === 'score' ? '_score' : FIELD_SORT}] Expected START_OBJECT but was: ${member.value.kind === 'array' ? 'END_ARRAY' : 'END_OBJECT'}`,
    );
  }
  const given = {
    order: null as SortOrder | null,
    mode: null as SortMode | null,
    missing: '_last' as QueryValue,
    unmappedType: null as string | null,
    format: null as string | null,
    numericType: null as NumericType | null,
  };
  const inner = new NestedSortOptions(parseInner, FIELD_SORT);
  if (member.name === '_score') return scoreSort(member.value.members);
  for (const option of member.value.members) if (!inner.read(option)) readSortOption(given, option);
  const { order, ...rest } = given;
  const nested = inner.finish();
  return { ...sortField(member.name, order), ...rest, ...(nested !== null && { nested }) };
}

function scoreSort(members: readonly JsonMember[]): SortField {
  let order: SortOrder | null = null;
  for (const member of members) {
    const { name, value } = member;
    if (name !== 'order') throw unknownField('_score', member, ['order']);
    order = readField('_score', member, () => parseOrder(readString(value, name)), STRINGS);
  }
  return sortField('_score', order);
}

const SCRIPT_SORT = '_script';
const SCRIPT_SORT_MEMBERS: readonly string[] = [
  'script',
  'type',
  'order',
  'mode',
  'nested_path',
  'nested_filter',
  'nested',
];

function scriptSort(node: JsonNode, parseInner: ParseInner): SortField {
  let order: SortOrder = 'asc';
  let mode: SortMode | null = null;
  let type: ScriptSortType | null = null;
  let script: ScriptRequest | null = null;
  const inner = new NestedSortOptions(parseInner, SCRIPT_SORT);
  for (const member of readObject(node, SCRIPT_SORT).members) {
    const { name, value } = member;
    const read = <T>(how: () => T): T => readField(SCRIPT_SORT, member, how, STRINGS);
    if (name === 'order') order = read(() => parseOrder(readString(value, name)));
    else if (name === 'mode') mode = read(() => parseMode(readString(value, name)));
    else if (name === 'script') script = parseScript(value);
    else if (name === 'type') type = read(() => scriptSortType(readString(value, name)));
    else if (!inner.read(member)) throw unknownField(SCRIPT_SORT, member, SCRIPT_SORT_MEMBERS);
  }
  if (script === null || type === null) {
    const missing = [...(script === null ? ['script'] : []), ...(type === null ? ['type'] : [])];
    throw illegalArgument(`Required [${missing.join(', ')}]`);
  }
  if (type === 'string' && mode !== null && mode !== 'min' && mode !== 'max') {
    throw illegalArgument(`script sort of type [string] doesn't support mode [${mode}]`);
  }
  const nested = inner.finish();
  return { ...sortField(SCRIPT_SORT, order), kind: 'script', mode, script, gives: type, ...(nested && { nested }) };
}

function scriptSortType(text: string): ScriptSortType {
  const found = SCRIPT_SORT_TYPES.find((type) => type === text.toLowerCase());
  if (found !== undefined) return found;
  throw illegalArgument(`Unknown ScriptSortType [${text}]`);
}

function geoDistanceSort(members: readonly JsonMember[], parseInner: ParseInner): SortField {
  const parser = new GeoSortParser();
  const inner = new NestedSortOptions(parseInner, '_geo_distance');
  let order: SortOrder = 'asc';
  let mode: SortMode | null = null;
  for (const member of members) {
    const { name, value } = member;
    if (name === 'order') order = parseOrder(readString(value, name));
    else if (name === 'mode') mode = parseMode(readString(value, name));
    else if (!inner.read(member)) parser.read(member);
  }
  if (mode === 'sum') throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance");
  const nested = inner.finish();
  return {
    ...sortField('_geo_distance', order),
    kind: 'geoDistance',
    mode,
    ...parser.finish(),
    ...(nested && { nested }),
  };
}

/** Options that say which nested objects are meant: `nested`, and the two that it replaces. */
class NestedSortOptions {
  private readonly parseInner: ParseInner;
  private readonly parser: string;
  private nested: NestedSort | null = null;
  private path: string | null = null;
  private filter: QueryNode | null = null;

  /** @param parser names the sort in errors */
  constructor(parseInner: ParseInner, parser: string) {
    this.parseInner = parseInner;
    this.parser = parser;
  }

  /** False for another option. */
  read(member: JsonMember): boolean {
    const { name, value } = member;
    const read = <T>(how: () => T, kinds: NodeKinds): T => readField(this.parser, member, how, kinds);
    if (name === 'nested') this.nested = read(() => parseNestedSort(value, this.parseInner), OBJECTS);
    else if (name === 'nested_path') this.path = read(() => readString(value, name), STRINGS);
    else if (name === 'nested_filter') this.filter = read(() => this.parseInner(value), OBJECTS);
    else return false;
    return true;
  }

  /** null where values of the documents themselves are meant. */
  finish(): NestedSort | null {
    const { nested, path, filter } = this;
    if (path === null && filter === null) return nested;
    if (nested !== null) throw illegalArgument('Setting both nested_path/nested_filter and nested not allowed');
    if (path === null) throw illegalArgument('[nested_filter] of a sort needs a [nested_path]');
    return { path, filter, maxChildren: null, nested: null };
  }
}

interface SortOptions {
  order: SortOrder | null;
  mode: SortMode | null;
  missing: QueryValue;
  unmappedType: string | null;
  format: string | null;
  numericType: NumericType | null;
}

function readSortOption(given: SortOptions, option: JsonMember): void {
  const { name, value } = option;
  const read = <T>(how: () => T, kinds: NodeKinds): T => readField(FIELD_SORT, option, how, kinds);
  switch (name) {
    case 'order':
      given.order = read(() => parseOrder(readString(value, name)), STRINGS);
      break;
    case 'mode':
      given.mode = read(() => parseMode(readString(value, name)), STRINGS);
      break;
    case 'missing':
      given.missing = read(() => readSortValue(value, name), VALUES);
      break;
    case 'unmapped_type':
      given.unmappedType = read(() => readString(value, name), STRINGS);
      break;
    case 'format':
      given.format = read(() => readString(value, name), STRINGS);
      break;
    case 'numeric_type':
      given.numericType = read(() => numericType(readString(value, name)), STRINGS);
      break;
    default:
      throw unknownField(FIELD_SORT, option, FIELD_MEMBERS);
  }
}

function numericType(text: string): NumericType {
  const found = NUMERIC_TYPES.find((type) => type === text.toLowerCase());
  if (found !== undefined) return found;
  throw illegalArgument(`invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${text}`);
}

function parseOrder(text: string): SortOrder {
  const lower = text.toLowerCase();
  if (lower === 'asc' || lower === 'desc') return lower;
  throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${text.toUpperCase()}`);
}

function parseMode(text: string): SortMode {
  const lower = text.toLowerCase();
  if (lower === 'min' || lower === 'max' || lower === 'sum' || lower === 'avg' || lower === 'median') return lower;
  throw illegalArgument(`Unknown SortMode [${text}]`);
}

function sortField(field: string, order: SortOrder | null): SortField {
  const kind = SPECIAL_KINDS.get(field) ?? 'field';
  const fallback = kind === 'score' ? 'desc' : 'asc';
  return { kind, field, order: order ?? fallback, ...NO_OPTIONS };
}
