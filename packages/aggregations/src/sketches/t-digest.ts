/**
 * Quantiles of a stream in little memory: clusters of neighbouring values, small at both ends and larger in the middle.
 *
 * T. Dunning and O. Ertl, "Computing extremely accurate quantiles using t-digests" (2019): the merging variant, values
 * buffered, sorted and folded into the clusters; a cluster near quantile q stands for at most 4·n·q(1-q)/compression values, so
 * that sets no larger than the compression stay exact.
 */
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

  /** Of what `clusters` of another gave: means ascending, weights positive. */
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
    const means = this.buffer.subarray(0, buffered);
    sortDoubles(means);
    this.buffered = 0;
    this.foldIn({ means, weights: new Float64Array(buffered).fill(1) });
  }

  private foldIn(added: Clusters): void {
    const { means, weights } = merged({ means: this.means, weights: this.weights }, added);
    let total = this.totalWeight;
    for (let i = 0; i < added.weights.length; i++) total += added.weights[i] as number;
    const scale = 4 / (this.compression * total);
    const keptMeans = new Float64Array(means.length);
    const keptWeights = new Float64Array(means.length);
    let kept = -1;
    let before = 0;
    let sum = 0;
    let lowest = 0;
    let weight = Number.POSITIVE_INFINITY;
    for (let i = 0; i < means.length; i++) {
      const mean = means[i] as number;
      const next = weights[i] as number;
      const proposed = weight + next;
      const middle = before + proposed / 2;
      // What a cluster around this quantile may stand for: 4·total·q(1-q)/compression.
      if (proposed <= scale * middle * (total - middle)) {
        weight = proposed;
        sum += mean * next;
        // The mean of equal values is rounded to their side; it must not pass that of a neighbour.
        keptMeans[kept] = Math.max(lowest, Math.min(mean, sum / weight));
        keptWeights[kept] = weight;
        continue;
      }
      if (kept >= 0) before += weight;
      weight = next;
      sum = mean * next;
      lowest = mean;
      keptMeans[++kept] = mean;
      keptWeights[kept] = next;
    }
    this.means = keptMeans.slice(0, kept + 1);
    this.weights = keptWeights.slice(0, kept + 1);
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

  /** Share (0..1) of all values that are at most `value`; NaN when there are none. */
  rank(value: number): number {
    const { means, weights } = this.clusters();
    const last = means.length - 1;
    if (last < 0) return Number.NaN;
    if (value < this.min) return 0;
    if (value >= this.max) return 1;
    // Clusters' middles as a broken line between the two ends.
    let before = 0;
    let [x, y] = [this.min, 0];
    for (let i = 0; i <= last; i++) {
      const mean = means[i] as number;
      const middle = before + (weights[i] as number) / 2;
      if (value < mean) return lineAt(x, y, mean, middle, value) / this.totalWeight;
      before += weights[i] as number;
      [x, y] = [mean, middle];
    }
    return lineAt(x, y, this.max, this.totalWeight, value) / this.totalWeight;
  }
}

/** Two lists of clusters in one ascending order. */
function merged(old: Clusters, added: Clusters): Clusters {
  if (old.means.length === 0) return added;
  const length = old.means.length + added.means.length;
  const means = new Float64Array(length);
  const weights = new Float64Array(length);
  let a = 0;
  let b = 0;
  for (let at = 0; at < length; at++) {
    const isOld =
      b === added.means.length || (a < old.means.length && (old.means[a] as number) <= (added.means[b] as number));
    const from = isOld ? old : added;
    const i = isOld ? a++ : b++;
    means[at] = from.means[i] as number;
    weights[at] = from.weights[i] as number;
  }
  return { means, weights };
}

function lineAt(x: number, y: number, toX: number, toY: number, value: number): number {
  const share = toX === x ? 1 : (value - x) / (toX - x);
  return y + (toY - y) * share;
}

function between(low: number, high: number, share: number): number {
  return Math.max(low, Math.min(high, low * (1 - share) + high * share));
}
