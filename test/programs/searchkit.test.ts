/**
 * Searchkit turns requests of InstantSearch into searches: hits, facets with filters, highlights, and the search for values of a facet.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, fetchedProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('searchkit');

interface Client {
  handleRequest(requests: readonly object[]): Promise<{ readonly results: readonly Record<string, unknown>[] }>;
}

const cluster = new ProgramCluster(1);
let client: Client;
beforeAll(async () => {
  const { default: api } = createRequire(join(program.home, 'package.json'))('@searchkit/api');
  client = api({
    connection: { host: cluster.url },
    search_settings: {
      search_attributes: [{ field: 'title', weight: 3 }, 'plot'],
      result_attributes: ['title', 'year'],
      highlight_attributes: ['title'],
      snippet_attributes: ['plot'],
      facet_attributes: [
        { attribute: 'genre', field: 'genre.keyword', type: 'string' },
        { attribute: 'year', field: 'year', type: 'numeric' },
      ],
      sorting: {
        default: { field: '_score', order: 'desc' },
        _oldest: { field: 'year', order: 'asc' },
      },
    },
  }) as Client;
  await ask(`${cluster.url}/movies`, 'PUT', {
    mappings: {
      properties: {
        title: { type: 'text' },
        plot: { type: 'text' },
        year: { type: 'integer' },
        genre: { type: 'text', fields: { keyword: { type: 'keyword' } } },
      },
    },
  });
  const movies = [
    { title: 'Star Wars', plot: 'A farm boy saves the galaxy', year: 1977, genre: ['sci-fi', 'adventure'] },
    { title: 'Alien', plot: 'A crew meets a guest in the galaxy', year: 1979, genre: ['sci-fi', 'horror'] },
    { title: 'Jaws', plot: 'A shark eats', year: 1975, genre: ['horror'] },
  ];
  for (const [id, movie] of movies.entries()) await ask(`${cluster.url}/movies/_doc/${id}?refresh=true`, 'PUT', movie);
});

describe.skipIf(!program.isHere)(program.title, () => {
  test('finds words with facets, statistics and snippets', async () => {
    const params = { query: 'galaxy', facets: ['genre', 'year'], hitsPerPage: 10, page: 0, maxValuesPerFacet: 10 };
    const { results } = await client.handleRequest([{ indexName: 'movies', params }]);
    expect(results[0]).toMatchObject({
      nbHits: 2,
      facets: { genre: { 'sci-fi': 2, adventure: 1, horror: 1 }, year: { 1977: 1, 1979: 1 } },
      facets_stats: { year: { min: 1977, avg: 1978, max: 1979, sum: 3956 } },
      hits: [
        { objectID: '0', title: 'Star Wars', _snippetResult: { plot: { matchedWords: ['galaxy'] } } },
        { objectID: '1', title: 'Alien', year: 1979 },
      ],
    });
  });

  test('narrows by facets and numbers, in another order', async () => {
    const params = { query: '', facetFilters: [['genre:horror']], numericFilters: ['year>=1970'], facets: ['*'] };
    const { results } = await client.handleRequest([{ indexName: 'movies_oldest', params }]);
    expect(results[0]).toMatchObject({ nbHits: 2, hits: [{ title: 'Jaws' }, { title: 'Alien' }] });
  });

  test('searches in the values of a facet', async () => {
    const params = { facetName: 'genre', facetQuery: 'hor' };
    const { results } = await client.handleRequest([{ indexName: 'movies', type: 'facet', params }]);
    expect(results[0]).toMatchObject({ facetHits: [{ value: 'horror', count: 2 }] });
  });
});
