/**
 * `composite`: a bucket for each combination of values of several fields, page by page.
 */
import { illegalArgument } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { COMPOSITE_PARTIAL, type CompositePartial } from './composite-partial.ts';
import { type CompositeAggregation, parseComposite, readComposite } from './composite-request.ts';
import { reduceComposite } from './reduce-composite.ts';
import { renderComposite } from './render-composite.ts';

export const composite: BucketKind<CompositeAggregation, CompositePartial> = {
  family: 'bucket',
  kind: 'composite',
  parsers: { composite: parseComposite },
  read: readComposite,
  partial: COMPOSITE_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  // Around it there may be one bucket alone: the nested documents of all that match, or those that a filter lets through.
  checkParents: (_, parents) => {
    const other = parents.findLast((parent) => parent.kind !== 'nested' && parent.type !== 'filter');
    if (other === undefined) return;
    throw illegalArgument(
      `[composite] aggregation cannot be used with a parent aggregation of type: [${factoryName(other.type)}]`,
    );
  },
  resultType: () => 'composite',
  reduce: reduceComposite,
  render: renderComposite,
  // The key is a list of values: pipelines that name buckets by one have none.
  keyText: () => '',
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalComposite'),
};

/** Classes of Elasticsearch that are not called by the type of their aggregation. */
const FACTORIES: ReadonlyMap<string, string> = new Map([
  ['composite', 'CompositeAggregationFactory'],
  ['diversified_sampler', 'DiversifiedAggregatorFactory'],
  ['geo_distance', 'GeoDistanceRangeAggregatorFactory'],
  ['geohash_grid', 'GeoHashGridAggregatorFactory'],
  ['geohex_grid', 'GeoHexGridAggregatorFactory'],
  ['geotile_grid', 'GeoTileGridAggregatorFactory'],
  ['ip_range', 'BinaryRangeAggregatorFactory'],
  ['multi_terms', 'MultiTermsAggregationFactory'],
]);

/** Name of the class that messages of Elasticsearch tell a type of aggregation by. */
function factoryName(type: string): string {
  const camel = type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return FACTORIES.get(type) ?? `${camel}AggregatorFactory`;
}
