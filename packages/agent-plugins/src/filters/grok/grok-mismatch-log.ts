/**
 * Says at log level debug why a text did not match: up to which part of the pattern, and what stood there.
 *
 * To find out costs far more than a match, so it is done for a few texts a minute only, however many do not match.
 */
import type { PluginContext } from '@shoal/agent-plugin-kit';
import { type CompileGrokOptions, expectedParts, explainMismatch, type MismatchExplanation } from '@shoal/extraction';

export const EXPLAINED_PER_MINUTE: number = 20;
const MINUTE_MS = 60_000;
/** Patterns tried for one field; further ones are left out. */
const PATTERNS_MAX = 10;
const TEXT_SHOWN_MAX = 1_000;

export class GrokMismatchLog {
  readonly #context: PluginContext;
  readonly #options: CompileGrokOptions;
  #minuteStartMs = Number.NEGATIVE_INFINITY;
  #explained = 0;
  /** Since the last line. */
  #unexplained = 0;

  constructor(context: PluginContext, options: CompileGrokOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** `patterns`: all that were tried on the text. */
  mismatch(field: string, text: string, patterns: readonly string[]): void {
    const now = this.#context.runtime.clock.monotonicMs();
    if (now - this.#minuteStartMs >= MINUTE_MS) {
      this.#minuteStartMs = now;
      this.#explained = 0;
    }
    if (this.#explained >= EXPLAINED_PER_MINUTE) {
      this.#unexplained++;
      return;
    }
    this.#explained++;
    const nearest = this.#nearest(text, patterns);
    if (nearest === null) return;
    this.#context.runtime.log.debug('grok pattern does not match', {
      position: this.#context.position,
      field,
      text: text.slice(0, TEXT_SHOWN_MAX),
      matched: nearest.matchedText.slice(0, TEXT_SHOWN_MAX),
      matchedPattern: nearest.matchedPattern,
      expected: expectedParts(nearest).join(' > '),
      found: nearest.rest,
      offset: nearest.offset,
      ...(this.#unexplained === 0 ? {} : { unexplainedBefore: this.#unexplained }),
    });
    this.#unexplained = 0;
  }

  /** Explanation of the pattern that matched the longest part of the text. */
  #nearest(text: string, patterns: readonly string[]): MismatchExplanation | null {
    let best: MismatchExplanation | null = null;
    for (const pattern of patterns.slice(0, PATTERNS_MAX)) {
      const found = explainMismatch(pattern, text, this.#options);
      if (best === null || found.offset > best.offset) best = found;
    }
    return best;
  }
}
