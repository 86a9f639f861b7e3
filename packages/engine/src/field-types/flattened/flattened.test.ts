import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = { properties: { labels: { type: 'flattened', depth_limit: 2, ignore_above: 9, null_value: 'none' } } };
const SOURCES = [
  '{"labels":{"env":"prod","team":{"name":"search"},"n":[1,2]}}',
  '{"labels":{"env":"test","team.name":"infra","gone":null}}',
  '{"labels":[{"env":"far too long"},{"b":true}]}',
  '{"labels":null}',
];

const context = (sources: readonly string[] = SOURCES) =>
  memoryContext(MAPPING, [sources.map((source, at) => ({ id: String(at), source }))]);

async function found(body: object): Promise<string[]> {
  const searched = context();
  return idsOf(searched, (await runQuery(searched, body)).ords);
}

describe('a flattened field', () => {
  test.each([
    [{ term: { labels: 'prod' } }, ['0']],
    [{ term: { 'labels.env': 'prod' } }, ['0']],
    [{ term: { 'labels.team': 'search' } }, []],
    [{ term: { 'labels.n': 2 } }, ['0']],
    [{ terms: { 'labels.team.name': ['search', 'infra'] } }, ['0', '1']],
    [{ prefix: { 'labels.env': 'te' } }, ['1']],
    [{ exists: { field: 'labels.env' } }, ['0', '1']],
    [{ exists: { field: 'labels' } }, ['0', '1', '2']],
    [{ term: { 'labels.gone': 'none' } }, ['1']],
    [{ match: { 'labels.b': true } }, ['2']],
    [{ term: { 'labels.nowhere': 'x' } }, []],
  ])('is found by its leaves: %j', async (query, ids) => {
    expect((await found({ query })).sort()).toEqual(ids);
  });

  test('sorts by the values of a key', async () => {
    expect(await found({ sort: [{ 'labels.env': 'desc' }, '_doc'] })).toEqual(['1', '0', '2', '3']);
  });

  test('is shown as it was sent, and its keys from their columns', async () => {
    const { request } = shardSearch({ fields: ['labels'], docvalue_fields: ['labels.env'] });
    const page = { ords: Uint32Array.of(1), request };
    const [hit] = await fetchHits(context(), page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toEqual({
      labels: [{ env: 'test', 'team.name': 'infra', gone: null }],
      'labels.env': ['test'],
    });
  });

  test.each([
    ['{"labels":"text"}', 'unexpected value [text]'],
    ['{"labels":{"a":{"b":{"c":1}}}}', 'exceeds the maximum depth limit of [2]'],
    ['{"labels":{"a\\u0000":1}}', 'cannot contain the reserved character'],
    [`{"labels":{"a":[${'1,'.repeat(10_000)}1]}}`, 'has more than [10000] values in one document'],
  ])('refuses %.40s', (source, reason) => {
    let cause = '';
    try {
      context([source]);
    } catch (error) {
      cause = String((error as { causedBy?: Error }).causedBy?.message);
    }
    expect(cause).toContain(reason);
  });
});
