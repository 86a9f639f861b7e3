/**
 * Spans of request JSON: spans inside spans, of which only the outermost has a score.
 */
import { illegalArgument, type JsonMember, type JsonNode, javaFloatText, parsingException } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import {
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readQueryValue,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import type { QueryValue } from '../../node/query-node.ts';
import { multiTermKind, noQueryInside } from './multi-term-kinds.ts';
import { type NamedSpan, SPAN_NESTING_MAX, type Span } from './span-tree.ts';

interface ParsedSpan {
  readonly span: Span;
  readonly boost: number;
  readonly name: string | null;
}

/** Members that every span query has beside its own. */
interface Shared {
  boost: number;
  name: string | null;
}

/** Where a span stands in the outermost one, and where the named ones inside that are gathered. */
export interface Place {
  readonly depth: number;
  readonly named: NamedSpan[];
}

type SpanParser = (node: JsonNode, query: string, place: Place) => ParsedSpan;

const PARSERS: ReadonlyMap<string, SpanParser> = new Map<string, SpanParser>([
  ['span_term', parseTerm],
  ['span_multi', parseMulti],
  ['span_near', parseNear],
  ['span_or', parseOr],
  ['span_not', parseNot],
  ['span_first', parseFirst],
  ['span_containing', parsePair],
  ['span_within', parsePair],
  ['field_masking_span', parseMasked],
  ['span_field_masking', parseMasked],
]);

/** A span under its name in requests, with its name and the boost that only the outermost may have. */
export function parseSpan(node: JsonNode, query: string, place: Place): ParsedSpan {
  const parser = PARSERS.get(query);
  if (!parser) throw illegalArgument(`[${query}] is no span query`);
  if (place.depth > SPAN_NESTING_MAX) throw illegalArgument(`span queries are nested deeper than ${SPAN_NESTING_MAX}`);
  return parser(node, query, { ...place, depth: place.depth + 1 });
}

/** `{"span_term": {…}}` as a clause of `query`. */
function parseClause(node: JsonNode, query: string, clause: string, place: Place): Span {
  if (node.kind !== 'object') throw parsingException(`${query} [${clause}] must be of type span query`, node.at);
  const [member, extra] = node.members;
  if (!member) throw illegalArgument(`query malformed, empty clause found at [${node.end.line}:${node.end.col}]`);
  if (extra)
    throw parsingException(`[${member.name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`, extra.at);
  if (member.name === 'span_gap' && query === 'span_near') return parseGap(member.value);
  if (!PARSERS.has(member.name)) throw parsingException(`${query} [${clause}] must be of type span query`, member.at);
  const { span, boost, name } = parseSpan(member.value, member.name, place);
  if (boost !== 1) {
    throw parsingException(
      `${query} [${clause}] as a nested span clause can't have non-default boost value [${javaFloatText(boost)}]`,
      member.at,
    );
  }
  if (name !== null) place.named.push({ name, span });
  return span;
}

function parseGap(node: JsonNode): Span {
  const { field, value } = readFieldMember(node, 'span_gap');
  return { kind: 'gap', field, width: readInteger(value, 'span_gap') };
}

function parseShared(shared: Shared, member: JsonMember, query: string): void {
  if (member.name === 'boost') shared.boost = readNumber(member.value, 'boost');
  else if (member.name === '_name') shared.name = readString(member.value, '_name');
  else throw unsupported(query, member);
}

function required<T>(value: T | null, node: JsonNode, reason: string): T {
  if (value === null) throw parsingException(reason, node.at);
  return value;
}

function parseTerm(node: JsonNode, query: string): ParsedSpan {
  const { field, value: given, boost, name } = readFieldMember(node, query);
  const shared: Shared = { boost, name };
  let value: QueryValue = null;
  if (given.kind !== 'object') value = readQueryValue(given, query);
  else {
    for (const member of given.members) {
      if (member.name === 'value' || member.name === 'term') value = readQueryValue(member.value, query);
      else parseShared(shared, member, query);
    }
  }
  if (value === null) throw illegalArgument('value cannot be null');
  return { span: { kind: 'term', field, value }, ...shared };
}

function parseMulti(node: JsonNode, query: string): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let span: Span | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name !== 'match') {
      parseShared(shared, member, query);
      continue;
    }
    const [inner] = readObject(member.value, query).members;
    const kind = inner ? multiTermKind(inner.name) : null;
    if (!inner || !kind) {
      throw parsingException('[span_multi] [match] must be of type prefix, wildcard, regexp or fuzzy query', member.at);
    }
    span = { kind: 'multi', query: kind.parse(inner.value, inner.name, noQueryInside) };
  }
  return { span: required(span, node, '[span_multi] must have [match] multi term query clause'), ...shared };
}

function parseNear(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let clauses: Span[] = [];
  let slop = 0;
  let isOrdered = true;
  for (const member of readObject(node, query).members) {
    if (member.name === 'clauses') clauses = parseClauses(member, query, place);
    else if (member.name === 'slop') slop = readInteger(member.value, 'slop');
    else if (member.name === 'in_order') isOrdered = readBoolean(member.value, 'in_order');
    else parseShared(shared, member, query);
  }
  if (clauses.length === 0) throw parsingException('span_near must include [clauses]', node.at);
  if (clauses[0]?.kind === 'gap')
    throw parsingException('[span_near] [span_gap] must not be the first clause', node.at);
  return { span: { kind: 'near', clauses, slop, isOrdered }, ...shared };
}

function parseClauses(member: JsonMember, query: string, place: Place): Span[] {
  const { value } = member;
  if (value.kind !== 'array') throw parsingException(`[${query}] query does not support [${member.name}]`, value.at);
  return value.items.map((item) => parseClause(item, query, 'clauses', place));
}

function parseOr(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let clauses: Span[] = [];
  for (const member of readObject(node, query).members) {
    if (member.name === 'clauses') clauses = parseClauses(member, query, place);
    else parseShared(shared, member, query);
  }
  if (clauses.length === 0) throw parsingException('span_or must include [clauses]', node.at);
  return { span: { kind: 'or', clauses }, ...shared };
}

function parseNot(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let include: Span | null = null;
  let exclude: Span | null = null;
  let pre = 0;
  let post = 0;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (name === 'include') include = parseClause(value, query, name, place);
    else if (name === 'exclude') exclude = parseClause(value, query, name, place);
    else if (name === 'dist') pre = post = readInteger(value, name);
    else if (name === 'pre') pre = readInteger(value, name);
    else if (name === 'post') post = readInteger(value, name);
    else parseShared(shared, member, query);
  }
  const span: Span = {
    kind: 'not',
    include: required(include, node, 'span_not must have [include] span query clause'),
    exclude: required(exclude, node, 'span_not must have [exclude] span query clause'),
    pre: Math.max(0, pre),
    post: Math.max(0, post),
  };
  return { span, ...shared };
}

function parseFirst(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let match: Span | null = null;
  let end: number | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'match') match = parseClause(member.value, query, 'match', place);
    else if (member.name === 'end') end = positiveEnd(member.value);
    else parseShared(shared, member, query);
  }
  const span: Span = {
    kind: 'first',
    match: required(match, node, 'span_first must have [match] span query clause'),
    end: required(end, node, 'span_first must have [end] set for it'),
  };
  return { span, ...shared };
}

function parsePair(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let big: Span | null = null;
  let little: Span | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'big') big = parseClause(member.value, query, 'big', place);
    else if (member.name === 'little') little = parseClause(member.value, query, 'little', place);
    else parseShared(shared, member, query);
  }
  const span: Span = {
    kind: query === 'span_within' ? 'within' : 'containing',
    big: required(big, node, `[${query}] must include [big]`),
    little: required(little, node, `[${query}] must include [little]`),
  };
  return { span, ...shared };
}

function parseMasked(node: JsonNode, query: string, place: Place): ParsedSpan {
  const shared: Shared = { boost: 1, name: null };
  let inner: Span | null = null;
  let field: string | null = null;
  for (const member of readObject(node, query).members) {
    if (member.name === 'query') inner = parseClause(member.value, 'span_field_masking', 'query', place);
    else if (member.name === 'field') field = readString(member.value, 'field');
    else parseShared(shared, member, query);
  }
  const span: Span = {
    kind: 'masked',
    query: required(inner, node, 'field_masking_span must have [query] span query clause'),
    field: required(field, node, 'field_masking_span must have [field] set for it'),
  };
  return { span, ...shared };
}

function positiveEnd(node: JsonNode): number {
  const end = readInteger(node, 'end');
  if (end < 0) throw illegalArgument('parameter [end] needs to be positive.');
  return end;
}
