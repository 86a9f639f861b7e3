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

  /** @param total sum of all weights that will come */
  constructor(compression: number, total: number) {
    this.total = total;
    this.scale = 4 / (compression * total);
  }

  /** What stays together. */
  add(mean: number, weight: number): void {
    if (this.takes(weight)) this.extend(mean, weight);
    else this.open(mean, weight);
  }

  /** `count` equal values. */
  addEqual(mean: number, count: number): void {
    let left = count;
    while (left > 0) {
      const taken = this.takes(1) ? this.mostOf(left) : 0;
      if (taken > 0) this.extend(mean, taken);
      else this.open(mean, 1);
      left -= Math.max(1, taken);
    }
  }

  /** What a cluster around this quantile may stand for: 4·total·q(1-q)/compression. */
  private takes(more: number): boolean {
    const proposed = this.weight + more;
    const middle = this.before + proposed / 2;
    return this.weight > 0 && proposed <= this.scale * middle * (this.total - middle);
  }

  /** How many of `count` values the open cluster takes one by one: the bound is concave, so that those taken are the first. */
  private mostOf(count: number): number {
    let low = 1;
    let high = count;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.takes(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
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
