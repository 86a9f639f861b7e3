/**
 * Finds passages of texts that were seen before, such as quotes and forwarded mail: runs of tokens, by their hashes.
 */
import { circuitBreaking, murmur3 } from '@shoal/core';

/** Tokens of the shortest passage: common phrases are shorter. */
const RUN_TOKENS = 6;
/** Values of the hash of one token: a run is a number below 2^48. */
const HASHES = 256;
const OLDEST = HASHES ** (RUN_TOKENS - 1);
/** Runs that are remembered: more would take all memory of the shard. */
const RUNS_MAX = 1 << 21;
/** Bytes of a run in the set, about. */
const RUN_BYTES = 40;

export class DuplicateSpotter {
  readonly #seen = new Set<number>();

  get memoryBytes(): number {
    return this.#seen.size * RUN_BYTES;
  }

  /** Tokens of a text that are in no passage seen before. @throws ShoalError where there are too many passages */
  newTokens(tokens: readonly string[]): readonly string[] {
    const isOld = new Uint8Array(tokens.length);
    let run = 0;
    for (const [at, token] of tokens.entries()) {
      run = (run % OLDEST) * HASHES + (murmur3(token) & (HASHES - 1));
      if (at < RUN_TOKENS - 1) continue;
      if (this.#seen.has(run)) isOld.fill(1, at - RUN_TOKENS + 1, at + 1);
      else this.#remember(run);
    }
    return tokens.filter((_, at) => isOld[at] === 0);
  }

  #remember(run: number): void {
    this.#seen.add(run);
    if (this.#seen.size <= RUNS_MAX) return;
    throw circuitBreaking(`[request] Data too large, [filter_duplicate_text] met more than [${RUNS_MAX}] passages`, {
      wanted: this.#seen.size * RUN_BYTES,
      limit: RUNS_MAX * RUN_BYTES,
    });
  }
}
