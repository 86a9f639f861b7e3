/**
 * Quantiles of a stream in little memory: clusters of neighbouring values, small at both ends and larger in the middle.
 *
 * T. Dunning and O. Ertl, "Computing extremely accurate quantiles using t-digests" (2019): the merging variant, values
 * buffered, sorted and folded into the clusters; a cluster near quantile q stands for at most 4·n·q(1-q)/compression values, so
 * that sets no larger than the compression stay exact.
 */

/** Values buffered between two folds, per cluster that is kept. */
const BUFFER_FACTOR = 5;

export class TDigest {
  readonly compression: number;
  min: number = Number.POSITIVE_INFINITY;
  max: number = Number.NEGATIVE_INFINITY;
  /** Clusters: means ascending, and how many values each stands for. */
  private means = new Float64Array(0);
  private weights = new Float64Array(0);
  private size = 0;
  private totalWeight = 0;
  private readonly bufferMeans: Float64Array;
  private readonly bufferWeights: Float64Array;
  private buffered = 0;

  constructor(compression: number) {
    this.compression = compression;
    const capacity = Math.ceil(Math.max(compression, 20) * BUFFER_FACTOR);
    this.bufferMeans = new Float64Array(capacity);
    this.bufferWeights = new Float64Array(capacity);
  }

  add(value: number, weight = 1): void {
    if (this.buffered === this.bufferMeans.length) this.fold();
    this.bufferMeans[this.buffered] = value;
    this.bufferWeights[this.buffered++] = weight;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  get count(): number {
    let count = this.totalWeight;
    for (let i = 0; i < this.buffered; i++) count += this.bufferWeights[i] as number;
    return count;
  }

  get sizeBytes(): number {
    return (this.means.length + this.bufferMeans.length) * 16;
  }

  merge(other: TDigest): void {
    const { means, weights } = other.clusters();
    for (let i = 0; i < means.length; i++) this.add(means[i] as number, weights[i] as number);
    this.min = Math.min(this.min, other.min);
    this.max = Math.max(this.max, other.max);
  }

  clusters(): { readonly means: Float64Array; readonly weights: Float64Array } {
    this.fold();
    return { means: this.means.subarray(0, this.size), weights: this.weights.subarray(0, this.size) };
  }

  private fold(): void {
    if (this.buffered === 0) return;
    const total = this.count;
    const { means, weights } = this.sorted();
    const limit = this.compression;
    const keptMeans = new Float64Array(means.length);
    const keptWeights = new Float64Array(means.length);
    let kept = 0;
    let before = 0;
    let mean = means[0] as number;
    let weight = weights[0] as number;
    for (let i = 1; i < means.length; i++) {
      const next = weights[i] as number;
      const proposed = weight + next;
      const q = (before + proposed / 2) / total;
      if (proposed <= clusterLimit(q, total, limit)) {
        mean += ((means[i] as number) - mean) * (next / proposed);
        weight = proposed;
        continue;
      }
      keptMeans[kept] = mean;
      keptWeights[kept++] = weight;
      before += weight;
      mean = means[i] as number;
      weight = next;
    }
    keptMeans[kept] = mean;
    keptWeights[kept++] = weight;
    this.means = keptMeans.slice(0, kept);
    this.weights = keptWeights.slice(0, kept);
    this.size = kept;
    this.totalWeight = total;
    this.buffered = 0;
  }

  /** Clusters and buffered values in one ascending order. */
  private sorted(): { readonly means: Float64Array; readonly weights: Float64Array } {
    const count = this.buffered;
    const order = new Uint32Array(count).map((_, i) => i);
    const values = this.bufferMeans;
    order.sort((a, b) => (values[a] as number) - (values[b] as number));
    const means = new Float64Array(this.size + count);
    const weights = new Float64Array(this.size + count);
    let a = 0;
    for (let at = 0, b = 0; at < means.length; at++) {
      const isOld =
        b === count || (a < this.size && (this.means[a] as number) <= (values[order[b] as number] as number));
      if (isOld) {
        means[at] = this.means[a] as number;
        weights[at] = this.weights[a++] as number;
      } else {
        const from = order[b++] as number;
        means[at] = values[from] as number;
        weights[at] = this.bufferWeights[from] as number;
      }
    }
    return { means, weights };
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
    let before = 0;
    for (let i = 0; i <= last; i++) {
      const mean = means[i] as number;
      const weight = weights[i] as number;
      if (value < mean) return rankBetween(this, i, value, before);
      before += weight;
    }
    return rankBetween(this, last + 1, value, before);
  }

  /** Used by `rank`: clusters' middles as a broken line between the two ends. */
  static lineOf(digest: TDigest, i: number, before: number): { readonly x: number; readonly y: number } {
    const { means, weights } = digest.clusters();
    if (i < 0) return { x: digest.min, y: 0 };
    if (i >= means.length) return { x: digest.max, y: digest.totalWeight };
    return { x: means[i] as number, y: before + (weights[i] as number) / 2 };
  }
}

function rankBetween(digest: TDigest, i: number, value: number, before: number): number {
  const { weights } = digest.clusters();
  const left = TDigest.lineOf(digest, i - 1, before - (i > 0 ? (weights[i - 1] as number) : 0));
  const right = TDigest.lineOf(digest, i, before);
  const share = right.x === left.x ? 1 : (value - left.x) / (right.x - left.x);
  return (left.y + (right.y - left.y) * share) / digest.count;
}

/** Values that a cluster around quantile `q` may stand for. */
function clusterLimit(q: number, total: number, compression: number): number {
  return Math.max(1, (4 * total * q * (1 - q)) / compression);
}

function between(low: number, high: number, share: number): number {
  return Math.max(low, Math.min(high, low * (1 - share) + high * share));
}
