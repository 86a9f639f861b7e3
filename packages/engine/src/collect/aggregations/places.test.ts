/**
 * Aggregations where they may not be: told by the shard, in the words of OpenSearch 2.19 (recorded), which are those of Elasticsearch.
 */
import { describe, expect, test } from 'vitest';
import { answerOf } from './aggregation-answer.test-support.ts';

const MAPPING = {
  properties: { n: { type: 'integer' }, k: { type: 'keyword' }, ip: { type: 'ip' }, at: { type: 'geo_point' } },
};
const COMPOSITE = { c: { composite: { sources: [{ x: { terms: { field: 'n' } } }] } } };
const asked = (aggs: object) => answerOf(MAPPING, [[{ n: 1 }]], aggs);

describe('a composite inside another aggregation is refused by the class of the nearest one', () => {
  test.each([
    ['TermsAggregatorFactory', { terms: { field: 'k' } }],
    ['MultiTermsAggregationFactory', { multi_terms: { terms: [{ field: 'k' }, { field: 'n' }] } }],
    ['BinaryRangeAggregatorFactory', { ip_range: { field: 'ip', ranges: [{ to: '10.0.0.1' }] } }],
    ['GeoTileGridAggregatorFactory', { geotile_grid: { field: 'at' } }],
    ['VariableWidthHistogramAggregatorFactory', { variable_width_histogram: { field: 'n' } }],
    ['DiversifiedAggregatorFactory', { diversified_sampler: { field: 'k' } }],
    ['CompositeAggregationFactory', COMPOSITE.c],
  ])('%s', async (name, outer) => {
    const reason = `[composite] aggregation cannot be used with a parent aggregation of type: [${name}]`;
    await expect(asked({ a: { ...outer, aggs: COMPOSITE } })).rejects.toThrow(reason);
    const filtered = { f: { filter: { match_all: {} }, aggs: COMPOSITE } };
    await expect(asked({ a: { ...outer, aggs: filtered } })).rejects.toThrow(reason);
  });

  test('that is not the outermost', async () => {
    const inner = { a: { terms: { field: 'k' }, aggs: COMPOSITE } };
    await expect(asked({ g: { global: {}, aggs: inner } })).rejects.toThrow('[TermsAggregatorFactory]');
  });

  test('but not inside a filter', async () => {
    const answer = await asked({ f: { filter: { match_all: {} }, aggs: COMPOSITE } });
    expect(answer.f?.c?.buckets).toEqual([{ key: { x: 1 }, doc_count: 1 }]);
  });
});

test('a global inside another aggregation is refused', async () => {
  await expect(asked({ a: { filter: { match_all: {} }, aggs: { b: { global: {} } } } })).rejects.toThrow(
    'Aggregation [a] cannot have a global sub-aggregation [b]. Global aggregations can only be defined as top level aggregations',
  );
});
