/**
 * The intervals query of request JSON: sources inside sources, with filters between them.
 */
import { ALL_REGEXP_OPERATORS } from '@shoal/automata';
import {
  contentError,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  type ShoalError,
  tokenName,
} from '@shoal/core';
import { parseScript } from '@shoal/script';
import { BOOLEANS, NUMBERS, OBJECTS, STRINGS } from '../../members/content-errors.ts';
import { type DeclaredFields, readFields } from '../../members/declared-fields.ts';
import { readFieldMember } from '../../members/field-member.ts';
import { readBoolean, readInteger, readNumber, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { parseRegexpFlags } from '../pattern/regexp-flags.ts';
import {
  INTERVAL_RELATIONS,
  INTERVALS_NESTING_MAX,
  type IntervalAllOf,
  type IntervalAnyOf,
  type IntervalFilter,
  type IntervalFuzzy,
  type IntervalMatch,
  type IntervalPattern,
  type IntervalSource,
  type IntervalsQuery,
  SCRIPTED_FILTER,
} from './interval-tree.ts';

type SourceParser = (node: JsonObjectNode, type: string, depth: number) => IntervalSource;

const PARSERS: ReadonlyMap<string, SourceParser> = new Map<string, SourceParser>([
  ['match', parseMatch],
  ['any_of', parseAnyOf],
  ['all_of', parseAllOf],
  ['prefix', parsePattern],
  ['wildcard', parsePattern],
  ['regexp', parsePattern],
  ['fuzzy', parseFuzzy],
]);
/** Types that the error of an unknown one names. */
const NAMED_TYPES = [...PARSERS.keys()].filter((type) => type !== 'fuzzy').join(', ');

export function parseIntervals(node: JsonNode, query: string): IntervalsQuery {
  const { field, value, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  if (value.kind !== 'object') throw expectedToken('START_OBJECT', value);
  let boost = outerBoost;
  let name = outerName;
  let found: JsonMember | null = null;
  let source: IntervalSource | null = null;
  for (const member of value.members) {
    if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else if (found !== null) {
      const both = `[${found.name}] and [${member.name}]`;
      throw parsingException(`Only one interval rule can be specified, found ${both}`, member.at);
    } else {
      found = member;
      source = parseSource(member, 0);
    }
  }
  if (source === null) throw parsingException('Missing intervals from interval query definition', node.at);
  return { kind: 'intervals', field, source, boost, name };
}

/** 400: another token had to stand at `node`, or where it ends. */
function expectedToken(expected: string, node: JsonNode, found: string = tokenName(node)): ShoalError {
  return parsingException(`Expected [${expected}] but got [${found}]`, node.at);
}

function parseSource(member: JsonMember, depth: number): IntervalSource {
  const { name, value } = member;
  const parser = PARSERS.get(name);
  if (!parser) {
    throw parsingException(`Unknown interval type [${name}], expecting one of [${NAMED_TYPES}]`, member.at);
  }
  if (depth > INTERVALS_NESTING_MAX) throw illegalArgument(`intervals are nested deeper than ${INTERVALS_NESTING_MAX}`);
  if (value.kind !== 'object') {
    throw contentError(value.at, `[${name}] Expected START_OBJECT but was: ${tokenName(value)}`);
  }
  return parser(value, name, depth + 1);
}

/** The one member of an object. */
function onlyMember(node: JsonObjectNode): JsonMember {
  const [member, extra] = node.members;
  if (!member) throw expectedToken('FIELD_NAME', node, 'END_OBJECT');
  if (extra) throw parsingException('Expected [END_OBJECT] but got [FIELD_NAME]', extra.at);
  return member;
}

/** One source, or an array of them. */
function parseSources(node: JsonNode, depth: number): IntervalSource[] {
  if (node.kind === 'object') return [parseSource(onlyMember(node), depth)];
  if (node.kind !== 'array') throw expectedToken('START_OBJECT', node);
  return node.items.map((item, at) => {
    if (item.kind !== 'object') {
      // What is read there is the token behind the item.
      const next = node.items[at + 1];
      throw expectedToken('FIELD_NAME', node, next === undefined ? 'END_ARRAY' : tokenName(next));
    }
    return parseSource(onlyMember(item), depth);
  });
}

function parseFilter(node: JsonNode, depth: number): IntervalFilter {
  if (node.kind !== 'object') throw expectedToken('START_OBJECT', node);
  const { name, value, at } = onlyMember(node);
  if (name === SCRIPTED_FILTER) return { relation: SCRIPTED_FILTER, script: parseScript(value) };
  if (value.kind !== 'object') throw expectedToken('START_OBJECT', value);
  const source = parseSource(onlyMember(value), depth);
  const relation = INTERVAL_RELATIONS.find((known) => known === name);
  if (!relation) throw parsingException(`Unknown filter type [${name}]`, at);
  return { relation, source };
}

/** Fields of what is looked up as terms. */
function termFields(source: { analyzer: string | null; useField: string | null }): DeclaredFields {
  return {
    analyzer: { kinds: STRINGS, read: (value, name) => (source.analyzer = readString(value, name)) },
    use_field: { kinds: STRINGS, read: (value, name) => (source.useField = readString(value, name)) },
  };
}

/** Fields of sources that are made of parts in some order. */
function orderFields(source: { maxGaps: number; isOrdered: boolean }): DeclaredFields {
  return {
    max_gaps: { kinds: NUMBERS, read: (value, name) => (source.maxGaps = readInteger(value, name)) },
    ordered: { kinds: BOOLEANS, read: (value, name) => (source.isOrdered = readBoolean(value, name)) },
  };
}

const filterField = (source: { filter: IntervalFilter | null }, depth: number): DeclaredFields => ({
  filter: { kinds: OBJECTS, read: (value) => (source.filter = parseFilter(value, depth)) },
});

const sourcesField = (source: { sources: readonly IntervalSource[] }, depth: number): DeclaredFields => ({
  intervals: { kinds: ['array', 'object'], read: (value) => (source.sources = parseSources(value, depth)) },
});

function parseMatch(node: JsonObjectNode, type: string, depth: number): IntervalSource {
  const source: Mutable<IntervalMatch> = {
    kind: 'match',
    text: '',
    maxGaps: -1,
    isOrdered: false,
    analyzer: null,
    useField: null,
    filter: null,
  };
  const fields: DeclaredFields = {
    query: { kinds: STRINGS, read: (value, name) => (source.text = readString(value, name)) },
    ...orderFields(source),
    ...termFields(source),
    ...filterField(source, depth),
  };
  readFields(node, type, fields, ['query']);
  return source;
}

function parseAnyOf(node: JsonObjectNode, type: string, depth: number): IntervalSource {
  const source: Mutable<IntervalAnyOf> = { kind: 'anyOf', sources: [], filter: null };
  readFields(node, type, { ...sourcesField(source, depth), ...filterField(source, depth) }, ['intervals']);
  return source;
}

function parseAllOf(node: JsonObjectNode, type: string, depth: number): IntervalSource {
  const source: Mutable<IntervalAllOf> = { kind: 'allOf', sources: [], maxGaps: -1, isOrdered: false, filter: null };
  const fields = { ...sourcesField(source, depth), ...orderFields(source), ...filterField(source, depth) };
  readFields(node, type, fields, ['intervals']);
  return source;
}

function parsePattern(node: JsonObjectNode, type: string): IntervalSource {
  const source: Mutable<IntervalPattern> = {
    kind: type === 'prefix' ? 'prefix' : type === 'wildcard' ? 'wildcard' : 'regexp',
    pattern: '',
    isCaseInsensitive: false,
    operators: ALL_REGEXP_OPERATORS,
    analyzer: null,
    useField: null,
    filter: null,
  };
  const text = type === 'prefix' ? 'prefix' : 'pattern';
  const regexpFields: DeclaredFields = {
    case_insensitive: {
      kinds: BOOLEANS,
      read: (value, name) => (source.isCaseInsensitive = readBoolean(value, name)),
    },
    flags: { kinds: STRINGS, read: (value, name) => (source.operators = parseRegexpFlags(readString(value, name))) },
  };
  const fields: DeclaredFields = {
    [text]: { kinds: STRINGS, read: (value, name) => (source.pattern = readString(value, name)) },
    ...(type === 'regexp' ? regexpFields : {}),
    ...termFields(source),
  };
  readFields(node, type, fields, [text]);
  return source;
}

function parseFuzzy(node: JsonObjectNode, type: string): IntervalSource {
  const source: Mutable<IntervalFuzzy> = {
    kind: 'fuzzy',
    term: '',
    fuzziness: 'AUTO',
    prefixLength: 0,
    hasTranspositions: true,
    analyzer: null,
    useField: null,
    filter: null,
  };
  const fields: DeclaredFields = {
    term: { kinds: STRINGS, read: (value, name) => (source.term = readString(value, name)) },
    fuzziness: {
      kinds: ['string', 'number', 'boolean'],
      read: (value, name) => (source.fuzziness = readString(value, name)),
    },
    prefix_length: { kinds: NUMBERS, read: (value, name) => (source.prefixLength = readInteger(value, name)) },
    transpositions: { kinds: BOOLEANS, read: (value, name) => (source.hasTranspositions = readBoolean(value, name)) },
    ...termFields(source),
  };
  readFields(node, type, fields, ['term']);
  return source;
}
