/**
 * Sums whose result hardly depends on the order of what is added.
 */

/** A sum that keeps what adding rounds away (W. Kahan, 1965), so that the order of shards hardly matters. */
export class KahanSum {
  value = 0;
  private lost = 0;

  add(next: number): void {
    if (!Number.isFinite(next) || !Number.isFinite(this.value)) {
      this.value += next;
      return;
    }
    const corrected = next - this.lost;
    const sum = this.value + corrected;
    this.lost = sum - this.value - corrected;
    this.value = sum;
  }
}
