/**
 * `knn` of a search: the nearest documents over all shards, which are hits beside those of the query.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import type { KnnQuery } from '../kinds/knn/knn.ts';
import { CANDIDATES_MAX, defaultCandidates, parseVectorMembers } from '../kinds/knn/vector-members.ts';
import { parseQuery } from '../registry/query.ts';

export interface KnnSearch {
  /** What each shard is asked. */
  readonly query: KnnQuery;
  /** Nearest documents over all shards that are hits. */
  readonly k: number;
}

/** Vectors that one search may look for. */
const SEARCHES_MAX = 100;

/** @param size of the request, by which one that does not say looks for as many */
export function parseKnnSearches(node: JsonNode, size: number): readonly KnnSearch[] {
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > SEARCHES_MAX) throw illegalArgument(`more than ${SEARCHES_MAX} entries of [knn]`);
  return items.map((item) => parseKnnSearch(item, size));
}

function parseKnnSearch(node: JsonNode, size: number): KnnSearch {
  const { k: given, candidates, ...members } = parseVectorMembers(node, 'knn', parseQuery);
  const k = given ?? Math.max(1, Math.min(size, candidates ?? CANDIDATES_MAX));
  if (k > CANDIDATES_MAX) throw illegalArgument(`[k] cannot exceed [${CANDIDATES_MAX}]`);
  const perShard = Math.max(k, candidates ?? defaultCandidates(k));
  return { query: { kind: 'knn', ...members, limit: null, perShard, found: null }, k };
}
