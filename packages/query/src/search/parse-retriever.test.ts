import { writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { parseSearch } from './parse-search-request.ts';

const search = (body: object) => parseSearch({ body: Buffer.from(writeJsonText(body)), params: {} });
const query = { term: { a: 'x' } };

describe('a retriever', () => {
  test('of a query is the members that it stands for', () => {
    const members = {
      query,
      sort: ['n'],
      min_score: 2,
      search_after: [7],
      terminate_after: 5,
      collapse: { field: 'n' },
    };
    expect(search({ retriever: { standard: members }, size: 3 })).toEqual(search({ ...members, size: 3 }));
    expect(search({ retriever: { standard: {} } })).toEqual(search({}));
    expect(search({ retriever: {} })).toEqual(search({}));
  });

  test('of a query matches its filters too', () => {
    const filter = [{ term: { b: 'y' } }, { exists: { field: 'c' } }];
    expect(search({ retriever: { standard: { query, filter } } }).request.query).toEqual(
      search({ query: { bool: { must: [query], filter } } }).request.query,
    );
    expect(search({ retriever: { standard: { filter: filter[0] } } }).request.query).toEqual(
      search({ query: { bool: { must: [{ match_all: {} }], filter: [filter[0]] } } }).request.query,
    );
  });

  test('of vectors is a search for the nearest', () => {
    const knn = { field: 'v', query_vector: [1, 2], k: 3, num_candidates: 10, filter: query };
    expect(search({ retriever: { knn }, aggs: {} })).toEqual(search({ knn }));
  });

  test.each([
    [{ retriever: { standard: { query } }, query }, 'cannot specify [retriever] and [query]'],
    [{ retriever: { knn: {} }, sort: ['n'], knn: {} }, 'cannot specify [retriever] and [sort, knn]'],
    [{ rank: {}, query }, '[rank] is empty'],
    [{ rank: { near: {} }, query }, 'unknown field [near]'],
    [{ retriever: { random_reranker: {} } }, 'the retriever [random_reranker] is not supported by this server'],
    [{ retriever: { pinned: { ids: ['1'] } } }, 'Required [retriever]'],
    [{ retriever: { pinned: { retriever: { standard: {} } } } }, 'Required one of fields [ids, docs]'],
    [
      { retriever: { pinned: { ids: ['1'], retriever: { standard: { sort: ['n'] } } } } },
      '[pinned] retriever only supports sorting by score. Custom sorting is not allowed.',
    ],
    [{ retriever: { rule: { ruleset_ids: ['a'] } } }, 'Required [retriever]'],
    [{ retriever: { rule: { rules: [] } } }, '[rule] unknown field [rules]'],
    [{ retriever: { linear: {} } }, 'Required [retrievers]'],
    [{ retriever: { linear: { query: 'x' } } }, '[query] of [linear] is not supported by this server'],
    [{ retriever: { linear: { normalizer: 'max' } } }, 'Unknown normalizer [max]'],
    [{ retriever: { linear: { retrievers: [{ weight: -1 }] } } }, '[weight] must be non-negative'],
    [{ retriever: { linear: { retrievers: [{ standard: {} }] } } }, '[linear_component] unknown field [standard]'],
    [
      { retriever: { linear: { retrievers: [{ retriever: { standard: {} } }], rank_window_size: 5 } } },
      '[linear] requires [rank_window_size: 5] be greater than or equal to [size: 10]',
    ],
    [{ retriever: { rescorer: { retriever: { standard: {} } } } }, 'Required [rescore]'],
    [
      {
        retriever: {
          rescorer: { retriever: { rrf: { retrievers: [] } }, rescore: { query: { rescore_query: query } } },
        },
      },
      '[rescorer] of a retriever that has others is not supported by this server',
    ],
    [{ retriever: { near: {} } }, 'unknown retriever [near]'],
    [{ retriever: { standard: { query, size: 3 } } }, '[standard] unknown field [size]'],
    [{ retriever: { standard: {}, knn: {} } }, '[retriever] expected one retriever but found [knn] beside it'],
    [{ retriever: 'x' }, '[retriever] query malformed'],
  ])('%j is refused', (body, reason) => {
    expect(() => search(body)).toThrow(reason);
  });
});
