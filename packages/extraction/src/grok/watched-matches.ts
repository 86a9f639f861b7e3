/**
 * Matches of a pattern that may take long for some texts: each runs where V8 can interrupt it, alone, or together with those
 * of the texts that are announced before.
 *
 * To watch costs some 70 µs a call, many times what most matches take. A batch of texts is watched as one call, for a moment:
 * a text that is not done by then is left to a call of its own, with all its time.
 */
import { lazyWatchedCall, TIMED_OUT, type WatchedCall } from '@shoal/ruby-regex';

export type GrokMatch = RegExpExecArray | null;

/** Time in which one text may hold up a batch. */
const TOGETHER_MS = 100;
/** Texts that may do so, before the rest of the batch is left alone. */
const STUCK_MAX = 3;

export class WatchedMatches {
  private readonly run: (text: string) => GrokMatch;
  private readonly timeoutMs: number;
  /** Longest text whose match needs no watch. */
  private readonly lengthMax: number;
  private readonly watch: WatchedCall;
  /** Matches of the texts that were announced last. */
  private readonly known = new Map<string, GrokMatch>();

  constructor(run: (text: string) => GrokMatch, timeoutMs: number, lengthMax: number) {
    this.run = run;
    this.timeoutMs = timeoutMs;
    this.lengthMax = lengthMax;
    this.watch = lazyWatchedCall(timeoutMs);
  }

  exec(text: string, limitMs?: number): GrokMatch | typeof TIMED_OUT {
    const known = this.known.size === 0 ? undefined : this.known.get(text);
    if (known !== undefined) return known;
    return text.length <= this.lengthMax ? this.run(text) : this.watch(() => this.run(text), limitMs);
  }

  /**
   * Announces texts, which replace those before: they are matched now, in one watched call.
   *
   * @returns those that certainly do not match
   */
  prepare(texts: readonly string[]): readonly string[] {
    const { known } = this;
    known.clear();
    let next = 0;
    const matchAll = (): boolean => {
      for (; next < texts.length; next++) {
        const text = texts[next] ?? '';
        if (!known.has(text)) known.set(text, this.run(text));
      }
      return true;
    };
    const isBrief = texts.every((text) => text.length <= this.lengthMax);
    for (let stuck = 0; next < texts.length && stuck < STUCK_MAX; stuck++) {
      const isDone = isBrief ? tried(matchAll) : tried(() => this.together(matchAll));
      // The text that it stands at is left to a call of its own, which ends in the same way and is told then.
      if (!isDone) next++;
    }
    return texts.filter((text) => known.get(text) === null);
  }

  private together(matchAll: () => boolean): boolean {
    return this.watch(matchAll, Math.min(TOGETHER_MS, this.timeoutMs)) !== TIMED_OUT;
  }
}

/** False when it ended early, by its answer or by what it threw: a text may be too much for the stack of the matcher. */
function tried(call: () => boolean): boolean {
  try {
    return call();
  } catch {
    return false;
  }
}
