/**
 * Bounds the bytes of all request bodies in memory together: the limit of one body says nothing about a hundred at once.
 *
 * Bytes are charged as they come in and given back when the request is answered. Above the budget a request is refused
 * with 429, which clients answer by sending less and trying again.
 */
import { assert, circuitBreaking } from '@shoal/core';

export interface BodyLease {
  /** Charges bytes that came in, or are announced; throws 429 when they do not fit. */
  take(bytes: number): void;
  /** Gives back bytes that were charged and are not held any more. */
  give(bytes: number): void;
  /** Gives back all that is still charged. */
  release(): void;
}

export class BodyBudget {
  readonly #bytesMax: number;
  #taken = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  lease(): BodyLease {
    let held = 0;
    return {
      take: (bytes) => {
        const wanted = this.#taken + bytes;
        if (wanted > this.#bytesMax) {
          const reason =
            '[in_flight_requests] Data too large, data for [<http_request>] would be ' +
            `[${wanted}], which is larger than the limit of [${this.#bytesMax}]`;
          throw circuitBreaking(reason, { wanted, limit: this.#bytesMax });
        }
        this.#taken = wanted;
        held += bytes;
      },
      give: (bytes) => {
        // What an answered request drops was given back with all the rest of it.
        const given = Math.min(bytes, held);
        this.#taken -= given;
        held -= given;
      },
      release: () => {
        assert(held <= this.#taken, `a request holds ${held} bytes of ${this.#taken} in memory`);
        this.#taken -= held;
        held = 0;
      },
    };
  }
}
