/**
 * Searches among the requests that a node was asked: of which indices, and for what. One of `_msearch` is several.
 */
import { type AggregationLevel, parseAggregations } from '@shoal/aggregations';
import { parseSearch, type SearchRequest } from '@shoal/query';
import type { AskedRequest } from '../requests/asked-request.ts';

export interface AskedSearch {
  /** Names and patterns, as in a path. */
  readonly indices: string;
  readonly request: SearchRequest;
  readonly aggregations: AggregationLevel | null;
  /** Documents that it found, matched or changed; null where the answer does not say. */
  readonly found: number | null;
}

const ALL = '_all';
/** Endpoints whose body is a search, or has a query as a search does. */
const SEARCHES: ReadonlySet<string> = new Set([
  '_search',
  '_async_search',
  '_count',
  '_delete_by_query',
  '_update_by_query',
]);

type Members = Readonly<Record<string, unknown>>;

/** None for another request, or one whose body could not be read. */
export function searchesOf(asked: AskedRequest): readonly AskedSearch[] {
  const { indices, api } = partsOfPath(asked.path);
  if (api === '_msearch') return searchesOfLines(asked, indices);
  if (!SEARCHES.has(api)) return [];
  const search = searchOf(indices, membersOf(asked.body), asked.query, foundOf(membersOf(asked.answer)));
  return search === null ? [] : [search];
}

/** What a path is of, all indices where it says none, and what is asked of it, such as `_search` or `_flush/synced`. */
export function partsOfPath(path: string): { readonly indices: string; readonly api: string } {
  const segments = segmentsOf(path);
  const at = segments.findIndex((segment) => segment.startsWith('_') && segment !== ALL);
  if (at < 0) return { indices: ALL, api: '' };
  return { indices: segments.slice(0, at).join('/') || ALL, api: segments.slice(at).join('/') };
}

export function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeURIComponent);
}

export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function searchesOfLines({ body, answer }: AskedRequest, ofPath: string): readonly AskedSearch[] {
  const { responses } = membersOf(answer);
  if (!Array.isArray(body) || !Array.isArray(responses)) return [];
  return responses.flatMap((response, n) => {
    const { index } = membersOf(body[2 * n]);
    const named = Array.isArray(index) ? index.join(',') : index;
    const found = foundOf(membersOf(response));
    const search = searchOf(typeof named === 'string' ? named : ofPath, membersOf(body[2 * n + 1]), {}, found);
    return search === null ? [] : [search];
  });
}

function searchOf(
  indices: string,
  body: Members,
  params: Readonly<Record<string, string>>,
  found: number | null,
): AskedSearch | null {
  try {
    const { request, aggregations } = parseSearch({ body: new TextEncoder().encode(JSON.stringify(body)), params });
    // A point in time knows its indices itself.
    const of = request.pointInTime === null ? indices : ALL;
    return {
      indices: of,
      request,
      aggregations: aggregations === null ? null : parseAggregations(aggregations),
      found,
    };
  } catch {
    return null; // It was answered with an error, or has members that only its own API has.
  }
}

/** What the answer says that was found, matched or changed. */
function foundOf(answer: Members): number | null {
  const { hits, total: changed } = membersOf('response' in answer ? answer.response : answer);
  const { total } = membersOf(hits);
  const matched = typeof total === 'number' ? total : membersOf(total).value;
  for (const count of [matched, answer.count, changed]) if (typeof count === 'number') return count;
  return null;
}
