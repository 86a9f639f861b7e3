/**
 * Requests of `variable_width_histogram`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface VariableWidthAggregation extends AggregationNode {
  readonly kind: 'variableWidthHistogram';
  readonly source: ValuesSource;
  /** Buckets of the answer at most. */
  readonly bucketsMax: number;
  /** Clusters of a shard at most, once it groups values. */
  readonly shardSize: number;
  /** Values that a shard keeps apart before it groups them. */
  readonly bufferSize: number;
}

const BUCKETS_DEFAULT = 10;
const SHARD_SIZE_FACTOR = 50;
const BUFFER_FACTOR = 10;
const BUFFER_DEFAULT_MAX = 50_000;
/** Clusters and values are held in memory, and clusters are moved for each that is made. */
const SHARD_SIZE_MAX = 100_000;
const BUFFER_MAX = 500_000;

export const parseVariableWidth: AggregationParser<VariableWidthAggregation> = (named, options) => {
  const { name } = named;
  const source = parseValuesSource(options);
  const bucketsMax = above(options, 'buckets', 0, name) ?? BUCKETS_DEFAULT;
  const shardSize = above(options, 'shard_size', 1, name) ?? Math.min(bucketsMax * SHARD_SIZE_FACTOR, SHARD_SIZE_MAX);
  const bufferSize =
    above(options, 'initial_buffer', 0, name) ?? Math.min(shardSize * BUFFER_FACTOR, BUFFER_DEFAULT_MAX);
  atMost('shard_size', shardSize, SHARD_SIZE_MAX, name);
  atMost('initial_buffer', bufferSize, BUFFER_MAX, name);
  return { ...named, kind: 'variableWidthHistogram', source, bucketsMax, shardSize, bufferSize };
};

function above(options: OptionReader, option: string, least: number, name: string): number | null {
  return options.within(option, () => {
    const value = options.integer(option);
    if (value === null || value > least) return value;
    throw illegalArgument(`${option} must be greater than [${least}] for [${name}]`);
  });
}

function atMost(option: string, value: number, most: number, name: string): void {
  if (value > most) throw illegalArgument(`${option} must be at most [${most}] but was [${value}] for [${name}]`);
}

export function readVariableWidth(r: ValueReader, named: NamedParts): VariableWidthAggregation {
  const [shardSize, bufferSize] = [readWhole(r, 'shardSize', 2), readWhole(r, 'bufferSize', 1)];
  if (shardSize > SHARD_SIZE_MAX) r.refuse('shardSize', `at most ${SHARD_SIZE_MAX}`);
  if (bufferSize > BUFFER_MAX) r.refuse('bufferSize', `at most ${BUFFER_MAX}`);
  return {
    ...named,
    kind: 'variableWidthHistogram',
    source: readValuesSource(r.object('source')),
    bucketsMax: readWhole(r, 'bucketsMax', 1),
    shardSize,
    bufferSize,
  };
}
