/**
 * `knn`: the documents of each shard whose vectors are nearest to one.
 */
import { type JsonNode, ValueReader } from '@shoal/core';
import type { ParseInner, QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase, readCount } from '../../node/query-node.ts';
import { type NearnessLimit, parseFieldVector, readNearnessLimit } from './field-vector.ts';
import { CANDIDATES_MAX, NUMBERS_MAX, parseVectorMembers } from './vector-members.ts';

export interface KnnQuery extends QueryNode {
  readonly kind: 'knn';
  readonly field: string;
  readonly vector: readonly number[];
  /** Documents of each shard that match; null: by the size of the request. */
  readonly perShard: number | null;
  /** What the documents must match. */
  readonly filter: readonly QueryNode[];
  /** Least similarity; null: any. */
  readonly similarity: number | null;
  /** Least nearness in the terms of `knn_vector`; null: any. */
  readonly limit: NearnessLimit | null;
  /** The documents, where all shards were asked before; null: each shard finds its own. */
  readonly found: readonly FoundNeighbour[] | null;
}

/** One of the nearest documents over all shards. */
export interface FoundNeighbour {
  readonly index: string;
  readonly shard: number;
  readonly id: string;
  /** With the boost of the query. */
  readonly score: number;
}

/** Documents that other searches found and ranked: no vectors were looked at, so that nothing can be wrong with those of a field. */
export const RANKED_DOCUMENTS: KnnQuery = {
  kind: 'knn',
  field: '',
  vector: [],
  perShard: null,
  filter: [],
  similarity: null,
  limit: null,
  found: [],
  boost: 1,
  name: null,
};

function parseKnn(node: JsonNode, name: string, parseInner: ParseInner): KnnQuery {
  const byField = parseFieldVector(node, name, parseInner);
  if (byField !== null) return { kind: 'knn', ...byField, found: null };
  const { k, candidates, ...given } = parseVectorMembers(node, name, parseInner);
  return { kind: 'knn', ...given, limit: null, perShard: k ?? candidates, found: null };
}

function readNeighbour(value: unknown, path: string): FoundNeighbour {
  const r = ValueReader.of(value, path);
  return { index: r.string('index'), shard: readCount(r, 'shard'), id: r.string('id'), score: r.number('score') };
}

export const knn: QueryKind<KnnQuery> = {
  kind: 'knn',
  parse: parseKnn,
  read: (r, readInner) => ({
    kind: 'knn',
    field: r.string('field'),
    vector: r.list('vector', ValueReader.asNumber, NUMBERS_MAX),
    perShard: r.optionalInteger('perShard', 1, CANDIDATES_MAX),
    filter: r.list('filter', readInner, LIST_ENTRIES_MAX),
    similarity: r.optionalNumber('similarity'),
    limit: r.optional('limit', readNearnessLimit),
    found: r.optional('found', (value, path) => ValueReader.listOf(value, path, readNeighbour, CANDIDATES_MAX)),
    ...readBase(r),
  }),
  inner: ({ filter }) => filter,
};
