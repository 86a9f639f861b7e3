/**
 * Outcome of one write operation.
 */
import type { ShoalError } from '@shoal/core';

export type DoneWord = 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';

/** Outcome of one operation, in the order of the request. */
export type WriteResult =
  | {
      readonly kind: 'done';
      readonly result: DoneWord;
      readonly version: number;
      readonly seqNo: number;
      readonly primaryTerm: number;
      /** `_source` after an update that asked for it; null otherwise. */
      readonly source: Uint8Array | null;
    }
  | { readonly kind: 'failed'; readonly error: ShoalError };
