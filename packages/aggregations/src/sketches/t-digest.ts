/**
 * Quantiles of a stream in little memory: clusters of neighbouring values, small at both ends and larger in the middle.
 *
 * T. Dunning and O. Ertl, "Computing extremely accurate quantiles using t-digests" (2019): the merging variant, values
 * buffered, sorted and folded into the clusters; a cluster near quantile q stands for at most 4·n·q(1-q)/compression values, so
 * that sets no larger than the compression stay exact.
 */
import { firstAtLeast, runSteps, StepMeter, type Steps } from '@shoal/core';
import { ClusterBuilder } from './cluster-builder.ts';
import { sortDoubles } from './sort-doubles.ts';

/** Values buffered at first, and between two folds at most. */
const BUFFER_MIN = 32;
const BUFFER_MAX = 32_768;
const NO_VALUES = new Float64Array(0);

/** Clusters: means ascending, and how many values each stands for. */
export interface Clusters {
  readonly means: Float64Array;
  readonly weights: Float64Array;
}

/** Microseconds that a distinct value costs, about. */
const VALUE_UNITS = 0.02;
/** Values added between two looks at the meter. */
const VALUES_A_STEP = 4_096;

export class TDigest {
  readonly compression: number;
  min: number = Number.POSITIVE_INFINITY;
  max: number = Number.NEGATIVE_INFINITY;
  private means: Float64Array = NO_VALUES;
  private weights: Float64Array = NO_VALUES;
  private totalWeight = 0;
  private buffer: Float64Array = NO_VALUES;
  private buffered = 0;

  constructor(compression: number) {
    this.compression = compression;
  }

  /** NaN is no value. */
  add(value: number): void {
    if (this.buffered === this.buffer.length) this.makeRoom(1);
    this.buffer[this.buffered++] = value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  /** Several at once; none may be NaN. */
  addAll(values: Float64Array): void {
    for (let from = 0; from < values.length; ) {
      if (this.buffered === this.buffer.length) this.makeRoom(values.length - from);
      const to = Math.min(values.length, from + this.buffer.length - this.buffered);
      this.buffer.set(values.subarray(from, to), this.buffered);
      this.buffered += to - from;
      from = to;
    }
    let { min, max } = this;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    this.min = min;
    this.max = max;
  }

  /** Adds distinct values, ascending, each as often as its count says: at least once. */
  addCounted(values: Float64Array, counts: Uint32Array): void {
    runSteps(this.addCountedInSteps(values, counts, new StepMeter()));
  }

  /** `addCounted` in steps; until it is done, nothing else may be added. */
  *addCountedInSteps(values: Float64Array, counts: Uint32Array, meter: StepMeter): Steps<void> {
    if (values.length === 0) return;
    this.fold();
    let total = this.totalWeight;
    for (let i = 0; i < counts.length; i++) total += counts[i] as number;
    const builder = new ClusterBuilder(this.compression, total);
    const { means, weights } = this;
    let old = 0;
    for (let from = 0; from < values.length; ) {
      const step = Math.min(values.length, from + VALUES_A_STEP);
      // Those before the next cluster that there is.
      const to = old < means.length ? firstAtLeast(values, means[old] as number, from, step) : step;
      builder.addRuns(values, counts, from, to);
      if (meter.isDue((to - from) * VALUE_UNITS)) yield;
      if (to < step) {
        builder.add(means[old] as number, weights[old] as number);
        old++;
      }
      from = to;
    }
    for (; old < means.length; old++) builder.add(means[old] as number, weights[old] as number);
    this.setClusters(builder, total);
    this.min = Math.min(this.min, values[0] as number);
    this.max = Math.max(this.max, values.at(-1) as number);
  }

  private makeRoom(wanted: number): void {
    if (this.buffer.length >= BUFFER_MAX) {
      this.fold();
      return;
    }
    let size = Math.max(BUFFER_MIN, this.buffer.length * 2);
    while (size < this.buffered + wanted && size < BUFFER_MAX) size *= 2;
    const grown = new Float64Array(Math.min(size, BUFFER_MAX));
    grown.set(this.buffer);
    this.buffer = grown;
  }

  get count(): number {
    return this.totalWeight + this.buffered;
  }

  get sizeBytes(): number {
    return this.means.byteLength * 2 + this.buffer.byteLength;
  }

  merge(other: TDigest): void {
    const clusters = other.clusters();
    if (clusters.means.length === 0) return;
    this.fold();
    this.foldIn(clusters);
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
  }

  clusters(): Clusters {
    this.fold();
    return { means: this.means, weights: this.weights };
  }

  /** A digest of clusters that another digest gave: means ascending, weights positive. */
  static of(compression: number, clusters: Clusters, min: number, max: number): TDigest {
    const digest = new TDigest(compression);
    digest.foldIn(clusters);
    digest.min = min;
    digest.max = max;
    return digest;
  }

  private fold(): void {
    const { buffered } = this;
    if (buffered === 0) return;
    const values = this.buffer.subarray(0, buffered);
    sortDoubles(values);
    this.buffered = 0;
    this.foldIn({ means: values, weights: null });
  }

  /** The clusters that there are, and others; without weights they are values, of which equal ones may be parted. */
  private foldIn({ means, weights }: { readonly means: Float64Array; readonly weights: Float64Array | null }): void {
    let total = this.totalWeight;
    if (weights === null) total += means.length;
    else for (let i = 0; i < weights.length; i++) total += weights[i] as number;
    const builder = new ClusterBuilder(this.compression, total);
    const { means: oldMeans, weights: oldWeights } = this;
    let old = 0;
    for (let i = 0; i < means.length; ) {
      const mean = means[i] as number;
      for (; old < oldMeans.length && (oldMeans[old] as number) <= mean; old++) {
        builder.add(oldMeans[old] as number, oldWeights[old] as number);
      }
      if (weights !== null) builder.add(mean, weights[i++] as number);
      else {
        const from = i++;
        while (i < means.length && means[i] === mean) i++;
        builder.addEqual(mean, i - from);
      }
    }
    for (; old < oldMeans.length; old++) builder.add(oldMeans[old] as number, oldWeights[old] as number);
    this.setClusters(builder, total);
  }

  private setClusters(builder: ClusterBuilder, total: number): void {
    const { means, weights } = builder.finish();
    this.means = means;
    this.weights = weights;
    this.totalWeight = total;
  }

  /** Value below which the share `q` (0..1) of all values lies; NaN when there are none. */
  quantile(q: number): number {
    const { means, weights } = this.clusters();
    const last = means.length - 1;
    if (last < 0) return Number.NaN;
    if (last === 0) return means[0] as number;
    const index = q * this.totalWeight;
    let at = (weights[0] as number) / 2;
    if (index < at) return this.min + ((means[0] as number) - this.min) * (index / at);
    for (let i = 0; i < last; i++) {
      const step = ((weights[i] as number) + (weights[i + 1] as number)) / 2;
      if (index < at + step) return between(means[i] as number, means[i + 1] as number, (index - at) / step);
      at += step;
    }
    const rest = this.totalWeight - at;
    return rest <= 0 ? this.max : between(means[last] as number, this.max, Math.min(1, (index - at) / rest));
  }

  /**
   * Share (0..1) of all values that are at most `value`; NaN when there are none.
   *
   * Each cluster is spread evenly between the middles of the gaps around it, the first as far to both sides, and what is behind the last
   * of these middles is above all values: so does the digest of Elasticsearch, whose answers for few values clients rely on.
   */
  rank(value: number): number {
    const { means, weights } = this.clusters();
    const last = means.length - 1;
    if (last < 0) return Number.NaN;
    const total = this.totalWeight;
    // Few values are clusters of their own, and equal ones have no gap between them.
    const areSingle = total <= this.compression;
    let before = 0;
    let left = last === 0 || (areSingle && (weights[0] as number) > 1) ? 0 : halfGap(means, 0);
    for (let i = 0; i <= last; i++) {
      const mean = means[i] as number;
      const weight = weights[i] as number;
      const isRepeated = last === 0 || (areSingle && weight > 1);
      if (isRepeated && value < mean) return (before + Math.max(0, shareOf(value, mean - left, mean))) / total;
      if (i === last) return 1;
      const right = halfGap(means, i);
      if (value < mean + right) {
        if (isRepeated) return (before + weight - 1 + shareOf(value, mean, mean + right)) / total;
        return Math.max(0, before + weight * shareOf(value, mean - left, mean + right)) / total;
      }
      before += weight;
      left = right;
    }
    return 1;
  }
}

/** Half of the way from a cluster to the next. */
function halfGap(means: Float64Array, at: number): number {
  return ((means[at + 1] as number) - (means[at] as number)) / 2;
}

/** Where `value` is between two ends, 0..1 within them; below 0 where they are one. */
function shareOf(value: number, from: number, to: number): number {
  return to === from ? Number.NEGATIVE_INFINITY : (value - from) / (to - from);
}

function between(low: number, high: number, share: number): number {
  return Math.max(low, Math.min(high, low * (1 - share) + high * share));
}
