/**
 * Where documents by query come from: pages of hits, whether of this cluster or of another one.
 */
import type { ShoalError } from '@shoal/core';

/** A document as it was found. */
export interface SourceHit {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
  readonly version: number;
  /** Sequence number under which it was found; null when the source does not tell. */
  readonly seqNo: number | null;
  readonly primaryTerm: number | null;
  /** null when it was not wanted, or is not stored. */
  readonly source: Uint8Array | null;
}

/** A shard that did not answer. */
export interface HitFailure {
  readonly index: string | null;
  readonly shard: number | null;
  readonly nodeId: string | null;
  readonly error: ShoalError;
}

export interface HitPage {
  /** Hits of all pages. */
  readonly total: number;
  readonly hits: readonly SourceHit[];
  readonly timedOut: boolean;
  readonly failures: readonly HitFailure[];
}

/** Pages of one search, to be closed whatever happens. A page is held only until the next one is asked for. */
export interface SourceHits {
  /** Page after page; empty: there are no more. @param idleMs time that passes before the next page is asked for */
  next(idleMs: number): Promise<HitPage>;
  close(): Promise<void>;
}

/** Attempts that were refused for lack of room and made again. */
export interface RetryCount {
  searchRetries: number;
}
