/**
 * What is asked of a shard to forget, which it keeps only to answer faster.
 */

/** Caches of a shard that a request wants emptied. */
export interface CachesToClear {
  /** Matches of filters. */
  readonly query: boolean;
  /** What fields hold in memory beside their segments. */
  readonly fielddata: boolean;
  /** Answers of searches. */
  readonly request: boolean;
  /** Fields that `fielddata` means; empty: all. */
  readonly fields: readonly string[];
}
