/**
 * Regular expressions as analysis settings have them, in Java's dialect, on V8 and with a limit on time.
 *
 * The pattern is written in Ruby's dialect first, which is near to Java's, for there is a translator of that and a check for
 * catastrophic backtracking. Java differs in: `^` and `$` are anchors of the text unless MULTILINE; the dot leaves out all
 * line ends; `\h` is white space; `\p{Alpha}` and its kin are ASCII; named groups do not stop plain ones from capturing.
 */
import { messageOf, ShoalError } from '@shoal/core';
import { compileRubyRegex, lazyWatchedCall, patternRisk, TIMED_OUT, type WatchedCall } from '@shoal/ruby-regex';
import { type JavaFlags, parseJavaFlags, translateJavaPattern } from './translate-java-pattern.ts';

/** One text may take this long; then its document or request is refused. */
const MATCH_MS_MAX = 2_000;

export class JavaPattern {
  private readonly source: string;
  private readonly regex: RegExp;
  /** Numbers of the named groups. */
  private readonly groups: ReadonlyMap<string, number>;
  /** Texts up to this length need no watch. */
  private readonly lengthMax: number;
  private readonly watch: WatchedCall = lazyWatchedCall(MATCH_MS_MAX);

  /**
   * @param flags names of `java.util.regex.Pattern` joined by `|`
   * @throws ShoalError pattern_syntax_exception for what is no pattern, illegal_argument_exception for unknown flags
   */
  constructor(source: string, flags = '') {
    this.source = source;
    const parsed: JavaFlags = parseJavaFlags(flags);
    const translated = translateJavaPattern(source, parsed);
    this.groups = translated.groups;
    try {
      const regex = compileRubyRegex(translated.ruby, parsed.ignoresCase ? 'ig' : 'g');
      // Only a plain one can be made again with the positions of groups.
      this.regex = regex.constructor === RegExp ? new RegExp(regex.source, `${regex.flags}d`) : regex;
      this.lengthMax = patternRisk(translated.ruby).lengthMax;
    } catch (error) {
      throw patternSyntax(source, messageOf(error));
    }
  }

  /** @throws ShoalError when it takes too long */
  test(text: string): boolean {
    return this.guarded(text, () => {
      this.regex.lastIndex = 0;
      return this.regex.test(text);
    });
  }

  /** Matches from left to right; `index`, `indices` and groups as in `RegExp`. @throws ShoalError when it takes too long */
  matches(text: string): readonly RegExpMatchArray[] {
    return this.guarded(text, () => {
      this.regex.lastIndex = 0;
      return [...text.matchAll(this.regex)];
    });
  }

  /** A replacement as `Matcher.appendReplacement` reads it: `$1`, `${name}` and escapes. */
  replacement(template: string): (match: RegExpMatchArray) => string {
    const parts = this.replacementParts(template);
    return (match) => parts.map((part) => (typeof part === 'string' ? part : (match[part] ?? ''))).join('');
  }

  private replacementParts(template: string): readonly (string | number)[] {
    const parts: (string | number)[] = [];
    const count = this.groupCount();
    for (let at = 0; at < template.length; at++) {
      const c = template[at] ?? '';
      if (c === '\\') {
        at++;
        if (at >= template.length)
          throw new ShoalError('illegal_argument_exception', 400, 'character to be escaped is missing');
        parts.push(template[at] ?? '');
      } else if (c !== '$') parts.push(c);
      else {
        const [reference, name, digits] = /^\$(?:\{([a-zA-Z][a-zA-Z0-9]*)\}|(\d+))/.exec(template.slice(at)) ?? [];
        if (reference === undefined) throw new ShoalError('illegal_argument_exception', 400, 'Illegal group reference');
        const group = name === undefined ? groupNumber(digits ?? '', count) : this.groups.get(name);
        if (group === undefined)
          throw new ShoalError('illegal_argument_exception', 400, `No group with name {${name}}`);
        parts.push(group);
        at += (name === undefined ? 1 + String(group).length : reference.length) - 1;
      }
    }
    return parts;
  }

  /** Capturing groups of the pattern. */
  groupCount(): number {
    const optional = new RegExp(`${this.regex.source}|`, this.regex.flags);
    return (optional.exec('')?.length ?? 1) - 1;
  }

  private guarded<T>(text: string, call: () => T): T {
    if (text.length <= this.lengthMax) return call();
    const result = this.watch(call);
    if (result !== TIMED_OUT) return result;
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `the pattern [${this.source.slice(0, 200)}] ran longer than ${MATCH_MS_MAX}ms`,
    );
  }
}

/** Number of as many digits as still name a group of the pattern, at least one. */
function groupNumber(digits: string, count: number): number {
  let group = Number(digits[0]);
  if (group > count) throw new ShoalError('index_out_of_bounds_exception', 400, `No group ${group}`);
  for (const digit of digits.slice(1)) {
    const longer = group * 10 + Number(digit);
    if (longer > count) break;
    group = longer;
  }
  return group;
}

/** 400: the text is no regular expression. */
function patternSyntax(source: string, reason: string): ShoalError {
  return new ShoalError('pattern_syntax_exception', 400, `${reason} near index ${source.length}\n${source}`);
}
