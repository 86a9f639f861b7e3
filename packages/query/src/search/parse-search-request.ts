/**
 * The search and count APIs' bodies and URI parameters, in one typed request.
 *
 * What this server does not do is refused by name: an answer that silently lacks what was asked would be worse.
 */
import {
  illegalArgument,
  isShoalError,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parseJsonTree,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import { parseHighlight } from '../hits/parse-highlight.ts';
import { parseSort, parseSortParameter, SHARD_DOC, withoutPlainScore } from '../hits/parse-sort.ts';
import { parseSourceFilter, sourceFilterOfParams } from '../hits/parse-source-filter.ts';
import { applyStoredFields } from '../hits/parse-stored-fields.ts';
import { parseScriptFields } from '../hits/script-fields.ts';
import { parseShownFields, shownFieldsOfParam } from '../hits/shown-fields.ts';
import { filteredQuery } from '../kinds/bool/bool.ts';
import { MATCH_NONE } from '../kinds/match-none/match-none.ts';
import { queryStringDefaults } from '../kinds/query-string/query-string.ts';
import { parseOperator } from '../members/full-text-options.ts';
import {
  parseBooleanText,
  parseTimeout,
  readBoolean,
  readInteger,
  readNumber,
  readScalar,
  readSortValue,
  readString,
  readStrings,
} from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import { parseQuery, type Query } from '../registry/query.ts';
import { parseSuggest } from '../suggest/parse-suggest.ts';
import { suggestOfParams } from '../suggest/suggest-of-params.ts';
import { applyFusion } from './apply-fusion.ts';
import { parseCollapse } from './collapse-request.ts';
import { defaultRequest, NO_TIMEOUT_MS } from './default-request.ts';
import { parseKnnSearches } from './knn-search.ts';
import { parseIndicesBoost } from './parse-indices-boost.ts';
import { parsePointInTime, parseSlice } from './parse-reader-choice.ts';
import { type FusingRetriever, parseRetriever, type Retriever } from './parse-retriever.ts';
import { parseRuntimeMappings } from './parse-runtime-mappings.ts';
import { parseRescore } from './rescore-request.ts';
import type { ParsedSearch, RequestInput, SearchRequest } from './search-request.ts';

/**
 * @param tree the body, where it was read already: a large one is read in steps
 * @throws ShoalError with the type, text, line and column that Elasticsearch gives
 */
export function parseSearch(input: RequestInput, tree: JsonNode | null = treeOf(input)): ParsedSearch {
  const request = defaultRequest();
  const root = rootObject(tree);
  let aggregations: JsonObjectNode | null = null;
  let nearest: JsonNode | null = null;
  let rank: JsonNode | null = null;
  let retriever: Retriever | null = null;
  for (const member of root?.members ?? []) {
    if (AGGREGATIONS.has(member.name)) aggregations = readAggregations(member);
    else if (member.name === KNN) nearest = readKnn(member);
    else if (member.name === RANK) rank = member.value;
    else if (member.name === RETRIEVER && root !== null) retriever = parseRetriever(member.value, root);
    else readMember(request, member);
  }
  if (retriever?.kind === 'standard') applyRetriever(request, retriever);
  else if (retriever?.kind === 'knn') nearest = retriever.node;
  applyParams(request, input.params);
  applyStoredFields(request);
  const knn = nearest === null ? [] : parseKnnSearches(nearest, request.size);
  if (aggregations === null && suggestsWithoutQuery(input, root)) request.query = MATCH_NONE;
  if (knn.length > 0 && !hasQuery(input, root)) request.query = MATCH_NONE;
  const isWithoutSort = request.sort.length === 0;
  applyPointInTime(request);
  if (request.searchAfter !== null && isWithoutSort && request.sort.length > 0) {
    throw illegalArgument('Sort must contain at least one field.');
  }
  checkSearchAfter(request);
  checkCollapse(request);
  const ranked = { retriever: fusingRetriever(retriever), rank, knn };
  const ownQuery = hasQuery(input, root) ? request.query : null;
  const fusion = applyFusion(request, { ...ranked, ownQuery }, (body) => parseSearch(NO_INPUT, body));
  return { request, aggregations, knn: rank === null ? knn : [], fusion };
}

/** null where the hits are those of one search. */
function fusingRetriever(retriever: Retriever | null): FusingRetriever | null {
  return retriever === null || retriever.kind === 'standard' || retriever.kind === 'knn' ? null : retriever;
}

/** `_count`: a query and what ends it early; other members are refused as Elasticsearch does. No hits, an exact total. */
export function parseCountRequest(input: RequestInput, tree: JsonNode | null = treeOf(input)): SearchRequest {
  const request = defaultRequest();
  const root = rootObject(tree);
  for (const member of root?.members ?? []) {
    if (member.name !== 'query') {
      throw parsingException(`request does not support [${member.name}]`, member.at);
    }
    request.query = onlyQuery(member.value);
  }
  applyParams(request, input.params);
  request.size = 0;
  request.trackTotalHits = Number.POSITIVE_INFINITY;
  return request;
}

/** The query of a body that has no other members: what is wrong with it is a failure to parse, unless it says so itself. */
function onlyQuery(node: JsonNode): Query {
  try {
    return parseQuery(node);
  } catch (error) {
    if (!isShoalError(error) || error.type === 'parsing_exception') throw error;
    throw parsingException('Failed to parse', node.at, error);
  }
}

/** Whether a search suggests and has no query, be it that the list of its suggestions is empty: alone, it has no hits. */
export function suggestsWithoutQuery(input: RequestInput, root: JsonNode | null): boolean {
  return (input.params.suggest_field !== undefined || hasMember(root, 'suggest')) && !hasQuery(input, root);
}

function hasQuery({ params }: RequestInput, root: JsonNode | null): boolean {
  return params.q !== undefined || hasMember(root, 'query');
}

function hasMember(root: JsonNode | null, wanted: string): boolean {
  return root?.kind === 'object' && root.members.some(({ name }) => name === wanted);
}

function treeOf({ body }: RequestInput): JsonNode | null {
  return body === null ? null : parseJsonTree(body);
}

function rootObject(root: JsonNode | null): JsonObjectNode | null {
  if (root === null || root.kind === 'object') return root;
  throw parsingException(`Expected [START_OBJECT] but found [${tokenName(root)}]`, root.at);
}

/** Names of the member that `@shoal/aggregations` parses. */
const AGGREGATIONS: ReadonlySet<string> = new Set(['aggs', 'aggregations']);

/** Input of a search within another: its body was read with that. */
const NO_INPUT: RequestInput = { body: null, params: {} };
/** Name of the member that looks for nearest vectors. */
const KNN = 'knn';
/** Name of the member that ranks by several searches at once. */
const RANK = 'rank';
/** Name of the member that says in one how hits are found. */
const RETRIEVER = 'retriever';

type MemberReader = (request: Mutable<SearchRequest>, member: JsonMember) => void;

const MEMBERS: ReadonlyMap<string, MemberReader> = new Map<string, MemberReader>([
  ['query', (r, m) => void (r.query = parseQuery(m.value))],
  ['post_filter', (r, m) => void (r.postFilter = parseQuery(m.value))],
  ['from', (r, m) => void (r.from = notNegative('from', readInteger(m.value, 'from')))],
  ['size', (r, m) => void (r.size = notNegative('size', readInteger(m.value, 'size')))],
  ['sort', (r, m) => void (r.sort = parseSort(m.value, parseQuery))],
  ['_source', (r, m) => void (r.source = parseSourceFilter(m.value))],
  ['stored_fields', (r, m) => void (r.storedFields = readStrings(m.value, m.name))],
  ['track_total_hits', (r, m) => void (r.trackTotalHits = trackTotalHits(readScalar(m.value, m.name)))],
  ['track_scores', (r, m) => void (r.tracksScores = readBoolean(m.value, m.name))],
  ['min_score', (r, m) => void (r.minScore = readNumber(m.value, m.name))],
  ['version', (r, m) => void (r.version = readBoolean(m.value, m.name))],
  ['seq_no_primary_term', (r, m) => void (r.seqNoPrimaryTerm = readBoolean(m.value, m.name))],
  ['terminate_after', (r, m) => void (r.terminateAfter = terminateAfter(readInteger(m.value, m.name)))],
  ['timeout', (r, m) => void (r.timeoutMs = parseTimeout(readString(m.value, m.name), 'timeout') ?? NO_TIMEOUT_MS)],
  ['search_after', readSearchAfter],
  ['pit', (r, m) => void (r.pointInTime = parsePointInTime(m.value))],
  ['slice', (r, m) => void (r.slice = parseSlice(m.value))],
  ['explain', (r, m) => void (r.isExplained = readBoolean(m.value, m.name))],
  ['include_named_queries_score', (r, m) => void (r.showsQueryScores = readBoolean(m.value, m.name))],
  ['indices_boost', (r, m) => void (r.indicesBoost = parseIndicesBoost(m.value))],
  ['highlight', (r, m) => void (r.highlight = parseHighlight(m.value, parseQuery))],
  ['collapse', (r, m) => void (r.collapse = parseCollapse(m.value))],
  ['rescore', (r, m) => void (r.rescore = parseRescore(m.value))],
  ['suggest', (r, m) => void (r.suggest = parseSuggest(m.value))],
  ['script_fields', (r, m) => void (r.scriptFields = parseScriptFields(m.value))],
  ['stats', (r, m) => void (r.statsGroups = readGroups(m))],
  ['profile', (r, m) => void (r.isProfiled = readBoolean(m.value, m.name))],
  ['fields', (r, m) => void (r.fields = parseShownFields(m.value, m.name))],
  ['runtime_mappings', (r, m) => void (r.runtimeMappings = parseRuntimeMappings(m))],
  ['docvalue_fields', (r, m) => void (r.docValueFields = parseShownFields(m.value, m.name))],
]);

/** Members that may be objects. */
const OBJECTS: ReadonlySet<string> = new Set([
  '_source',
  'collapse',
  'highlight',
  'indices_boost',
  'pit',
  'post_filter',
  'query',
  'rescore',
  'runtime_mappings',
  'script_fields',
  'slice',
  'sort',
  'suggest',
]);
/** Members that may be arrays. */
const ARRAYS: ReadonlySet<string> = new Set([
  '_source',
  'docvalue_fields',
  'fields',
  'indices_boost',
  'rescore',
  'search_after',
  'sort',
  'stats',
  'stored_fields',
]);
/** Members of the first that may be plain values too. */
const VALUES: ReadonlySet<string> = new Set(['_source', 'sort']);

/** Known to Elasticsearch, not built here. Their neutral values (`false`, `{}`, `[]`) are accepted. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['derived', 'ext']);

function readMember(request: Mutable<SearchRequest>, member: JsonMember): void {
  const reader = MEMBERS.get(member.name);
  if (reader && isPlaced(member)) reader(request, member);
  else if (!NOT_SUPPORTED.has(member.name)) throw unknownKey(member);
  else if (!isNeutral(member)) throw notSupported(member.name);
}

/** 400: no member of this name has a value of this kind. */
function unknownKey({ name, value }: Pick<JsonMember, 'name' | 'value'>): ShoalError {
  return parsingException(`Unknown key for a ${tokenName(value)} in [${name}].`, value.at);
}

/** Whether a value of this kind may stand behind the name. */
function isPlaced({ name, value }: JsonMember): boolean {
  switch (value.kind) {
    case 'object':
      return OBJECTS.has(name);
    case 'array':
      return ARRAYS.has(name);
    case 'null':
      return false;
    default:
      return !OBJECTS.has(name) || VALUES.has(name);
  }
}

/** Names under which the search is counted. */
function readGroups({ name, value }: JsonMember): readonly string[] {
  if (value.kind === 'array') return readStrings(value, name);
  throw unknownKey({ name, value });
}

function isNeutral({ value }: JsonMember): boolean {
  if (value.kind === 'object') return value.members.length === 0;
  if (value.kind === 'array') return value.items.length === 0;
  return value.kind === 'null' || (value.kind === 'boolean' && !value.value);
}

function notSupported(name: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `[${name}] is not supported by this server`);
}

/** Every order within a point in time is total: its pages follow each other without a gap. */
function applyPointInTime(request: Mutable<SearchRequest>): void {
  const { sort, pointInTime } = request;
  const hasShardDoc = sort.some(({ kind }) => kind === 'shardDoc');
  if (pointInTime === null) {
    if (hasShardDoc) throw illegalArgument('[_shard_doc] sort field cannot be used without [point in time]');
    request.sort = withoutPlainScore(sort);
  } else if (sort.length > 0 && !hasShardDoc) request.sort = [...sort, SHARD_DOC];
}

/** null without any member. */
function readAggregations({ name, value }: JsonMember): JsonObjectNode | null {
  if (value.kind !== 'object') throw unknownKey({ name, value });
  return value.members.length === 0 ? null : value;
}

function applyRetriever(
  request: Mutable<SearchRequest>,
  { members, filter }: Extract<Retriever, { kind: 'standard' }>,
): void {
  for (const member of members) readMember(request, member);
  if (filter.length > 0) request.query = filteredQuery(request.query, filter);
}

/** The searches as they are written; null where there are none. */
function readKnn({ name, value }: JsonMember): JsonNode | null {
  if (value.kind === 'array') return value.items.length === 0 ? null : value;
  if (value.kind !== 'object') throw unknownKey({ name, value });
  return value;
}

function readSearchAfter(request: Mutable<SearchRequest>, member: JsonMember): void {
  if (member.value.kind !== 'array') throw unknownKey(member);
  if (member.value.items.length === 0) throw illegalArgument('Values must contains at least one value.');
  request.searchAfter = member.value.items.map((item) => readSortValue(item, 'search_after'));
}

function checkSearchAfter(request: SearchRequest): void {
  if (request.searchAfter === null || request.from === 0) return;
  throw illegalArgument('`from` parameter must be set to 0 when `search_after` is used.');
}

/** A cursor does not say which groups were shown, unless it is the value of the last of them. */
function checkCollapse({ collapse, searchAfter, rescore, sort }: SearchRequest): void {
  if (collapse === null) return;
  if (searchAfter !== null && (sort.length > 1 || sort[0]?.field !== collapse.field)) {
    throw illegalArgument(
      'cannot use `collapse` in conjunction with `search_after` unless the search is sorted on the same field. Multiple sort fields are not allowed.',
    );
  }
  if (rescore.length > 0) throw illegalArgument('cannot use `collapse` in conjunction with `rescore`');
}

function notNegative(name: 'from' | 'size', value: number): number {
  if (value < 0) throw illegalArgument(`[${name}] parameter cannot be negative, found [${value}]`);
  return value;
}

function terminateAfter(value: number): number {
  if (value < 0) throw illegalArgument('terminateAfter must be > 0');
  return value;
}

function trackTotalHits(value: unknown): number {
  if (value === true || value === 'true' || value === '') return Number.POSITIVE_INFINITY;
  if (value === false || value === 'false') return 0;
  const count = Number(value);
  if (Number.isInteger(count) && count >= 0) return count;
  if (count === -1) return 0;
  throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${String(value)}`);
}

function integerParameter(name: string, text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw illegalArgument(`Failed to parse int parameter [${name}] with value [${text}]`, {
    causedBy: new ShoalError('number_format_exception', 400, `For input string: "${text}"`),
  });
}

/** URI parameters win over the body. Which names are allowed at all is the route's business. */
function applyParams(request: Mutable<SearchRequest>, params: Readonly<Record<string, string>>): void {
  const { from, size, sort, timeout } = params;
  const query = queryOfParams(params);
  if (query) request.query = query;
  if (from !== undefined) request.from = notNegative('from', integerParameter('from', from));
  if (size !== undefined) request.size = notNegative('size', integerParameter('size', size));
  if (sort !== undefined) request.sort = parseSortParameter(sort);
  if (timeout !== undefined) request.timeoutMs = parseTimeout(timeout, 'timeout') ?? NO_TIMEOUT_MS;
  if (params.track_total_hits !== undefined) request.trackTotalHits = trackTotalHits(params.track_total_hits);
  if (params.track_scores !== undefined) request.tracksScores = parseBooleanText(params.track_scores);
  if (params.version !== undefined) request.version = parseBooleanText(params.version);
  if (params.seq_no_primary_term !== undefined) {
    request.seqNoPrimaryTerm = parseBooleanText(params.seq_no_primary_term);
  }
  if (params.min_score !== undefined) request.minScore = Number(params.min_score);
  if (params.terminate_after !== undefined) {
    request.terminateAfter = terminateAfter(integerParameter('terminate_after', params.terminate_after));
  }
  if (params.explain !== undefined) request.isExplained = parseBooleanText(params.explain);
  if (params.include_named_queries_score !== undefined) {
    request.showsQueryScores = parseBooleanText(params.include_named_queries_score);
  }
  if (params.docvalue_fields !== undefined) request.docValueFields = shownFieldsOfParam(params.docvalue_fields);
  if (params.profile !== undefined) request.isProfiled = parseBooleanText(params.profile);
  if (params.stats !== undefined) request.statsGroups = params.stats.split(',').filter((name) => name !== '');
  if (params.stored_fields !== undefined) {
    request.storedFields = params.stored_fields.split(',').filter((name) => name !== '');
  }
  request.source = sourceFilterOfParams(params) ?? request.source;
  request.suggest = suggestOfParams(params) ?? request.suggest;
}

/** `q=` with its companions; null without it. */
function queryOfParams(params: Readonly<Record<string, string>>): Query | null {
  if (params.q === undefined) return null;
  const query = queryStringDefaults(params.q);
  if (params.df !== undefined) query.defaultField = params.df;
  if (params.analyzer !== undefined) query.analyzer = params.analyzer;
  if (params.default_operator !== undefined) query.operator = parseOperator(params.default_operator);
  if (params.lenient !== undefined) query.isLenient = parseBooleanText(params.lenient);
  if (params.analyze_wildcard !== undefined) query.analyzesWildcards = parseBooleanText(params.analyze_wildcard);
  return query;
}
