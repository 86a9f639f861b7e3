/**
 * Requests of `geohash_grid` and `geotile_grid`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { CellGrid } from '@shoal/geo';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { type GridOptions, parseGrid, readGrid } from '../../request/grid-options.ts';
import { readWhole } from '../../request/number-options.ts';
import { parseFieldSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface GeoGridAggregation extends AggregationNode {
  readonly kind: 'geoGrid';
  readonly source: ValuesSource;
  readonly grid: GridOptions;
  readonly size: number;
}

const SIZE_DEFAULT = 10_000;

export function gridParser(kind: CellGrid['kind']): AggregationParser<GeoGridAggregation> {
  return (named, options) => {
    const source = parseFieldSource(options);
    const grid = parseGrid(kind, options);
    const size = options.integer('size') ?? SIZE_DEFAULT;
    if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${named.name}]`);
    // Every shard returns all its cells, so that counts are right: a smaller share of them could only be wrong.
    const shardSize = options.integer('shard_size');
    if (shardSize !== null && shardSize <= 0) {
      throw illegalArgument(`[shardSize] must be greater than 0. Found [${shardSize}] in [${named.name}]`);
    }
    return { ...named, kind: 'geoGrid', source, grid, size };
  };
}

export function readGeoGrid(r: ValueReader, named: NamedParts): GeoGridAggregation {
  return {
    ...named,
    kind: 'geoGrid',
    source: readValuesSource(r.object('source')),
    grid: readGrid(r.object('grid')),
    size: readWhole(r, 'size', 1),
  };
}
