/**
 * Regular expressions of Java on V8, run so that none holds its thread for long: where pattern and length of the text promise
 * no end, under the watch of a timer.
 */
import { ShoalError } from '@shoal/core';
import { lazyWatchedCall, patternRisk, TIMED_OUT, type WatchedCall } from '@shoal/ruby-regex';
import { JavaException } from './java-exception.ts';
import { ScriptObject } from './script-object.ts';

const MATCH_MS_MAX = 500;
const FLAGS: Readonly<Record<string, string>> = { i: 'i', m: 'm', s: 's', u: '', U: '' };

/** Classes of POSIX that Java knows under these names. */
const CLASSES: Readonly<Record<string, string>> = {
  Alpha: 'a-zA-Z',
  Digit: '0-9',
  Alnum: 'a-zA-Z0-9',
  Upper: 'A-Z',
  Lower: 'a-z',
  Punct: '!-\\/:-@\\[-`\\{-~',
  Space: '\\t-\\r ',
  XDigit: '0-9a-fA-F',
  Blank: ' \\t',
};

function translate(source: string): string {
  let out = '';
  let inClass = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string;
    if (char === '[') inClass++;
    else if (char === ']') inClass = Math.max(0, inClass - 1);
    if (char !== '\\') {
      // Possessive repetitions and atomic groups change what matches; V8 has none.
      if (inClass === 0 && /^[*+?}]\+/.test(source.slice(at, at + 2))) throw unsupported(source, at);
      if (inClass > 1 || (inClass > 0 && source.startsWith('&&', at))) throw unsupported(source, at);
      out += char;
      continue;
    }
    const next = source[++at] ?? '';
    if (next === 'Q') {
      const end = source.indexOf('\\E', at);
      const text = source.slice(at + 1, end < 0 ? source.length : end);
      out += text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
      at = end < 0 ? source.length : end + 1;
    } else if (next === 'p' || next === 'P') {
      const name = /^\{(?:Is)?(\w+)\}/.exec(source.slice(at + 1));
      const set = name === null ? undefined : CLASSES[name[1] as string];
      if (set === undefined) out += `\\${next}`;
      else {
        out += inClass > 0 ? set : next === 'p' ? `[${set}]` : `[^${set}]`;
        at += (name as RegExpExecArray)[0].length;
      }
    } else if (next === 'h') out += inClass > 0 ? ' \\t' : '[ \\t]';
    else if (next === 'A') out += '(?<![\\s\\S])';
    else if (next === 'z') out += '(?![\\s\\S])';
    else if (/[\w^$\\.*+?()[\]{}|/]/.test(next) || (next === '-' && inClass > 0)) out += `\\${next}`;
    else out += next;
  }
  return out;
}

function unsupported(source: string, index: number): JavaException {
  return new JavaException(
    'java.util.regex.PatternSyntaxException',
    `Unsupported pattern near index ${index}\n${source}`,
  );
}

/** `java.util.regex.Pattern`. */
export class JavaPattern extends ScriptObject {
  readonly javaClass = 'java.util.regex.Pattern';
  readonly source: string;
  /** Finds from `lastIndex` on; `watched` runs what uses it. */
  readonly regex: RegExp;
  readonly #lengthMax: number;
  readonly #watch: WatchedCall = lazyWatchedCall(MATCH_MS_MAX);

  /**
   * @param flags letters as behind a pattern in a script: `i`, `m`, `s`, `u`, `U`, `c`, `l`, `x`
   * @throws JavaException where the pattern is none, or needs what V8 does not have
   */
  constructor(source: string, flags = '') {
    super();
    this.source = source;
    const inline = /^\(\?([ims]+)\)/.exec(source);
    const body = translate(inline === null ? source : source.slice(inline[0].length));
    const all = new Set([...flags, ...(inline?.[1] ?? '')]);
    let jsFlags = 'gud';
    for (const flag of all) {
      const known = FLAGS[flag];
      if (known === undefined) throw unsupported(source, source.length);
      jsFlags += known;
    }
    try {
      this.regex = new RegExp(body, jsFlags);
      this.#lengthMax = patternRisk(body).lengthMax;
    } catch (error) {
      if (error instanceof JavaException) throw error;
      throw new JavaException(
        'java.util.regex.PatternSyntaxException',
        `${String((error as Error).message)}\n${source}`,
      );
    }
  }

  text(): string {
    return this.source;
  }

  /** @throws ShoalError `circuit_breaking_exception` when it takes too long */
  watched<T>(text: string, run: () => T): T {
    if (text.length <= this.#lengthMax) return run();
    const result = this.#watch(run);
    if (result !== TIMED_OUT) return result;
    throw new ShoalError(
      'circuit_breaking_exception',
      429,
      `[scripting] Regular expression considered too many characters, pattern: [${this.source}]`,
    );
  }

  /** The match that begins at or behind `from`; null without one. */
  find(text: string, from: number): RegExpExecArray | null {
    return this.watched(text, () => {
      this.regex.lastIndex = from;
      return this.regex.exec(text);
    });
  }

  /** The match that is the whole text; null without one. */
  matches(text: string): RegExpExecArray | null {
    const whole =
      this.#whole ?? new RegExp(`^(?:${this.regex.source})$(?![\\s\\S])`, this.regex.flags.replace('m', ''));
    this.#whole = whole;
    return this.watched(text, () => {
      whole.lastIndex = 0;
      return whole.exec(text);
    });
  }

  #whole: RegExp | null = null;
}

/** `java.util.regex.Matcher`. */
export class JavaMatcher extends ScriptObject {
  readonly javaClass = 'java.util.regex.Matcher';
  readonly pattern: JavaPattern;
  readonly input: string;
  match: RegExpExecArray | null = null;
  /** Where the next `find` begins. */
  next = 0;

  constructor(pattern: JavaPattern, input: string) {
    super();
    this.pattern = pattern;
    this.input = input;
  }

  text(): string {
    return `java.util.regex.Matcher[pattern=${this.pattern.source}]`;
  }
}
