/**
 * `rrf`: hits of several searches, ranked by the places that they have in each (reciprocal rank fusion).
 *
 * A document has the score Σ weight / (rank_constant + place) over the searches that found it among their first `rank_window_size`.
 *
 * @see Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (2009)
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ShoalError,
} from '@shoal/core';
import { filteredQuery } from '../kinds/bool/bool.ts';
import { MATCH_NONE } from '../kinds/match-none/match-none.ts';
import { unknownField } from '../members/content-errors.ts';
import { parseClauses } from '../members/inner-queries.ts';
import { readInteger, readNumber, readObject } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import type { QueryNode } from '../node/query-node.ts';
import { asQuery, parseQuery, type Query } from '../registry/query.ts';
import { plainSearch, searchRequest } from './default-request.ts';
import type { KnnSearch } from './knn-search.ts';
import type { FusedPart, ParsedSearch, RankFusion, SearchRequest } from './search-request.ts';

const RANK_CONSTANT_DEFAULT = 60;
const WINDOW_DEFAULT = 10;
/** Largest `rank_window_size`: that many places of each search are looked at. */
const WINDOW_MAX = 10_000;
/** Searches that one fusion may have. */
const PARTS_MAX = 100;
/** Retrievers in one another. */
const DEPTH_MAX = 8;

const MEMBERS: readonly string[] = ['retrievers', 'rank_constant', 'rank_window_size', 'filter', 'min_score', '_name'];
const WEIGHTED: readonly string[] = ['retriever', 'weight'];

/** What of a search may be fused. */
interface RankedParts {
  /** Node of `rrf`; null where no retriever says so. */
  readonly retriever: JsonNode | null;
  /** `rank` of the body; null without it. */
  readonly rank: JsonNode | null;
  readonly knn: readonly KnnSearch[];
  /** null for a search without one. */
  readonly ownQuery: Query | null;
}

/**
 * The searches whose ranks are fused; null for a search that is one.
 *
 * @param request is told the least score that the fusion asks for
 * @param parsePart parses a body
 */
export function applyFusion(
  request: Mutable<SearchRequest>,
  { retriever, rank, knn, ownQuery }: RankedParts,
  parsePart: (body: JsonObjectNode) => ParsedSearch,
): RankFusion | null {
  let fusion: RankFusion | null = null;
  if (retriever !== null) {
    const parsed = parseRankFusion(retriever, parsePart);
    request.minScore = parsed.minScore;
    fusion = parsed.fusion;
  } else if (rank !== null) {
    const byQuery = ownQuery === null ? [] : [plainSearch(searchRequest({ query: ownQuery }))];
    const byVectors = knn.map((each) => ({ ...plainSearch(searchRequest({ query: MATCH_NONE })), knn: [each] }));
    fusion = parseRank(rank, [...byQuery, ...byVectors]);
  }
  if (fusion !== null) checkFusedPage(fusion, request);
  return fusion;
}

/** A fusion and what it asks of the hits that come out of it. */
interface ParsedFusion {
  readonly fusion: RankFusion;
  /** Least score; null: any. */
  readonly minScore: number | null;
}

/** @param parsePart parses a body */
function parseRankFusion(node: JsonNode, parsePart: (body: JsonObjectNode) => ParsedSearch): ParsedFusion {
  const places = { rankConstant: RANK_CONSTANT_DEFAULT, windowSize: WINDOW_DEFAULT };
  let minScore: number | null = null;
  let filter: readonly QueryNode[] = [];
  let parts: readonly FusedPart[] | null = null;
  for (const member of readObject(node, 'rrf').members) {
    const { name, value } = member;
    if (name === 'retrievers') parts = parseParts(member, parsePart);
    else if (name === 'filter') filter = parseClauses(value, parseQuery);
    else if (name === 'min_score') minScore = readNumber(value, name);
    // Names of retrievers are told by no answer.
    else if (name !== '_name' && !readPlaces(places, member)) throw unknownField('rrf', member, MEMBERS);
  }
  if (parts === null) throw illegalArgument('Required [retrievers]');
  const narrowed = parts.map(({ search, weight }) => ({ search: withFilter(search, filter), weight }));
  return { fusion: checkedFusion({ parts: narrowed, ...places }), minScore };
}

/** `rank` of a search: its query and its searches for vectors as parts of a fusion; null where it is empty. */
function parseRank(value: JsonNode, parts: readonly ParsedSearch[]): RankFusion {
  const [kind] = readObject(value, 'rank').members;
  if (kind === undefined) throw parsingException('[rank] is empty', value.at);
  if (kind.name !== 'rrf') throw parsingException(`unknown field [${kind.name}]`, kind.value.at);
  const places = { rankConstant: RANK_CONSTANT_DEFAULT, windowSize: WINDOW_DEFAULT };
  for (const member of readObject(kind.value, 'rrf').members) {
    if (!readPlaces(places, member)) throw unknownField('rrf', member, ['rank_constant', 'rank_window_size']);
  }
  if (parts.length < 2) {
    throw notValid(
      '[rank] requires a minimum of [2] result sets using a combination of sub searches and/or knn searches',
    );
  }
  return checkedFusion({ parts: parts.map((search) => ({ search, weight: 1 })), ...places });
}

/** Reads how places are ranked. @returns false for another member */
function readPlaces(
  places: Mutable<Pick<RankFusion, 'rankConstant' | 'windowSize'>>,
  { name, value }: JsonMember,
): boolean {
  if (name === 'rank_constant') places.rankConstant = readInteger(value, name);
  else if (name === 'rank_window_size' || name === 'window_size') places.windowSize = readInteger(value, name);
  else return false;
  return true;
}

/** @throws ShoalError for a page that is larger than what is ranked */
function checkFusedPage({ windowSize }: RankFusion, { size }: SearchRequest): void {
  if (size <= windowSize) return;
  throw notValid(`[rrf] requires [rank_window_size: ${windowSize}] be greater than or equal to [size: ${size}]`);
}

function checkedFusion(fusion: RankFusion): RankFusion {
  const { rankConstant, windowSize } = fusion;
  if (rankConstant < 1) throw illegalArgument('[rank_constant] must be greater or equal to [1] for [rrf]');
  if (windowSize < 1) throw illegalArgument('[rank_window_size] must be greater or equal to [1] for [rrf]');
  if (windowSize > WINDOW_MAX) {
    throw illegalArgument(`[rank_window_size] must be less than or equal to [${WINDOW_MAX}] for [rrf]`);
  }
  if (depthOf(fusion) > DEPTH_MAX) throw illegalArgument(`more than ${DEPTH_MAX} retrievers in one another`);
  return fusion;
}

function depthOf({ parts }: RankFusion): number {
  return 1 + Math.max(0, ...parts.map(({ search }) => (search.fusion === null ? 0 : depthOf(search.fusion))));
}

function parseParts({ value }: JsonMember, parsePart: (body: JsonObjectNode) => ParsedSearch): readonly FusedPart[] {
  if (value.kind !== 'array') throw parsingException("[rrf] retrievers doesn't support values of this type", value.at);
  if (value.items.length > PARTS_MAX) throw illegalArgument(`more than ${PARTS_MAX} entries of [retrievers]`);
  return value.items.map((item) => {
    const entry = readObject(item, 'retriever');
    const isWeighted = entry.members.some(({ name }) => name === 'retriever');
    if (!isWeighted) return { search: parsePart(bodyOf(entry)), weight: 1 };
    return parseWeighted(entry, parsePart);
  });
}

function parseWeighted(entry: JsonObjectNode, parsePart: (body: JsonObjectNode) => ParsedSearch): FusedPart {
  let weight = 1;
  let search: ParsedSearch | null = null;
  for (const member of entry.members) {
    if (member.name === 'weight') weight = readNumber(member.value, member.name);
    else if (member.name === 'retriever') search = parsePart(bodyOf(readObject(member.value, member.name)));
    else throw unknownField('rrf_component', member, WEIGHTED);
  }
  if (weight < 0) throw illegalArgument('[weight] must be non-negative');
  if (search === null) throw illegalArgument('Required [retriever]');
  return { search, weight };
}

/** The body of a search that has a retriever and nothing else. */
function bodyOf(retriever: JsonObjectNode): JsonObjectNode {
  const member: JsonMember = { name: 'retriever', value: retriever, at: retriever.at };
  return { kind: 'object', at: retriever.at, members: [member], end: retriever.end };
}

/** The search with what all hits must match beside, where it looks for them. */
function withFilter(search: ParsedSearch, filter: readonly QueryNode[]): ParsedSearch {
  if (filter.length === 0) return search;
  const { request, knn, fusion } = search;
  return {
    ...search,
    request: knn.length > 0 ? request : { ...request, query: asQuery(filteredQuery(request.query, filter)) },
    knn: knn.map((one) => ({ ...one, query: { ...one.query, filter: [...one.query.filter, ...filter] } })),
    fusion: fusion && {
      ...fusion,
      parts: fusion.parts.map((part) => ({ ...part, search: withFilter(part.search, filter) })),
    },
  };
}

function notValid(problem: string): ShoalError {
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: 1: ${problem};`);
}
