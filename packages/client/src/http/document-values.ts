/**
 * Values that fields hold in documents where JSON has no type for them; `shoal types` names these.
 */

/** A point of the globe in each way that it may be written; text is `lat,lon`, WKT or a geohash, a list is `[lon, lat]`. */
export type GeoPointValue =
  | { readonly lat: number; readonly lon: number }
  | { readonly type: 'Point'; readonly coordinates: readonly number[] }
  | readonly [lon: number, lat: number, ...above: number[]]
  | string;

/** A point of the plane. */
export type PointValue =
  | { readonly x: number; readonly y: number }
  | { readonly type: 'Point'; readonly coordinates: readonly number[] }
  | readonly [x: number, y: number, ...above: number[]]
  | string;

/** A shape as GeoJSON or WKT. */
export type ShapeValue =
  | { readonly type: string; readonly coordinates?: readonly unknown[]; readonly [member: string]: unknown }
  | string;

/** Two ends; one that is left out is open. */
export interface RangeValue<Bound> {
  readonly gte?: Bound | null;
  readonly gt?: Bound | null;
  readonly lte?: Bound | null;
  readonly lt?: Bound | null;
}

/** Values and how often each was counted, both of one length. */
export interface HistogramValue {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}

/** What a completion suggests. */
export type CompletionValue =
  | string
  | readonly string[]
  | {
      readonly input: string | readonly string[];
      readonly weight?: number;
      readonly contexts?: Readonly<Record<string, unknown>>;
    };

/** Relation of a document to its parent. */
export type JoinValue<Name extends string> = Name | { readonly name: Name; readonly parent?: string };

/** What a field of a document holds: a mapping does not say whether that is one value or many. */
export type OneOrMore<Value> = Value | readonly Value[] | null;
