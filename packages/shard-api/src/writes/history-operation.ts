/**
 * One operation of a shard's history: what a primary did, under the number that it gave it.
 *
 * Number and term together name it on every copy and for ever: two operations with the same pair are the same one.
 */
import type { RequestToken } from './request-token.ts';
import type { DoneWord } from './write-result.ts';

/** Request, and position in it, of an operation that must not be done again when the request is sent again. */
export interface OperationOrigin {
  readonly token: RequestToken;
  readonly position: number;
  /** Its answer; null in records that were written before they had it. */
  readonly result: Exclude<DoneWord, 'noop'> | null;
}

export type HistoryOperation =
  | {
      readonly kind: 'index';
      /** Consecutive from 0, given by the primary. */
      readonly seqNo: number;
      /** Term of the primary that executed it first, on every copy. */
      readonly primaryTerm: number;
      readonly version: number;
      readonly id: string;
      readonly routing: string | null;
      readonly source: Uint8Array;
      /** null: its request has no name, or an older version wrote the record, which named only some. */
      readonly origin: OperationOrigin | null;
    }
  | {
      readonly kind: 'delete';
      readonly seqNo: number;
      readonly primaryTerm: number;
      readonly version: number;
      readonly id: string;
      readonly origin: OperationOrigin | null;
    }
  /** Takes a number under which no copy that may become primary holds anything else: histories have no holes. */
  | { readonly kind: 'noop'; readonly seqNo: number; readonly primaryTerm: number; readonly reason: string };
