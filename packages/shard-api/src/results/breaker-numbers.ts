/**
 * State of a circuit breaker, as a node tells it of itself.
 */

export interface BreakerNumbers {
  /** Bytes that may be held. */
  readonly limitBytes: number;
  /** Bytes held now. */
  readonly usedBytes: number;
  /** Refusals since the start. */
  readonly trips: number;
}
