/**
 * What a translog does next, in order, and who waits for it.
 */
import type { ByteSink, ShoalError } from '@shoal/core';
import type { GenerationFile } from './generation-file.ts';

/** One step of the queue: bytes of a generation, or the start of the next generation. */
export type Step =
  | {
      readonly kind: 'data';
      readonly sink: ByteSink;
      /** First and last number of each run of its operations. */
      readonly runs: number[];
      lastAppend: number;
      isTaken: boolean;
    }
  | { readonly kind: 'roll'; readonly next: GenerationFile; readonly lastAppend: number };

export interface Waiter {
  readonly append: number;
  resolve(): void;
  reject(error: ShoalError): void;
}
