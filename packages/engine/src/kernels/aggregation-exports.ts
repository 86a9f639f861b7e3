/**
 * The kernels of aggregations, and the stretch of memory through which values reach them. Their source:
 * packages/engine/kernels/aggregation-kernels.ts.
 *
 * One call begins and ends within one batch of documents: what is in the stretch means nothing afterwards.
 */
import { KERNEL_BYTES_BASE64 } from './generated/aggregation-kernel-bytes.ts';
import { type GrowingMemory, instantiate } from './wasm-memory.ts';

/** Values of a call at most. */
const VALUES_MAX = 2_048;
const VALUE_BYTES = 8;
const RANK_BYTES = 4;

/** Bytes that values and results take. */
export const AGGREGATION_BYTES: number = VALUES_MAX * (VALUE_BYTES + RANK_BYTES);

interface Kernels {
  rankDoubles(values: number, count: number, precision: number, into: number): void;
}

export class AggregationKernels {
  /** Of the values that were given, register << 8 | rank; until the next call. */
  readonly ranks: Uint32Array;
  private readonly kernels: Kernels;
  private readonly values: Float64Array;

  private constructor(kernels: Kernels, memory: GrowingMemory, address: number) {
    this.kernels = kernels;
    this.values = new Float64Array(memory.buffer, address, VALUES_MAX);
    this.ranks = new Uint32Array(memory.buffer, address + VALUES_MAX * VALUE_BYTES, VALUES_MAX);
  }

  /** null where the processor or the JavaScript engine lacks SIMD. `address`: of `AGGREGATION_BYTES`. */
  static load(memory: GrowingMemory, address: number): AggregationKernels | null {
    // The module is ours, and its export is the one that the interface names: a test calls it.
    const kernels = instantiate(KERNEL_BYTES_BASE64, memory) as Kernels | null;
    return kernels && new AggregationKernels(kernels, memory, address);
  }

  /** False: there are too many at once, and nothing is done. */
  rankDoubles(values: Float64Array, count: number, precision: number): boolean {
    if (count > VALUES_MAX) return false;
    this.values.set(count === values.length ? values : values.subarray(0, count));
    this.kernels.rankDoubles(this.values.byteOffset, count, precision, this.ranks.byteOffset);
    return true;
  }
}
