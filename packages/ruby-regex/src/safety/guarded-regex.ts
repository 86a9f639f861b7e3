/**
 * Expressions of users, run so that none holds its thread for long: directly where pattern and length of the text promise an
 * end, under the watch elsewhere. A match that is ended is an error of its own type, never "no match".
 */
import { ShoalError } from '@shoal/core';
import { compileRubyRegex } from '../translate/compile-ruby-regex.ts';
import { type BlowUp, patternRisk } from './find-blow-ups.ts';
import { lazyWatchedCall, TIMED_OUT, type WatchedCall } from './watched-call.ts';

/** Where no option says how long a match may take. */
const MATCH_MS_MAX = 5_000;
const SHOWN_MAX = 200;

export class GuardedRegex {
  /** The pattern, in Ruby's dialect. */
  readonly source: string;
  /** Parts that may take exponential time. */
  readonly blowUps: readonly BlowUp[];
  private readonly regex: RegExp;
  private readonly lengthMax: number;
  private readonly watch: WatchedCall = lazyWatchedCall(MATCH_MS_MAX);

  /**
   * @param flags those of `compileRubyRegex`
   * @throws ShoalError when the pattern is none
   */
  constructor(source: string, flags = '') {
    this.source = source;
    this.regex = compileRubyRegex(source, flags);
    const { blowUps, lengthMax } = patternRisk(source);
    this.blowUps = blowUps;
    this.lengthMax = lengthMax;
  }

  /** @throws ShoalError when it takes too long */
  test(text: string): boolean {
    this.regex.lastIndex = 0;
    return text.length <= this.lengthMax ? this.regex.test(text) : this.watched(() => this.regex.test(text));
  }

  /** Does what `String.replace` does. @throws ShoalError when it takes too long */
  replace(text: string, replacer: (...match: unknown[]) => string): string {
    this.regex.lastIndex = 0;
    return text.length <= this.lengthMax
      ? text.replace(this.regex, replacer)
      : this.watched(() => text.replace(this.regex, replacer));
  }

  private watched<T>(call: () => T): T {
    const result = this.watch(call);
    if (result === TIMED_OUT) throw timedOut(this.source);
    return result;
  }
}

function timedOut(source: string): ShoalError {
  const shown = source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}...` : source;
  return new ShoalError(
    'timeout_exception',
    500,
    `the regular expression [${shown}] ran longer than ${MATCH_MS_MAX}ms`,
  );
}
