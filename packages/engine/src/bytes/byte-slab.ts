/**
 * Copies of short byte strings, many to one piece of memory: memory of its own costs such a copy more than its bytes do.
 *
 * A copy keeps the whole piece alive. It is for what lives as long as an answer, not for what is kept.
 */
const SLAB_BYTES = 16_384;
/** Longest copy that shares memory. */
const COPY_BYTES_MAX = 4_096;

export class ByteSlab {
  private slab = new Uint8Array(0);
  private used = 0;

  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    if (length > COPY_BYTES_MAX) return bytes.slice();
    if (this.used + length > this.slab.length) {
      this.slab = new Uint8Array(SLAB_BYTES);
      this.used = 0;
    }
    const copy = this.slab.subarray(this.used, this.used + length);
    copy.set(bytes);
    this.used += length;
    return copy;
  }
}
