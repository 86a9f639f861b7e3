/**
 * The intervals query of request JSON: sources inside sources, with filters between them.
 */
import { ALL_REGEXP_OPERATORS } from '@shoal/automata';
import { illegalArgument, type JsonMember, type JsonNode, type JsonObjectNode, parsingException } from '@shoal/core';
import { parseScript } from '@shoal/script';
import { readFieldMember } from '../../members/field-member.ts';
import { readBoolean, readInteger, readNumber, readObject, readString } from '../../members/request-values.ts';
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

export function parseIntervals(node: JsonNode, query: string): IntervalsQuery {
  const { field, value, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  if (value.kind !== 'object') throw parsingException('Expected [START_OBJECT] in [intervals]', value.at);
  let boost = outerBoost;
  let name = outerName;
  let source: IntervalSource | null = null;
  for (const member of value.members) {
    if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') name = readString(member.value, '_name');
    else if (source !== null) {
      throw parsingException(`Only one interval rule can be specified, found [${member.name}] as well`, member.at);
    } else source = parseSource(member, 0);
  }
  if (source === null) throw parsingException('Missing intervals from interval query definition', node.at);
  return { kind: 'intervals', field, source, boost, name };
}

function parseSource(member: JsonMember, depth: number): IntervalSource {
  const parser = PARSERS.get(member.name);
  if (!parser) {
    const known = [...PARSERS.keys()].join(', ');
    throw parsingException(`Unknown interval type [${member.name}], expecting one of [${known}]`, member.at);
  }
  if (depth > INTERVALS_NESTING_MAX) throw illegalArgument(`intervals are nested deeper than ${INTERVALS_NESTING_MAX}`);
  return parser(readObject(member.value, member.name), member.name, depth + 1);
}

/** `{"match": {…}}`. */
function parseSourceObject(node: JsonNode, depth: number): IntervalSource {
  const [member, extra] = readObject(node, 'intervals').members;
  if (!member) throw parsingException('Expected [FIELD_NAME] but got [END_OBJECT]', node.at);
  if (extra) throw parsingException(`Expected [END_OBJECT] but found [${extra.name}]`, extra.at);
  return parseSource(member, depth);
}

function parseSources(member: JsonMember, depth: number): IntervalSource[] {
  const { value } = member;
  if (value.kind !== 'array') throw parsingException(`[${member.name}] must be an array`, value.at);
  return value.items.map((item) => parseSourceObject(item, depth));
}

function parseFilter(node: JsonNode, depth: number): IntervalFilter {
  const [member, extra] = readObject(node, 'filter').members;
  if (!member || extra) throw parsingException('[filter] must hold exactly one rule', node.at);
  if (member.name === SCRIPTED_FILTER) return { relation: SCRIPTED_FILTER, script: parseScript(member.value) };
  const relation = INTERVAL_RELATIONS.find((known) => known === member.name);
  if (!relation) throw parsingException(`Unknown filter type [${member.name}]`, member.at);
  return { relation, source: parseSourceObject(member.value, depth) };
}

function unknownField(type: string, member: JsonMember): Error {
  return parsingException(`[${type}] unknown field [${member.name}]`, member.at);
}

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
  let isGiven = false;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'query') {
      source.text = readString(value, name);
      isGiven = true;
    } else if (name === 'max_gaps') source.maxGaps = readInteger(value, name);
    else if (name === 'ordered') source.isOrdered = readBoolean(value, name);
    else if (name === 'filter') source.filter = parseFilter(value, depth);
    else if (!parseTermChoice(source, member)) throw unknownField(type, member);
  }
  if (!isGiven) throw illegalArgument('Required [query]');
  return source;
}

function parseTermChoice(source: { analyzer: string | null; useField: string | null }, member: JsonMember): boolean {
  if (member.name === 'analyzer') source.analyzer = readString(member.value, member.name);
  else if (member.name === 'use_field') source.useField = readString(member.value, member.name);
  else return false;
  return true;
}

function parseAnyOf(node: JsonObjectNode, type: string, depth: number): IntervalSource {
  const source: Mutable<IntervalAnyOf> = { kind: 'anyOf', sources: [], filter: null };
  for (const member of node.members) {
    if (member.name === 'intervals') source.sources = parseSources(member, depth);
    else if (member.name === 'filter') source.filter = parseFilter(member.value, depth);
    else throw unknownField(type, member);
  }
  return source;
}

function parseAllOf(node: JsonObjectNode, type: string, depth: number): IntervalSource {
  const source: Mutable<IntervalAllOf> = { kind: 'allOf', sources: [], maxGaps: -1, isOrdered: false, filter: null };
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'intervals') source.sources = parseSources(member, depth);
    else if (name === 'max_gaps') source.maxGaps = readInteger(value, name);
    else if (name === 'ordered') source.isOrdered = readBoolean(value, name);
    else if (name === 'filter') source.filter = parseFilter(value, depth);
    else throw unknownField(type, member);
  }
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
  let isGiven = false;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === text) {
      source.pattern = readString(value, name);
      isGiven = true;
    } else if (name === 'case_insensitive' && type === 'regexp') source.isCaseInsensitive = readBoolean(value, name);
    else if (name === 'flags' && type === 'regexp') source.operators = parseRegexpFlags(readString(value, name));
    else if (!parseTermChoice(source, member)) throw unknownField(type, member);
  }
  if (!isGiven) throw illegalArgument(`Required [${text}]`);
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
  let isGiven = false;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'term') {
      source.term = readString(value, name);
      isGiven = true;
    } else if (name === 'fuzziness') source.fuzziness = readString(value, name);
    else if (name === 'prefix_length') source.prefixLength = readInteger(value, name);
    else if (name === 'transpositions') source.hasTranspositions = readBoolean(value, name);
    else if (!parseTermChoice(source, member)) throw unknownField(type, member);
  }
  if (!isGiven) throw illegalArgument('Required [term]');
  return source;
}
