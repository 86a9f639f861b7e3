/**
 * A result as it would be without any document: what the buckets between others show of their children.
 *
 * Made of a result with documents, since shards alone know what the ends of a range are as numbers.
 */

import { HdrSketch } from '../sketches/hdr-sketch.ts';
import { HyperLogLog } from '../sketches/hyper-log-log.ts';
import { TDigest } from '../sketches/t-digest.ts';
import type { PartialResult } from './partial-result.ts';

export function emptiedResult(partial: PartialResult): PartialResult {
  switch (partial.kind) {
    case 'stats':
      return {
        ...partial,
        count: 0,
        sum: 0,
        min: Number.POSITIVE_INFINITY,
        max: Number.NEGATIVE_INFINITY,
        sumOfSquares: 0,
      };
    case 'cardinality':
      return { ...partial, sketch: new HyperLogLog(partial.sketch.precision) };
    case 'percentiles': {
      const { sketch } = partial;
      const empty = sketch instanceof TDigest ? new TDigest(sketch.compression) : new HdrSketch(sketch.digits);
      return { ...partial, sketch: empty };
    }
    case 'weightedAverage':
      return { ...partial, sum: 0, weight: 0 };
    case 'terms':
      return { ...partial, otherDocCount: 0, error: 0, buckets: [] };
    case 'histogram':
      return { ...partial, buckets: [] };
    case 'composite':
      return { ...partial, buckets: [] };
    case 'range':
      return {
        ...partial,
        buckets: partial.buckets.map(({ key, children }) => ({
          key,
          docCount: 0,
          children: children.map(emptiedResult),
        })),
      };
    case 'filters':
      return {
        ...partial,
        buckets: partial.buckets.map(({ key, children }) => ({
          key,
          docCount: 0,
          children: children.map(emptiedResult),
        })),
      };
  }
}
