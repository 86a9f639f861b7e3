/**
 * Regular expressions and their matches. A pattern that can run away runs where it can be stopped.
 */
import { isShoalError } from '@shoal/core';
import { compileRubyRegex, numberGroups, patternRisk, TIMED_OUT, watchedCall } from '@shoal/ruby-regex';
import { inspect } from './inspect.ts';
import { exception } from './ruby-exception.ts';
import { OBJECT, RubyClass, RubyObject, str, type Value } from './ruby-value.ts';

/** Time for one match of a pattern that can run away. */
const MATCH_TIME_MAX_MS = 2_000;

export const REGEXP: RubyClass = new RubyClass('Regexp', OBJECT);
export const MATCH_DATA: RubyClass = new RubyClass('MatchData', OBJECT);

type Watch = (call: () => RegExpExecArray | null) => RegExpExecArray | null;

export class RubyRegexp extends RubyObject {
  readonly source: string;
  /** Flags among `imx`, in the order in which Ruby shows them: `mix`. */
  readonly flags: string;
  readonly names: readonly string[];
  private readonly compiled: RegExp;
  /** Longer texts are matched where the match can be stopped. */
  private readonly safeLength: number;
  private watch: Watch | null = null;

  /** @throws RubyException RegexpError */
  constructor(source: string, flags: string) {
    super();
    this.source = source;
    this.flags = [...'mix'].filter((flag) => flags.includes(flag)).join('');
    const off = [...'mix'].filter((flag) => !flags.includes(flag)).join('');
    const whole = `(?${this.flags}${off === '' ? '' : `-${off}`}:${source}${this.flags.includes('x') ? '\n' : ''})`;
    try {
      this.compiled = compileRubyRegex(whole, 'g');
      this.names = numberGroups(source).names;
      this.safeLength = patternRisk(whole).lengthMax;
    } catch (error) {
      throw exception('RegexpError', isShoalError(error) ? error.message : String(error));
    }
  }

  get rubyClass(): RubyClass {
    return REGEXP;
  }

  exec(text: string, from = 0): RubyMatch | null {
    const found = this.find(text, from);
    return found === null ? null : new RubyMatch(this, found, text);
  }

  test(text: string): boolean {
    return this.find(text, 0) !== null;
  }

  private find(text: string, from: number): RegExpExecArray | null {
    const run = (): RegExpExecArray | null => {
      this.compiled.lastIndex = from;
      return this.compiled.exec(text);
    };
    if (text.length <= this.safeLength) return run();
    this.watch ??= watchMatch(this.source);
    return this.watch(run);
  }

  override show(): string {
    return `/${this.source.replace(/\\[\s\S]|\//g, (part) => (part === '/' ? '\\/' : part))}/${this.flags}`;
  }

  override print(): string {
    const off = [...'mix'].filter((flag) => !this.flags.includes(flag)).join('');
    return `(?${this.flags}${off === '' ? '' : `-${off}`}:${this.source})`;
  }

  override equals(other: RubyObject): boolean {
    return other instanceof RubyRegexp && other.source === this.source && other.flags === this.flags;
  }

  override hashKey(): unknown {
    return `\0/${this.flags}/${this.source}`;
  }
}

function watchMatch(source: string): Watch {
  const watched = watchedCall(MATCH_TIME_MAX_MS);
  return (call) => {
    const result = watched(call);
    if (result === TIMED_OUT) throw exception('RuntimeError', `the pattern [${source}] took too long to match`);
    return result;
  };
}

export class RubyMatch extends RubyObject {
  readonly regexp: RubyRegexp;
  readonly found: RegExpExecArray;
  readonly text: string;

  constructor(regexp: RubyRegexp, found: RegExpExecArray, text: string) {
    super();
    this.regexp = regexp;
    this.found = found;
    this.text = text;
  }

  get rubyClass(): RubyClass {
    return MATCH_DATA;
  }

  group(index: number): Value {
    const text = this.found[index < 0 ? this.found.length + index : index];
    return text === undefined ? null : str(text);
  }

  /** undefined when the pattern has no such group; the last one that took part where names repeat. */
  named(name: string): Value | undefined {
    let value: Value | undefined;
    for (const [index, own] of this.regexp.names.entries()) {
      if (own !== name) continue;
      const text = this.found.groups?.[`g${index}`];
      if (text !== undefined) value = str(text);
      else value ??= null;
    }
    return value;
  }

  captures(): Value[] {
    return Array.from({ length: this.found.length - 1 }, (_, index) => this.group(index + 1));
  }

  get end(): number {
    return this.found.index + this.found[0].length;
  }

  override show(): string {
    const names = [...new Set(this.regexp.names)];
    const groups =
      names.length > 0
        ? names.map((name) => ` ${name}:${inspect(this.named(name) ?? null)}`)
        : this.captures().map((value, index) => ` ${index + 1}:${inspect(value)}`);
    return `#<MatchData ${inspect(this.group(0))}${groups.join('')}>`;
  }

  override print(): string {
    return this.found[0];
  }
}
