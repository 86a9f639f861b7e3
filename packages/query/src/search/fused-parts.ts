/**
 * What all retrievers that fuse other searches share: the searches within one another, their filters and limits.
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
import { parseClauses } from '../members/inner-queries.ts';
import { readNumber } from '../members/request-values.ts';
import type { QueryNode } from '../node/query-node.ts';
import { asQuery, parseQuery } from '../registry/query.ts';
import type { FusedPart, ParsedSearch, RankFusion } from './search-request.ts';

/** Default "rank_window_size" of a fusion. */
export const WINDOW_DEFAULT = 10;
/** Largest `rank_window_size`: that many places of each search are looked at. */
const WINDOW_MAX = 10_000;
/** Searches that one fusion may have. */
const PARTS_MAX = 100;
/** Retrievers in one another. */
const DEPTH_MAX = 8;

/** How a part counts of which nothing is said. */
export const PLAIN_PART: Omit<FusedPart, 'search'> = { weight: 1, normalizer: 'none' };

/** Parses the body of a search that is part of another one. */
export type ParsePart = (body: JsonObjectNode) => ParsedSearch;

/** A fusion and what it asks of the hits that come out of it. */
export interface ParsedFusion {
  readonly fusion: RankFusion;
  /** Least score; null: any. */
  readonly minScore: number | null;
}

/** What every retriever that fuses others may say of its hits. */
export class CommonMembers {
  /** Least score; null: any. */
  minScore: number | null = null;
  filter: readonly QueryNode[] = [];

  /** @returns false for a member of one kind of retriever alone */
  read({ name, value }: JsonMember): boolean {
    if (name === 'filter') this.filter = parseClauses(value, parseQuery);
    else if (name === 'min_score') this.minScore = readNumber(value, name);
    // Names of retrievers are told by no answer.
    else return name === '_name';
    return true;
  }
}

/** Items of `retrievers`. */
export function partsOf(value: JsonNode, retriever: RankFusion['retriever']): readonly JsonNode[] {
  if (value.kind !== 'array') {
    throw parsingException(`[${retriever}] retrievers doesn't support values of this type`, value.at);
  }
  if (value.items.length > PARTS_MAX) throw illegalArgument(`more than ${PARTS_MAX} entries of [retrievers]`);
  return value.items;
}

/** @throws ShoalError for more than is looked at */
export function checkedFusion(fusion: RankFusion): RankFusion {
  const { retriever, windowSize } = fusion;
  if (windowSize < 1) throw illegalArgument(`[rank_window_size] must be greater or equal to [1] for [${retriever}]`);
  if (windowSize > WINDOW_MAX) {
    throw illegalArgument(`[rank_window_size] must be less than or equal to [${WINDOW_MAX}] for [${retriever}]`);
  }
  if (depthOf(fusion) > DEPTH_MAX) throw illegalArgument(`more than ${DEPTH_MAX} retrievers in one another`);
  return fusion;
}

function depthOf({ parts }: RankFusion): number {
  return 1 + Math.max(0, ...parts.map(({ search }) => (search.fusion === null ? 0 : depthOf(search.fusion))));
}

/** The body of a search that has a retriever and nothing else. */
export function bodyOf(retriever: JsonObjectNode): JsonObjectNode {
  const member: JsonMember = { name: 'retriever', value: retriever, at: retriever.at };
  return { kind: 'object', at: retriever.at, members: [member], end: retriever.end };
}

/** The search with what all hits must match beside, where it looks for them. */
export function withFilter(search: ParsedSearch, filter: readonly QueryNode[]): ParsedSearch {
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

export function notValid(problem: string): ShoalError {
  return new ShoalError('action_request_validation_exception', 400, `Validation Failed: 1: ${problem};`);
}
