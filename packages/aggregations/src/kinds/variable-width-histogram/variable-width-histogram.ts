/**
 * `variable_width_histogram`: buckets of neighbouring values, whose widths follow from the values.
 */
import { DoubleNumber, illegalArgument, type Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import { valuePrinter } from '../../values/value-format.ts';
import { type FiltersAggregation, isSingle } from '../filters/filters-request.ts';
import type { RangeAggregation } from '../range/range-request.ts';
import { reduceVariableWidth } from './reduce-variable-width.ts';
import { VARIABLE_WIDTH_PARTIAL, type VariableWidthPartial } from './variable-width-partial.ts';
import { parseVariableWidth, readVariableWidth, type VariableWidthAggregation } from './variable-width-request.ts';

export const variableWidthHistogram: BucketKind<VariableWidthAggregation, VariableWidthPartial> = {
  family: 'bucket',
  kind: 'variableWidthHistogram',
  parsers: { variable_width_histogram: parseVariableWidth },
  read: readVariableWidth,
  partial: VARIABLE_WIDTH_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: (_, parents) => {
    if (parents.every(hasOneBucket)) return;
    throw illegalArgument(
      '[variable_width_histogram] cannot be nested inside an aggregation that collects more than a single bucket.',
    );
  },
  resultType: () => 'variable_width_histogram',
  reduce: reduceVariableWidth,
  render: renderVariableWidth,
  keyText: (_, { format }, { key }) => keyText(key, format, true),
  pathNumber: (aggregation, partial, path) =>
    severalBuckets(aggregation, partial, path, 'InternalVariableWidthHistogram'),
};

/** The clusters of a shard are those of one bucket. */
function hasOneBucket(parent: AggregationNode): boolean {
  if (parent.kind === 'range') return (parent as RangeAggregation).ranges.length === 1;
  if (parent.kind === 'nested') return true;
  if (parent.kind !== 'filters') return false;
  const filtering = parent as FiltersAggregation;
  const { type, filters, otherKey } = filtering;
  if (isSingle(filtering)) return true;
  return (type === 'filters' || type === 'ip_range') && filters.length === 1 && otherKey === null;
}

function renderVariableWidth(
  aggregation: VariableWidthAggregation,
  { buckets, format }: VariableWidthPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(format);
  const text = (value: number): string | undefined => printer.text(value) ?? undefined;
  const shown = (at: number): ShownBucket => {
    const bucket = buckets[at] as VariableWidthPartial['buckets'][number];
    const { key, min, max, docCount } = bucket;
    const head = {
      min: new DoubleNumber(min),
      min_as_string: text(min),
      key: new DoubleNumber(key),
      key_as_string: text(key),
      max: new DoubleNumber(max),
      max_as_string: text(max),
      doc_count: docCount,
    };
    return { name: '', head, bucket };
  };
  return to.member(aggregation, false, buckets.length, shown, isFirst);
}
