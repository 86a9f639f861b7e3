import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClusterBuilder } from './cluster-builder.ts';

interface Cluster {
  mean: number;
  weight: number;
}

/** Value by value: a cluster takes one more as long as the bound of its quantile allows. */
function plainClusters(compression: number, runs: readonly (readonly [value: number, count: number])[]): Cluster[] {
  const total = runs.reduce((sum, [, count]) => sum + count, 0);
  const clusters: (Cluster & { sum: number })[] = [];
  let before = 0;
  for (const [value, count] of runs) {
    for (let i = 0; i < count; i++) {
      const last = clusters.at(-1);
      const weight = (last?.weight ?? 0) + 1;
      const quantile = (before + weight / 2) / total;
      if (last !== undefined && weight <= ((4 * total) / compression) * quantile * (1 - quantile) * (1 + 1e-12)) {
        last.weight = weight;
        last.sum += value;
        last.mean = last.sum / weight;
      } else {
        before += last?.weight ?? 0;
        clusters.push({ mean: value, weight: 1, sum: value });
      }
    }
  }
  return clusters.map(({ mean, weight }) => ({ mean, weight }));
}

const anyRuns = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 400 }))), {
    minLength: 1,
    maxLength: 200,
  })
  .map((steps) => {
    let value = 0;
    return steps.map(([step, count]) => [(value += step), count] as const);
  });

describe('clusters', () => {
  test('are those that values make one by one', () => {
    fc.assert(
      fc.property(anyRuns, fc.constantFrom(3, 20, 100, 333), (runs, compression) => {
        const total = runs.reduce((sum, [, count]) => sum + count, 0);
        const values = Float64Array.from(runs, ([value]) => value);
        const counts = Uint32Array.from(runs, ([, count]) => count);
        const builder = new ClusterBuilder(compression, total);
        builder.addRuns(values, counts, 0, values.length);
        const { means, weights } = builder.finish();
        const expected = plainClusters(compression, runs);
        expect([...weights]).toEqual(expected.map(({ weight }) => weight));
        for (const [i, { mean }] of expected.entries()) expect(means[i]).toBeCloseTo(mean, 6);
      }),
    );
  });
});
