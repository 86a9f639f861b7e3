/**
 * `inner_hits` of a collapsed search: for each hit of the page, and for each name, one search within the hit's group.
 *
 * A group is cut out by a post filter, so that the query itself stays as it was written and scores as it did.
 */
import { isShoalError, type JsonObjectNode, jsonNodeValue, ShoalError, writeJson } from '@shoal/core';
import type { CollapseRequest, GroupSearch, SearchRequest } from '@shoal/query';
import { sortValueForHit } from '@shoal/shard-api';
import type { RequestTrees } from '../../context/request-trees.ts';
import type { SearchInput } from '../targets/search-input.ts';
import type { InnerSearch, SearchHit, SearchOutcome } from './search-outcome.ts';

const CONCURRENT_SEARCHES_DEFAULT = 4;
const SIZE_DEFAULT = 3;

/** Parameters that say what the query is; the others are of the page around it. */
const QUERY_PARAMETERS = ['q', 'df', 'analyzer', 'analyze_wildcard', 'default_operator', 'lenient'];
/** Members of the body that say where and among what is searched. */
const KEPT_MEMBERS = ['query', 'pit', 'timeout'];

export interface GroupedHits {
  readonly input: SearchInput;
  readonly request: SearchRequest;
  readonly hits: readonly SearchHit[];
}

/** The hits with the searches of their groups; as they are without `inner_hits`. */
export async function expandGroups(
  trees: RequestTrees,
  { input, request, hits }: GroupedHits,
  search: (inner: SearchInput) => Promise<SearchOutcome>,
): Promise<readonly SearchHit[]> {
  const { collapse } = request;
  if (collapse === null || collapse.innerHits.length === 0 || hits.length === 0) return hits;
  const root = await trees.read(input, (tree) => tree);
  const body = root?.kind === 'object' ? root : null;
  const jobs = hits.flatMap((hit, at) => collapse.innerHits.map((inner) => ({ hit, at, inner })));
  const found: InnerSearch[][] = hits.map(() => []);
  const outcomes = new Array<SearchOutcome>(jobs.length);
  let next = 0;
  const runWorker = async (): Promise<void> => {
    for (let i = next++; i < jobs.length; i = next++) {
      const job = jobs[i];
      if (job) outcomes[i] = await expanded(() => search(innerInput(input, body, collapse, job.hit, job.inner)));
    }
  };
  const workers = collapse.maxConcurrentGroupSearches || CONCURRENT_SEARCHES_DEFAULT;
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, runWorker));
  for (const [i, { at, inner }] of jobs.entries()) {
    const outcome = outcomes[i];
    if (outcome) found[at]?.push({ name: inner.name, outcome });
  }
  return hits.map((hit, at) => ({ ...hit, innerHits: found[at] ?? [] }));
}

/** @throws search_phase_execution_exception of the phase that failed, which has no root cause of its own */
async function expanded(search: () => Promise<SearchOutcome>): Promise<SearchOutcome> {
  try {
    return await search();
  } catch (error) {
    if (!isShoalError(error) || error.type !== 'search_phase_execution_exception') throw error;
    throw new ShoalError('search_phase_execution_exception', error.status, 'failed to expand hits', {
      details: { phase: 'expand', grouped: true, failed_shards: [] },
      causedBy: error,
    });
  }
}

function innerInput(
  input: SearchInput,
  body: JsonObjectNode | null,
  collapse: CollapseRequest,
  hit: SearchHit,
  inner: GroupSearch,
): SearchInput {
  const members: Record<string, unknown> = { size: SIZE_DEFAULT };
  for (const { name, value } of body?.members ?? []) {
    if (KEPT_MEMBERS.includes(name)) members[name] = jsonNodeValue(value);
  }
  // Without a query the hits of a group are filtered, and score nothing.
  if (members.query === undefined && input.params.q === undefined)
    members.query = { bool: { filter: [{ match_all: {} }] } };
  for (const { name, value } of inner.members) members[name] = jsonNodeValue(value);
  const filter: unknown[] = [groupFilter(collapse.field, hit)];
  const given = body?.members.find(({ name }) => name === 'post_filter');
  if (given) filter.push(jsonNodeValue(given.value));
  members.post_filter = { bool: { filter } };
  const params: Record<string, string> = {};
  for (const name of QUERY_PARAMETERS) {
    const value = input.params[name];
    if (value !== undefined) params[name] = value;
  }
  return { ...input, body: writeJson(members), parsed: null, params, scrollKeepAliveMs: null, usesRequestCache: false };
}

/** Documents of the hit's group; those without a value are a group too. */
function groupFilter(field: string, { result, position }: SearchHit): unknown {
  const value = result.groups === null ? null : sortValueForHit(result.groups, position);
  return value === null ? { bool: { must_not: { exists: { field } } } } : { term: { [field]: { value } } };
}
