import { describe, expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

const MAPPING = {
  properties: {
    t: { type: 'text', fields: { raw: { type: 'keyword' } } },
    px: { type: 'text', index_prefixes: { min_chars: 2, max_chars: 4 } },
    s: { type: 'search_as_you_type' },
    n: { type: 'long' },
    c: { type: 'nested', properties: { f: { type: 'keyword' } } },
    j: { type: 'join', relations: { a: 'b' } },
    q: { type: 'percolator' },
  },
  runtime: { r: { type: 'keyword' } },
};

async function library(allowed: string | null): Promise<TestNode> {
  const settings = allowed === null ? {} : { 'search.allow_expensive_queries': allowed };
  const node = testNode({ indices: [indexOf('lib', { shards: 2, mapping: MAPPING })], settings });
  const doc = { t: 'some hot cold', px: 'some', s: 'some hot', n: 1, c: { f: 'x' } };
  await node.ask('POST', '/lib/_bulk', lines({ index: { _id: '1' } }, doc));
  return node;
}

const search = (node: TestNode, query: object) => node.ask('POST', '/lib/_search', JSON.stringify({ query }));

const FORBIDDEN = "cannot be executed when 'search.allow_expensive_queries' is set to false.";
const PREFIX = `[prefix] queries ${FORBIDDEN} For optimised prefix queries on text fields please enable [index_prefixes].`;
const plain = (queries: string): string => `[${queries}] queries ${FORBIDDEN}`;
const RANGE = `[range] queries on [text] or [keyword] fields ${FORBIDDEN}`;

const REFUSED: readonly (readonly [object, string])[] = [
  [{ prefix: { t: 'so' } }, PREFIX],
  [{ prefix: { 't.raw': 'so' } }, PREFIX],
  [{ prefix: { px: 'somex' } }, PREFIX],
  [{ wildcard: { t: 's*' } }, plain('wildcard')],
  [{ regexp: { t: 's.*' } }, plain('regexp')],
  [{ fuzzy: { t: 'somi' } }, plain('fuzzy')],
  [{ range: { t: { gte: 'a' } } }, RANGE],
  [{ range: { 't.raw': { gte: 'a' } } }, RANGE],
  [{ nested: { path: 'c', query: { match_all: {} } } }, plain('joining')],
  [{ nested: { path: 'none', ignore_unmapped: true, query: { match_all: {} } } }, plain('joining')],
  [{ has_child: { type: 'b', query: { match_all: {} } } }, plain('joining')],
  [{ has_parent: { parent_type: 'a', query: { match_all: {} } } }, plain('joining')],
  [{ parent_id: { type: 'b', id: '1' } }, plain('joining')],
  [{ percolate: { field: 'q', document: { t: 'x' } } }, plain('percolate')],
  [{ script: { script: 'true' } }, plain('script')],
  [{ script_score: { query: { match_all: {} }, script: { source: '1' } } }, plain('script score')],
  [{ match: { t: { query: 'somi', fuzziness: 1 } } }, plain('fuzzy')],
  [{ match: { 't.raw': { query: 'somi', fuzziness: 1 } } }, plain('fuzzy')],
  [{ multi_match: { query: 'so', fields: ['t'], type: 'bool_prefix' } }, PREFIX],
  [{ match_bool_prefix: { t: 'hot so' } }, PREFIX],
  [{ match_bool_prefix: { 't.raw': 'so' } }, PREFIX],
  [{ query_string: { query: 'so*', fields: ['t'] } }, PREFIX],
  [{ query_string: { query: 's?me', fields: ['t'] } }, plain('wildcard')],
  [{ query_string: { query: 'somi~', fields: ['t'] } }, plain('fuzzy')],
  [{ query_string: { query: '[a TO b]', fields: ['t'] } }, RANGE],
  [{ simple_query_string: { query: 'so*', fields: ['t'] } }, PREFIX],
  [{ simple_query_string: { query: 'somi~1', fields: ['t'] } }, plain('fuzzy')],
  [{ span_multi: { match: { fuzzy: { t: 'somi' } } } }, plain('fuzzy')],
  [{ bool: { filter: [{ bool: { must_not: [{ wildcard: { t: '*' } }] } }] } }, plain('wildcard')],
  [
    { term: { r: 'x' } },
    'queries cannot be executed against runtime fields while [search.allow_expensive_queries] is set to [false].',
  ],
];

const ALLOWED: readonly (readonly [object, number])[] = [
  [{ prefix: { px: 'so' } }, 1],
  [{ prefix: { px: 's' } }, 1],
  [{ prefix: { s: 'so' } }, 1],
  [{ prefix: { none: 's' } }, 0],
  [{ range: { n: { gte: 1 } } }, 1],
  [{ match_bool_prefix: { px: 'so' } }, 1],
  [{ match_bool_prefix: { s: 'hot so' } }, 1],
  [{ query_string: { query: 't:/s.*/' } }, 1],
  [{ query_string: { query: 'px:so*' } }, 1],
  [{ simple_query_string: { query: 'so*', fields: ['t'], lenient: true } }, 0],
  [{ match: { t: { query: 'somi', fuzziness: 1, lenient: true } } }, 0],
  [{ intervals: { t: { prefix: { prefix: 'so' } } } }, 1],
  [{ span_multi: { match: { prefix: { t: 'so' } } } }, 1],
  [{ exists: { field: 't' } }, 1],
  [{ function_score: { script_score: { script: '1' } } }, 1],
];

interface Failure {
  readonly error: {
    readonly root_cause: readonly unknown[];
    readonly failed_shards: readonly { readonly reason: object }[];
  };
}

describe('a cluster that forbids expensive queries', () => {
  test('refuses them by their groups', async () => {
    const node = await library('false');
    for (const [query, reason] of REFUSED) {
      const { status, json } = await search(node, query);
      const { root_cause: roots, failed_shards: failures } = (json as Failure).error;
      const cause = { type: 'exception', reason };
      expect([query, status, roots[0], failures[0]?.reason]).toMatchObject([
        query,
        400,
        cause,
        { type: 'query_shard_exception', reason: `failed to create query: ${reason}`, caused_by: cause },
      ]);
    }
  });

  test('allows all others, and expensive ones where nothing that does not fit is an error', async () => {
    const node = await library('false');
    for (const [query, hits] of ALLOWED) {
      const { status, json } = await search(node, query);
      expect([query, status, json.hits?.total]).toEqual([query, 200, { value: hits, relation: 'eq' }]);
    }
  });

  test('refuses them wherever they stand', async () => {
    const node = await library('false');
    const query = { prefix: { t: 'so' } };
    for (const [path, body] of [
      ['/lib/_count', { query }],
      ['/lib/_explain/1', { query }],
      ['/lib/_delete_by_query', { query }],
      ['/lib/_search?search_type=dfs_query_then_fetch', { query }],
      ['/lib/_search', { post_filter: query }],
      ['/lib/_search', { size: 0, query }],
      ['/lib/_search', { aggs: { f: { filter: query } } }],
      ['/lib/_search', { rescore: { query: { rescore_query: query } } }],
      ['/lib/_search', { highlight: { fields: { t: {} }, highlight_query: query } }],
    ] as const) {
      const { json } = await node.ask('POST', path, JSON.stringify(body));
      expect([path, body, (json as Partial<Failure>).error?.root_cause[0]]).toEqual([
        path,
        body,
        { type: 'exception', reason: PREFIX },
      ]);
    }
    const validity = await node.ask('POST', '/lib/_validate/query', JSON.stringify({ query }));
    expect(validity.json).toMatchObject({ valid: false });
  });
});

test.each([null, 'true'])('a cluster that says %s allows expensive queries', async (allowed) => {
  const node = await library(allowed);
  for (const [query] of REFUSED) expect([query, (await search(node, query)).status]).toEqual([query, 200]);
});
