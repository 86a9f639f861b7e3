/**
 * What a search asks that says nothing.
 */
import { defaultHitOptions } from '../hits/hit-members.ts';
import { MATCH_ALL } from '../kinds/match-all/match-all.ts';
import type { Mutable } from '../node/mutable.ts';
import type { ParsedSearch, SearchRequest } from './search-request.ts';

/** Default "size" of a search. */
const SIZE_DEFAULT = 10;
/** Default "track_total_hits" of a search. */
const TRACK_TOTAL_HITS_DEFAULT = 10_000;

/** `timeout` of a parsed request that asks for no limit of time, in which it differs from one that says nothing. */
export const NO_TIMEOUT_MS = -1;

/**
 * Every default, made once and copied for each search: members that are added behind a spread miss every cache of V8, about a
 * microsecond each, and give every object a hidden class of its own.
 */
const DEFAULTS: SearchRequest = {
  ...defaultHitOptions(SIZE_DEFAULT),
  query: MATCH_ALL,
  postFilter: null,
  trackTotalHits: TRACK_TOTAL_HITS_DEFAULT,
  showsPlainTotals: false,
  showsTypes: false,
  showsQueryScores: false,
  minScore: null,
  terminateAfter: 0,
  timeoutMs: null,
  searchAfter: null,
  pointInTime: null,
  slice: null,
  indicesBoost: [],
  collapse: null,
  rescore: [],
  suggest: [],
  runtimeMappings: null,
  allowsExpensive: true,
  allowsIdValues: true,
  isProfiled: false,
  tellsPlainQuery: false,
  statsGroups: [],
};

/** A search that asks for nothing but what its defaults say, with `given` in place of some of them. */
export function searchRequest(given: Partial<SearchRequest>): SearchRequest {
  return { ...defaultRequest(), ...given };
}

/** A search that is its request and nothing beside. */
export function plainSearch(request: SearchRequest): ParsedSearch {
  return { request, aggregations: null, knn: [], fusion: null };
}

/** A new request with every default filled in. Its lists are shared: they are replaced, never added to. */
export function defaultRequest(): Mutable<SearchRequest> {
  return { ...DEFAULTS };
}
