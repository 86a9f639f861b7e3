/**
 * Random numbers, as independent streams.
 */

export interface Random {
  /** Uniform 0..2^32-1. */
  u32(): number;
  /** Uniform integer 0..n-1; n in 1..2^32. */
  below(n: number): number;
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
  /** An independent stream: a new consumer does not shift the others. */
  fork(label: string): Random;
}
