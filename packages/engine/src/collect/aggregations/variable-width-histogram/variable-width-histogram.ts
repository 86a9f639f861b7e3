/**
 * Collector of `variable_width_histogram`.
 */
import type { VariableWidthAggregation } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { notNumeric, numericSource } from '../values/numeric-source.ts';
import { firstClusters } from './value-clusters.ts';
import { VariableWidthCollector } from './variable-width-collector.ts';

const TYPE = 'variable_width_histogram';

export const variableWidthHistogram: CollectorKind<VariableWidthAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, aggregation, children) => {
    const { bucketsMax, bufferSize, shardSize, name } = aggregation;
    const source = numericSource(compile, aggregation.source, TYPE);
    if (source.format.kind === 'date' || source.format.kind === 'boolean') throw notNumeric(source, TYPE);
    if (bufferSize < bucketsMax) {
      throw illegalArgument(
        `initial_buffer must be at least buckets but was [${bufferSize}<${bucketsMax}] for [${name}]`,
      );
    }
    const first = firstClusters(shardSize);
    if (first < bucketsMax) {
      throw illegalArgument(
        `3/4 of shard_size must be at least buckets but was [${first}<${bucketsMax}] for [${name}]`,
      );
    }
    return new VariableWidthCollector(aggregation, source, children);
  },
};
