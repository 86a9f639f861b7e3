/**
 * Query JSON to the typed tree: which query it is, and the queries that hold other queries.
 *
 * Unknown names are refused with the error that Elasticsearch gives, with the line and column of what follows the name.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parseJsonTree,
  parsingException,
  ShoalError,
} from '@shoal/core';
import { readMinimumShouldMatch, readNumber, readObject, readString, unsupported } from './members/request-values.ts';
import { parseMatch, parseMatchPhrase, parseMultiMatch, parseQueryString } from './parse-full-text-query.ts';
import { parseDistanceFeature, parseFunctionScore } from './parse-function-score.ts';
import { parseIntervals } from './parse-intervals-query.ts';
import { parseSpanQuery } from './parse-span-query.ts';
import {
  parseExists,
  parseFuzzy,
  parseIds,
  parsePattern,
  parseRange,
  parseTerm,
  parseTerms,
} from './parse-term-level-query.ts';
import { MATCH_ALL, type Query } from './query-tree.ts';

/** Queries inside queries beyond this are refused, as `indices.query.bool.max_nested_depth` does. */
const NESTING_MAX = 30;

type QueryParser = (node: JsonNode, name: string, depth: number) => Query;

/** Queries of Elasticsearch that are not built: an answer without them would be wrong. */
const REFUSED = [
  'geo_bounding_box',
  'geo_distance',
  'geo_polygon',
  'geo_shape',
  'has_child',
  'has_parent',
  'more_like_this',
  'nested',
  'parent_id',
  'percolate',
  'pinned',
  'rank_feature',
  'script',
  'script_score',
  'shape',
  'terms_set',
];

const PARSERS: ReadonlyMap<string, QueryParser> = new Map<string, QueryParser>([
  ['match_all', parseMatchAll],
  ['match_none', parseMatchAll],
  ['bool', parseBool],
  ['constant_score', parseConstantScore],
  ['dis_max', parseDisMax],
  ['boosting', parseBoosting],
  ['term', parseTerm],
  ['terms', parseTerms],
  ['range', parseRange],
  ['exists', parseExists],
  ['ids', parseIds],
  ['prefix', parsePattern],
  ['wildcard', parsePattern],
  ['regexp', parsePattern],
  ['fuzzy', parseFuzzy],
  ['match', parseMatch],
  ['match_bool_prefix', parseMatch],
  ['match_phrase', parseMatchPhrase],
  ['match_phrase_prefix', parseMatchPhrase],
  ['span_term', parseSpanQuery],
  ['span_multi', parseSpanQuery],
  ['span_near', parseSpanQuery],
  ['span_or', parseSpanQuery],
  ['span_not', parseSpanQuery],
  ['span_first', parseSpanQuery],
  ['span_containing', parseSpanQuery],
  ['span_within', parseSpanQuery],
  ['field_masking_span', parseSpanQuery],
  ['intervals', parseIntervals],
  ['function_score', (node, name, depth) => parseFunctionScore(node, name, depth, parseQuery)],
  ['distance_feature', parseDistanceFeature],
  ['wrapper', parseWrapper],
  ...REFUSED.map((name): [string, QueryParser] => [name, refuse]),
  ['multi_match', parseMultiMatch],
  ['query_string', parseQueryString],
  ['simple_query_string', parseQueryString],
]);

/** A query given as JSON bytes, such as an alias filter. */
export function parseQueryBytes(bytes: Uint8Array): Query {
  const node = parseJsonTree(bytes);
  return node === null ? MATCH_ALL : parseQuery(node);
}

/** `{"match": {…}}` and every other query. */
export function parseQuery(node: JsonNode, depth = 0): Query {
  if (node.kind !== 'object') throw parsingException('[_na] query malformed, must start with start_object', node.at);
  if (depth > NESTING_MAX) {
    throw illegalArgument(
      `The nested depth of the query exceeds the maximum nested depth for bool queries set in [indices.query.bool.max_nested_depth]`,
    );
  }
  const [member, extra] = node.members;
  if (!member) throw illegalArgument(`query malformed, empty clause found at [${node.end.line}:${node.end.col}]`);
  const parser = PARSERS.get(member.name);
  if (!parser) throw unknownQuery(member);
  if (member.value.kind !== 'object') {
    throw parsingException(`[${member.name}] query malformed, no start_object after query name`, member.value.at);
  }
  const query = parser(member.value, member.name, depth + 1);
  if (extra) {
    throw parsingException(`[${member.name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`, extra.at);
  }
  return query;
}

function refuse(_node: JsonNode, name: string): never {
  throw illegalArgument(`[${name}] queries are not supported by this server`);
}

/** A query as base64 of its JSON. */
function parseWrapper(node: JsonNode, name: string, depth: number): Query {
  const [member, extra] = readObject(node, name).members;
  if (member?.name !== 'query') throw parsingException('[wrapper] query malformed', node.at);
  if (extra) throw parsingException(`[wrapper] query malformed, unexpected [${extra.name}]`, extra.at);
  const inner = parseJsonTree(Buffer.from(readString(member.value, 'query'), 'base64'));
  if (inner === null) throw illegalArgument('query source text cannot be null or empty');
  return parseQuery(inner, depth);
}

function unknownQuery(member: JsonMember): ShoalError {
  const { line, col } = member.value.at;
  const near = nearestName(member.name);
  const hint = near ? ` did you mean [${near}]?` : '';
  const cause = new ShoalError(
    'named_object_not_found_exception',
    400,
    `[${line}:${col}] unknown field [${member.name}]`,
  );
  return parsingException(`unknown query [${member.name}]${hint}`, member.value.at, cause);
}

/** A known query name at most two edits away; null when none or when the name is too short to guess. */
function nearestName(name: string): string | null {
  if (name.length < 4) return null;
  for (const known of PARSERS.keys()) {
    if (Math.abs(known.length - name.length) <= 2 && editDistance(known, name) <= 2) return known;
  }
  return null;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function parseMatchAll(node: JsonNode, name: string): Query {
  let boost = 1;
  let label: string | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') label = readString(member.value, '_name');
    else throw unsupported(name, member);
  }
  return { kind: name === 'match_none' ? 'matchNone' : 'matchAll', boost, name: label };
}

function parseBool(node: JsonNode, name: string, depth: number): Query {
  const clauses: Record<'must' | 'filter' | 'should' | 'mustNot', readonly Query[]> = {
    must: [],
    filter: [],
    should: [],
    mustNot: [],
  };
  let minimumShouldMatch: string | null = null;
  let boost = 1;
  let label: string | null = null;
  for (const member of readObject(node, name).members) {
    const { value } = member;
    switch (member.name) {
      case 'must':
      case 'filter':
      case 'should':
        clauses[member.name] = parseClauses(value, depth);
        break;
      case 'must_not':
      case 'mustNot':
        clauses.mustNot = parseClauses(value, depth);
        break;
      case 'minimum_should_match':
        minimumShouldMatch = readMinimumShouldMatch(value);
        break;
      case 'boost':
        boost = readNumber(value, 'boost');
        break;
      case '_name':
        label = readString(value, '_name');
        break;
      case 'adjust_pure_negative':
        break;
      default:
        throw unsupported(name, member);
    }
  }
  return { kind: 'bool', ...clauses, minimumShouldMatch, boost, name: label };
}

function parseClauses(node: JsonNode, depth: number): Query[] {
  return node.kind === 'array' ? node.items.map((item) => parseQuery(item, depth)) : [parseQuery(node, depth)];
}

function parseConstantScore(node: JsonNode, name: string, depth: number): Query {
  let filter: Query | null = null;
  let boost = 1;
  let label: string | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'filter') filter = parseQuery(member.value, depth);
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') label = readString(member.value, '_name');
    else throw unsupported(name, member);
  }
  if (!filter) throw parsingException("[constant_score] requires a 'filter' element", node.at);
  return { kind: 'constantScore', filter, boost, name: label };
}

function parseDisMax(node: JsonNode, name: string, depth: number): Query {
  let queries: readonly Query[] | null = null;
  let tieBreaker = 0;
  let boost = 1;
  let label: string | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'queries') queries = parseClauses(member.value, depth);
    else if (member.name === 'tie_breaker') tieBreaker = readNumber(member.value, 'tie_breaker');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') label = readString(member.value, '_name');
    else throw unsupported(name, member);
  }
  if (!queries) throw parsingException("[dis_max] requires 'queries' field with at least one clause", node.at);
  return { kind: 'disMax', queries, tieBreaker, boost, name: label };
}

function parseBoosting(node: JsonNode, name: string, depth: number): Query {
  let positive: Query | null = null;
  let negative: Query | null = null;
  let negativeBoost = -1;
  let boost = 1;
  let label: string | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'positive') positive = parseQuery(member.value, depth);
    else if (member.name === 'negative') negative = parseQuery(member.value, depth);
    else if (member.name === 'negative_boost') negativeBoost = readNumber(member.value, 'negative_boost');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') label = readString(member.value, '_name');
    else throw unsupported(name, member);
  }
  if (!positive) throw parsingException("[boosting] query requires 'positive' query to be set'", node.at);
  if (!negative) throw parsingException("[boosting] query requires 'negative' query to be set'", node.at);
  if (negativeBoost < 0) {
    throw parsingException("[boosting] query requires 'negative_boost' to be set to be a positive value'", node.at);
  }
  return { kind: 'boosting', positive, negative, negativeBoost, boost, name: label };
}
