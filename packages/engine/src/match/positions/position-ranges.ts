/**
 * Ranges of positions in one document: what spans and intervals find, in flat arrays that are used again.
 */

const START_CAPACITY = 16;

/** Ascending by start, then end, unless whoever fills it says otherwise. */
export class PositionRanges {
  count = 0;
  starts: Uint32Array = new Uint32Array(START_CAPACITY);
  /** Behind the last position. */
  ends: Uint32Array = new Uint32Array(START_CAPACITY);
  /** Positions in between that are of no part; negative where parts overlap. */
  gaps: Int32Array = new Int32Array(START_CAPACITY);

  clear(): void {
    this.count = 0;
  }

  add(start: number, end: number, gaps: number): void {
    if (this.count === this.starts.length) this.grow();
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.gaps[this.count++] = gaps;
  }

  addFrom(other: PositionRanges, i: number): void {
    this.add(other.start(i), other.end(i), other.gap(i));
  }

  /** Takes back the last one. */
  drop(): void {
    this.count--;
  }

  start(i: number): number {
    return this.starts[i] as number;
  }

  end(i: number): number {
    return this.ends[i] as number;
  }

  gap(i: number): number {
    return this.gaps[i] as number;
  }

  private grow(): void {
    const longer = <T extends Uint32Array | Int32Array>(array: T, next: T): T => {
      next.set(array);
      return next;
    };
    const capacity = this.starts.length * 2;
    this.starts = longer(this.starts, new Uint32Array(capacity));
    this.ends = longer(this.ends, new Uint32Array(capacity));
    this.gaps = longer(this.gaps, new Int32Array(capacity));
  }
}
