import { sortValueForHit } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { fetchHits } from '../../phases/fetch/fetch-hits.ts';
import { idsOf, memoryContext, runQuery, shardSearch } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    n: { type: 'long' },
    t: { type: 'text' },
    k: { type: 'keyword' },
    an: { type: 'alias', path: 'n' },
    at: { type: 'alias', path: 't' },
    o: { properties: { ak: { type: 'alias', path: 'k' } } },
  },
};

function context() {
  return memoryContext(MAPPING, [
    [
      { id: '1', source: '{"n":2,"t":"red fox","k":"x"}' },
      { id: '2', source: '{"n":1,"t":"blue sky","k":"y"}' },
    ],
  ]);
}

describe('an alias of a field', () => {
  test.each([
    { term: { an: 2 } },
    { range: { an: { gt: 1 } } },
    { terms: { 'o.ak': ['x', 'z'] } },
    { match: { at: 'fox' } },
    { match_phrase: { at: 'red fox' } },
    { prefix: { 'o.ak': 'x' } },
    { fuzzy: { at: 'foy' } },
    { multi_match: { query: 'fox', fields: ['a*'], lenient: true } },
    { query_string: { query: 'at:fox' } },
    { span_term: { at: 'fox' } },
    { span_near: { clauses: [{ span_term: { at: 'red' } }, { span_term: { at: 'fox' } }], in_order: true } },
    { intervals: { at: { match: { query: 'red fox' } } } },
  ])('is searched: %j', async (query) => {
    const searched = context();
    const { ords } = await runQuery(searched, { query });
    expect(idsOf(searched, ords)).toEqual(['1']);
  });

  test('is sorted by, exists, and is collapsed by', async () => {
    const searched = context();
    const { ords, columns } = await runQuery(searched, { query: { exists: { field: 'o' } }, sort: ['an'] });
    expect(idsOf(searched, ords)).toEqual(['2', '1']);
    expect(sortValueForHit(columns[0]!, 0)).toBe(1);
    const collapsed = await runQuery(searched, { collapse: { field: 'o.ak' } });
    expect(collapsed.ords.length).toBe(2);
    const { aggregations } = await runQuery(searched, { aggs: { s: { sum: { field: 'an' } } } });
    expect(aggregations).not.toBeNull();
  });

  test('is shown and highlighted under its own name', async () => {
    const searched = context();
    const { request } = shardSearch({
      query: { match: { at: 'fox' } },
      fields: ['an', 'o.*'],
      docvalue_fields: ['o.ak'],
      highlight: { fields: { at: {}, t: {} } },
    });
    const page = { ords: Uint32Array.of(0), request };
    const [hit] = await fetchHits(searched, page, { isStopped: false }, { monotonicMs: () => 0, wallMs: () => 0 });
    expect(JSON.parse(Buffer.from(hit?.fields ?? []).toString())).toMatchObject({ an: [2] });
    expect(JSON.parse(Buffer.from(hit?.highlight ?? []).toString())).toEqual({
      at: ['red <em>fox</em>'],
      t: ['red <em>fox</em>'],
    });
  });

  test.each(['{"an":1}', '{"o":{"ak":"x"}}', '{"an":{"b":1}}', '{"an.b":1}', '{"an":null}'])(
    'takes no value: %s',
    (source) => {
      expect(() => memoryContext(MAPPING, [[{ id: '1', source }]])).toThrow(
        expect.objectContaining({
          causedBy: expect.objectContaining({ reason: expect.stringContaining('Cannot write to a field alias') }),
        }),
      );
    },
  );

  test('takes no copy', () => {
    const mapping = { properties: { ...MAPPING.properties, c: { type: 'keyword', copy_to: 'o.ak' } } };
    expect(() => memoryContext(mapping, [[{ id: '1', source: '{"c":"x"}' }]])).toThrow(
      expect.objectContaining({
        causedBy: expect.objectContaining({ reason: 'Cannot copy to a field alias [o.ak].' }),
      }),
    );
  });
});
