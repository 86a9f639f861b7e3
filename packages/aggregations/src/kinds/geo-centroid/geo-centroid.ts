/**
 * `geo_centroid`: the mean of latitudes and longitudes of points.
 */
import { DoubleNumber, type ValueReader } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { KahanSum } from '../../values/kahan-sum.ts';

export interface GeoCentroidAggregation extends AggregationNode {
  readonly kind: 'geoCentroid';
  readonly source: ValuesSource;
}

export interface GeoCentroidPartial extends PartialNode {
  readonly kind: 'geoCentroid';
  readonly count: number;
  /** Sums of degrees. */
  readonly latSum: number;
  readonly lonSum: number;
}

const parseGeoCentroid: AggregationParser<GeoCentroidAggregation> = (named, options) => ({
  ...named,
  kind: 'geoCentroid',
  source: parseValuesSource(options),
});

function readGeoCentroid(r: ValueReader, named: NamedParts): GeoCentroidAggregation {
  return { ...named, kind: 'geoCentroid', source: readValuesSource(r.object('source')) };
}

const GEO_CENTROID_PARTIAL: LeafPartialKind<GeoCentroidPartial> = {
  family: 'leaf',
  kind: 'geoCentroid',
  units: 0.3,
  write: (sink, { count, latSum, lonSum }) => {
    sink.f64(count);
    sink.f64(latSum);
    sink.f64(lonSum);
  },
  read: (from) => ({ kind: 'geoCentroid', count: from.f64(), latSum: from.f64(), lonSum: from.f64() }),
  emptied: (partial) => ({ ...partial, count: 0, latSum: 0, lonSum: 0 }),
};

export const geoCentroid: MetricKind<GeoCentroidAggregation, GeoCentroidPartial> = {
  family: 'metric',
  kind: 'geoCentroid',
  parsers: { geo_centroid: parseGeoCentroid },
  read: readGeoCentroid,
  partial: GEO_CENTROID_PARTIAL,
  reduceUnits: 0.2,
  isWholeAlone: true,
  resultType: () => 'geo_centroid',
  reduce: (_, partials) => {
    const [lat, lon] = [new KahanSum(), new KahanSum()];
    let count = 0;
    for (const partial of partials) {
      lat.add(partial.latSum);
      lon.add(partial.lonSum);
      count += partial.count;
    }
    return { kind: 'geoCentroid', count, latSum: lat.value, lonSum: lon.value };
  },
  members: (_, { count, latSum, lonSum }) => {
    if (count === 0) return { count };
    return { location: { lat: new DoubleNumber(latSum / count), lon: new DoubleNumber(lonSum / count) }, count };
  },
  orderMetric: (_aggregation, _named, path) => {
    throw severalValues(path);
  },
  orderNumber: () => Number.NaN,
  pathNumber: ({ name }, { count, latSum, lonSum }, path) => {
    switch (path.join('.')) {
      case 'count':
        return count;
      case 'value.lat':
      case 'lat':
        return latSum / count;
      case 'value.lon':
      case 'lon':
        return lonSum / count;
      default:
        throw severalValues(name);
    }
  },
};
