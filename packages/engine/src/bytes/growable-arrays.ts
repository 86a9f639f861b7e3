/**
 * Typed arrays that grow by doubling: what a buffer being written keeps instead of an object per posting or document.
 */

const CAPACITY_MIN = 16;

export class GrowableU32 {
  values: Uint32Array = new Uint32Array(CAPACITY_MIN);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const next = new Uint32Array(this.values.length * 2);
      next.set(this.values);
      this.values = next;
    }
    this.values[this.length++] = value;
  }

  /** Pushes `from[start..end)`. */
  append(from: Uint32Array, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.values.length) {
      const next = new Uint32Array(Math.max(this.values.length * 2, length));
      next.set(this.values);
      this.values = next;
    }
    const { values } = this;
    let at = this.length;
    for (let i = start; i < end; i++) values[at++] = from[i] as number;
    this.length = at;
  }

  at(index: number): number {
    return this.values[index] as number;
  }

  get sizeBytes(): number {
    return this.values.byteLength;
  }

  /** The written part; a view, valid until the next `push`. */
  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}

export class GrowableF64 {
  values: Float64Array = new Float64Array(CAPACITY_MIN);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const next = new Float64Array(this.values.length * 2);
      next.set(this.values);
      this.values = next;
    }
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index] as number;
  }

  get sizeBytes(): number {
    return this.values.byteLength;
  }

  view(): Float64Array {
    return this.values.subarray(0, this.length);
  }
}
