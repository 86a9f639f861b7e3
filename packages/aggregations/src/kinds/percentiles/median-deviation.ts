/**
 * The median distance of values from their median.
 */
import { TDigest } from '../../sketches/t-digest.ts';
import type { PercentilesPartial } from './percentiles-partial.ts';

/** Computed over the clusters that stand for the values; NaN without values. */
export function medianDeviation({ sketch }: PercentilesPartial): number {
  if (!(sketch instanceof TDigest)) return Number.NaN;
  const median = sketch.quantile(0.5);
  const { means, weights } = sketch.clusters();
  const distances = Array.from(means, (mean, i) => ({ mean: Math.abs(mean - median), weight: weights[i] ?? 0 }));
  distances.sort((a, b) => a.mean - b.mean);
  const clusters = {
    means: Float64Array.from(distances, ({ mean }) => mean),
    weights: Float64Array.from(distances, ({ weight }) => weight),
  };
  const [least, most] = [clusters.means[0] ?? Number.NaN, clusters.means.at(-1) ?? Number.NaN];
  return TDigest.of(sketch.compression, clusters, least, most).quantile(0.5);
}
