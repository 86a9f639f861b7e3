/**
 * Builds the clusters of a t-digest out of what comes in ascending order: each takes as much as its place allows.
 *
 * Equal values come with their number and are spread over clusters as they would be one by one, but a cluster takes all that
 * it can of them at once.
 */
export class ClusterBuilder {
  private readonly means: number[] = [];
  private readonly weights: number[] = [];
  private readonly total: number;
  private readonly scale: number;
  /** Weight of the clusters before the open one. */
  private before = 0;
  /** Weighted sum of the open cluster. */
  private sum = 0;
  private lowest = 0;
  private highest = 0;
  /** Weight of the open cluster; 0: there is none. */
  private weight = 0;
  /** Most that the open cluster may weigh. */
  private weightMax = 0;

  /** @param total sum of all weights that will come */
  constructor(compression: number, total: number) {
    this.total = total;
    this.scale = 4 / (compression * total);
  }

  /** What stays together; weights are whole numbers. */
  add(mean: number, weight: number): void {
    if (this.weight + weight <= this.weightMax) this.extend(mean, weight);
    else this.open(mean, weight);
  }

  /** `count` equal values. */
  addEqual(mean: number, count: number): void {
    let left = count;
    while (left > 0) {
      const room = this.weightMax - this.weight;
      if (room > 0) this.extend(mean, Math.min(left, room));
      else this.open(mean, 1);
      left -= room > 0 ? room : 1;
    }
  }

  /** Several values at from..to - 1, ascending, each as often as its count says. */
  addRuns(values: Float64Array, counts: Uint32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.addEqual(values[i] as number, counts[i] as number);
  }

  /** A cluster around this quantile may weigh as much: at most 4·total·q(1-q)/compression. */
  private takes(weight: number): boolean {
    const middle = this.before + weight / 2;
    return weight <= this.scale * middle * (this.total - middle);
  }

  /** The largest whole weight that the open cluster may have: the bound is concave, and holds up to its root. */
  private largest(): number {
    const { before, total, scale } = this;
    const half = (scale * (total - 2 * before)) / 2 - 1;
    const root = (half + Math.sqrt(half * half + scale * scale * before * (total - before))) / (scale / 2);
    // Rounding puts the root beside the bound: the bound itself decides.
    let weight = Math.max(1, Math.floor(root));
    while (weight > 1 && !this.takes(weight)) weight--;
    while (this.takes(weight + 1)) weight++;
    return weight;
  }

  private extend(mean: number, weight: number): void {
    this.weight += weight;
    this.sum += mean * weight;
    this.highest = mean;
  }

  private open(mean: number, weight: number): void {
    this.close();
    this.before += this.weight;
    this.weight = weight;
    this.weightMax = this.largest();
    this.sum = mean * weight;
    this.lowest = mean;
    this.highest = mean;
  }

  private close(): void {
    if (this.weight === 0) return;
    // The mean of equal values is rounded to their side; it must not pass that of a neighbour.
    this.means.push(Math.max(this.lowest, Math.min(this.highest, this.sum / this.weight)));
    this.weights.push(this.weight);
  }

  /** Means ascending, and how many values each stands for; once, when all have come. */
  finish(): { readonly means: Float64Array; readonly weights: Float64Array } {
    this.close();
    return { means: Float64Array.from(this.means), weights: Float64Array.from(this.weights) };
  }
}
