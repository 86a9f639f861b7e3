/**
 * Bytes of writes that this node holds at the moment, and the limit above which it refuses more.
 *
 * Memory is what a burst of bulks takes first: refusing early, with an error that clients retry on, keeps the node up.
 */
import { assert, rejectedExecution } from '@shoal/core';
import type { IndexingPressureStats, PackedOperations } from '@shoal/shard-api';

/** Estimated memory of an operation beside its source: objects, id, result. */
const OPERATION_OVERHEAD_BYTES = 256;

export class IndexingPressure {
  readonly #limitBytes: number;
  #currentBytes = 0;
  #totalBytes = 0;
  #rejections = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Counts the bytes until the returned function is called.
   *
   * @throws es_rejected_execution_exception above the limit
   */
  hold(bytes: number): () => void {
    const held = this.#currentBytes;
    if (held + bytes > this.#limitBytes) {
      this.#rejections++;
      throw rejectedExecution(
        `rejected execution of primary operation [coordinating_and_primary_bytes=${held}, replica_bytes=0, ` +
          `all_bytes=${held}, primary_operation_bytes=${bytes}, ` +
          `max_coordinating_and_primary_bytes=${this.#limitBytes}]`,
      );
    }
    assert(bytes >= 0, `writes of ${bytes} bytes`);
    this.#currentBytes += bytes;
    this.#totalBytes += bytes;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#currentBytes -= bytes;
      assert(this.#currentBytes >= 0, `bytes of writes fell to ${this.#currentBytes}`);
    };
  }

  stats(): IndexingPressureStats {
    return {
      currentBytes: this.#currentBytes,
      totalBytes: this.#totalBytes,
      rejections: this.#rejections,
      limitBytes: this.#limitBytes,
    };
  }
}

export function bytesOf(operations: PackedOperations): number {
  return operations.length * OPERATION_OVERHEAD_BYTES + operations.bodyBytes();
}
