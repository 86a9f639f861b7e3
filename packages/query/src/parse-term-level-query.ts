/**
 * Queries on terms and values as they are indexed: term, terms, range, exists, ids, prefix and other patterns.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import {
  ALL_REGEXP_OPERATORS,
  parseRegexpFlags,
  REGEXP_STATES_DEFAULT,
  regexpOperatorsOfBits,
} from './members/regexp-flags.ts';
import {
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readScalar,
  readString,
  readStrings,
  unsupported,
} from './members/request-values.ts';
import type { ExistsQuery, FuzzyQuery, IdsQuery, PatternQuery, Query, QueryValue, RangeQuery } from './query-tree.ts';

/** The one member that names a field; `boost` and `_name` beside it are taken as well. */
interface FieldMember {
  readonly field: string;
  readonly value: JsonNode;
  readonly boost: number;
  readonly name: string | null;
}

/** `{"field": value, "boost": 2}`: the form that these queries share. */
export function readFieldMember(node: JsonNode, query: string): FieldMember {
  let found: JsonMember | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'boost' && isScalar(member.value)) boost = readNumber(member.value, 'boost');
    else if (member.name === '_name' && isScalar(member.value)) name = readString(member.value, '_name');
    else if (found) {
      throw parsingException(
        `[${query}] query doesn't support multiple fields, found [${found.name}] and [${member.name}]`,
        member.value.at,
      );
    } else found = member;
  }
  if (!found) throw illegalArgument('field name is null or empty');
  return { field: found.name, value: found.value, boost, name };
}

function isScalar(node: JsonNode): boolean {
  return node.kind !== 'object' && node.kind !== 'array';
}

export function parseTerm(node: JsonNode, query: string): Query {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  let value: QueryValue | undefined;
  let boost = outerBoost;
  let name = outerName;
  let isCaseInsensitive = false;
  if (given.kind === 'array') throw parsingException('[term] query does not support array of values', given.at);
  if (given.kind !== 'object') value = readScalar(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'value' || member.name === 'term') value = readScalar(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (member.name === 'case_insensitive') isCaseInsensitive = readBoolean(member.value, member.name);
      else throw unsupported(query, member);
    }
  }
  if (value === undefined || value === null) throw illegalArgument('value cannot be null');
  return { kind: 'term', field, value, isCaseInsensitive, boost, name };
}

export function parseTerms(node: JsonNode, query: string): Query {
  const { field, value, boost, name } = readFieldMember(node, query);
  if (value.kind === 'object') throw illegalArgument('[terms] lookup of terms in another document is not supported');
  if (value.kind !== 'array') throw parsingException(`[terms] query does not support [${field}]`, value.at);
  const values = value.items.map((item) => {
    if (item.kind === 'null') throw parsingException('No value specified for terms query', item.at);
    return readScalar(item, query);
  });
  return { kind: 'terms', field, values, boost, name };
}

export function parseRange(node: JsonNode, query: string): Query {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  if (given.kind !== 'object') throw parsingException(`[range] query does not support [${field}]`, given.at);
  const range = {
    from: null as QueryValue,
    includesFrom: true,
    to: null as QueryValue,
    includesTo: true,
    format: null as string | null,
    timeZone: null as string | null,
    boost: outerBoost,
    name: outerName,
  };
  for (const member of given.members) readRangeMember(range, member, query);
  const result: RangeQuery = { kind: 'range', field, ...range };
  return result;
}

interface RangeParts {
  from: QueryValue;
  includesFrom: boolean;
  to: QueryValue;
  includesTo: boolean;
  format: string | null;
  timeZone: string | null;
  boost: number;
  name: string | null;
}

function readRangeMember(range: RangeParts, member: JsonMember, query: string): void {
  const { name, value } = member;
  switch (name) {
    case 'gte':
    case 'gt':
    case 'from':
      range.from = readScalar(value, query);
      if (name !== 'from') range.includesFrom = name === 'gte';
      break;
    case 'lte':
    case 'lt':
    case 'to':
      range.to = readScalar(value, query);
      if (name !== 'to') range.includesTo = name === 'lte';
      break;
    case 'include_lower':
      range.includesFrom = readBoolean(value, name);
      break;
    case 'include_upper':
      range.includesTo = readBoolean(value, name);
      break;
    case 'boost':
      range.boost = readNumber(value, name);
      break;
    case '_name':
      range.name = readString(value, name);
      break;
    case 'format':
      range.format = readString(value, name);
      break;
    case 'time_zone':
      range.timeZone = readString(value, name);
      break;
    case 'relation':
      // Only range fields tell the relations apart; on values every one of them means the same.
      break;
    default:
      throw unsupported(query, member);
  }
}

export function parseExists(node: JsonNode, query: string): ExistsQuery {
  let field: string | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'field') field = readString(member.value, 'field');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else throw unsupported(query, member);
  }
  if (field === null) throw parsingException('[exists] must be provided with a [field]', node.at);
  return { kind: 'exists', field, boost, name };
}

export function parseIds(node: JsonNode, query: string): IdsQuery {
  let values: readonly string[] = [];
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'values') values = readStrings(member.value, 'values');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else if (member.name !== 'type') throw unsupported(query, member);
  }
  return { kind: 'ids', values, boost, name };
}

export function parsePattern(node: JsonNode, query: string): PatternQuery {
  const { field, value: given, boost, name } = readFieldMember(node, query);
  const kind = query === 'prefix' ? 'prefix' : query === 'wildcard' ? 'wildcard' : 'regexp';
  const pattern = patternQuery(kind, field, null, { boost, name });
  if (given.kind !== 'object') pattern.value = readString(given, query);
  else for (const member of given.members) readPatternMember(pattern, member, query);
  const { value } = pattern;
  if (value === null) throw illegalArgument('value cannot be null');
  return { ...pattern, value };
}

type PatternParts = ReturnType<typeof patternQuery<null>>;

function patternQuery<V extends string | null>(
  kind: PatternQuery['kind'],
  field: string,
  value: V,
  { boost, name }: { readonly boost: number; readonly name: string | null },
): { -readonly [K in keyof PatternQuery]: K extends 'value' ? string | V : PatternQuery[K] } {
  const operators = ALL_REGEXP_OPERATORS;
  const statesMax = REGEXP_STATES_DEFAULT;
  return { kind, field, value, isCaseInsensitive: false, rewrite: null, operators, statesMax, boost, name };
}

/** A pattern without any options. */
export function plainPattern(kind: PatternQuery['kind'], field: string, value: string): PatternQuery {
  return patternQuery(kind, field, value, { boost: 1, name: null });
}

function readPatternMember(pattern: PatternParts, member: JsonMember, query: string): void {
  const { name, value } = member;
  if (name === 'value' || name === query) pattern.value = readString(value, query);
  else if (name === 'boost') pattern.boost = readNumber(value, 'boost');
  else if (name === '_name') pattern.name = readString(value, '_name');
  else if (name === 'case_insensitive') pattern.isCaseInsensitive = readBoolean(value, name);
  else if (name === 'rewrite') pattern.rewrite = readString(value, name);
  else if (query !== 'regexp') throw unsupported(query, member);
  else if (name === 'flags') pattern.operators = parseRegexpFlags(readString(value, name));
  else if (name === 'flags_value') pattern.operators = regexpOperatorsOfBits(readInteger(value, name));
  else if (name === 'max_determinized_states') pattern.statesMax = readInteger(value, name);
  else throw unsupported(query, member);
}

export function parseFuzzy(node: JsonNode, query: string): FuzzyQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  const fuzzy = {
    fuzziness: 'AUTO',
    prefixLength: 0,
    maxExpansions: 50,
    hasTranspositions: true,
    rewrite: null as string | null,
  };
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  if (given.kind !== 'object') value = readScalar(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'value' || member.name === 'term') value = readScalar(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (member.name === 'fuzziness') fuzzy.fuzziness = readString(member.value, member.name);
      else if (member.name === 'prefix_length') fuzzy.prefixLength = readInteger(member.value, member.name);
      else if (member.name === 'max_expansions') fuzzy.maxExpansions = readInteger(member.value, member.name);
      else if (member.name === 'transpositions') fuzzy.hasTranspositions = readBoolean(member.value, member.name);
      else if (member.name === 'rewrite') fuzzy.rewrite = readString(member.value, member.name);
      else throw unsupported(query, member);
    }
  }
  if (value === null) throw illegalArgument('query value cannot be null');
  return { kind: 'fuzzy', field, value, ...fuzzy, boost, name };
}
