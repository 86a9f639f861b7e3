/**
 * `geo_bounds`: the smallest box around points, the shorter way around the globe.
 */
import { DoubleNumber, type ValueReader } from '@shoal/core';
import type { GeoBox } from '@shoal/geo';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import { parseFieldSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import type { PartialNode } from '../../tree/partial-node.ts';

export interface GeoBoundsAggregation extends AggregationNode {
  readonly kind: 'geoBounds';
  readonly source: ValuesSource;
  /** The box may go over the date line. */
  readonly wrapsLongitude: boolean;
}

/** Infinite where there is no such point. */
export interface GeoExtremes {
  readonly top: number;
  readonly bottom: number;
  /** Westernmost of the points at and east of the first meridian. */
  readonly eastLeft: number;
  readonly eastRight: number;
  /** Westernmost of those west of it. */
  readonly westLeft: number;
  readonly westRight: number;
}

export interface GeoBoundsPartial extends PartialNode, GeoExtremes {
  readonly kind: 'geoBounds';
}

export const NO_EXTREMES: GeoExtremes = {
  top: Number.NEGATIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
  eastLeft: Number.POSITIVE_INFINITY,
  eastRight: Number.NEGATIVE_INFINITY,
  westLeft: Number.POSITIVE_INFINITY,
  westRight: Number.NEGATIVE_INFINITY,
};

const parseGeoBounds: AggregationParser<GeoBoundsAggregation> = (named, options) => ({
  ...named,
  kind: 'geoBounds',
  source: parseFieldSource(options),
  wrapsLongitude: options.boolean('wrap_longitude', true),
});

function readGeoBounds(r: ValueReader, named: NamedParts): GeoBoundsAggregation {
  const source = readValuesSource(r.object('source'));
  return { ...named, kind: 'geoBounds', source, wrapsLongitude: r.boolean('wrapsLongitude') };
}

const GEO_BOUNDS_PARTIAL: LeafPartialKind<GeoBoundsPartial> = {
  family: 'leaf',
  kind: 'geoBounds',
  units: 0.4,
  write: (sink, { top, bottom, eastLeft, eastRight, westLeft, westRight }) => {
    for (const side of [top, bottom, eastLeft, eastRight, westLeft, westRight]) sink.f64(side);
  },
  read: (from) => ({
    kind: 'geoBounds',
    top: from.f64(),
    bottom: from.f64(),
    eastLeft: from.f64(),
    eastRight: from.f64(),
    westLeft: from.f64(),
    westRight: from.f64(),
  }),
  emptied: (partial) => ({ ...partial, ...NO_EXTREMES }),
};

export const geoBounds: MetricKind<GeoBoundsAggregation, GeoBoundsPartial> = {
  family: 'metric',
  kind: 'geoBounds',
  parsers: { geo_bounds: parseGeoBounds },
  read: readGeoBounds,
  partial: GEO_BOUNDS_PARTIAL,
  reduceUnits: 0.2,
  isWholeAlone: true,
  resultType: () => 'geo_bounds',
  reduce: (_, partials) => partials.reduce(united, { kind: 'geoBounds', ...NO_EXTREMES }),
  members: ({ wrapsLongitude }, partial) => {
    const box = boxOf(partial, wrapsLongitude);
    if (box === null) return {};
    const corner = (lat: number, lon: number) => ({ lat: new DoubleNumber(lat), lon: new DoubleNumber(lon) });
    return { bounds: { top_left: corner(box.north, box.west), bottom_right: corner(box.south, box.east) } };
  },
  orderMetric: (_aggregation, _named, path) => {
    throw severalValues(path);
  },
  orderNumber: () => Number.NaN,
  pathNumber: ({ name, wrapsLongitude }, partial, path) => {
    const box = boxOf(partial, wrapsLongitude);
    const named = path.join('.');
    const sides: Readonly<Record<string, keyof GeoBox>> = {
      top: 'north',
      bottom: 'south',
      left: 'west',
      right: 'east',
    };
    const side = sides[named];
    if (side === undefined) throw severalValues(name);
    return box?.[side] ?? Number.NaN;
  },
};

function united(a: GeoBoundsPartial, b: GeoBoundsPartial): GeoBoundsPartial {
  return {
    kind: 'geoBounds',
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
    eastLeft: Math.min(a.eastLeft, b.eastLeft),
    eastRight: Math.max(a.eastRight, b.eastRight),
    westLeft: Math.min(a.westLeft, b.westLeft),
    westRight: Math.max(a.westRight, b.westRight),
  };
}

/** null where there are no points. */
function boxOf(extremes: GeoExtremes, wrapsLongitude: boolean): GeoBox | null {
  const { top: north, bottom: south, eastLeft, eastRight, westLeft, westRight } = extremes;
  if (!Number.isFinite(north)) return null;
  if (!Number.isFinite(eastLeft)) return { north, south, west: westLeft, east: westRight };
  if (!Number.isFinite(westLeft)) return { north, south, west: eastLeft, east: eastRight };
  const across = eastRight - westLeft;
  const around = 180 - eastLeft + (westRight + 180);
  if (!wrapsLongitude || across <= around) return { north, south, west: westLeft, east: eastRight };
  return { north, south, west: eastLeft, east: westRight };
}
