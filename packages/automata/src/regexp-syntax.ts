/**
 * Regular expressions as Lucene writes them, to a tree.
 *
 * They match whole terms. Beside the usual `. ? + * {n,m} | () []` there are `"text"`, and by flags `@` any text, `#`
 * nothing, `~` not, `&` both, `<1-9>` a number. Errors name the place with Lucene's words.
 */
import { illegalArgument } from '@shoal/core';
import { CODE_POINT_MAX } from './utf8-ranges.ts';

/** Which operators a regular expression may use beyond the usual ones. */
export interface RegexpOperators {
  readonly complement: boolean;
  readonly intersection: boolean;
  readonly empty: boolean;
  readonly anyText: boolean;
  readonly interval: boolean;
}

/** All operators: what a pattern has that is not told otherwise. */
export const ALL_REGEXP_OPERATORS: RegexpOperators = {
  complement: true,
  intersection: true,
  empty: true,
  anyText: true,
  interval: true,
};

/** Both ends included. */
export interface CharacterRange {
  readonly low: number;
  readonly high: number;
}

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  /** Negated: any character but these. */
  | { readonly kind: 'characters'; readonly ranges: readonly CharacterRange[]; readonly isNegated?: boolean }
  | { readonly kind: 'anyCharacter' }
  | { readonly kind: 'anyText' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'union' | 'concatenation'; readonly parts: readonly Expression[] }
  | { readonly kind: 'intersection'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'complement'; readonly of: Expression }
  /** `max` null: no limit. */
  | { readonly kind: 'repetition'; readonly of: Expression; readonly min: number; readonly max: number | null }
  /** Decimal numbers, both ends included; `digits` > 0: exactly so many, padded with zeros. */
  | { readonly kind: 'numbers'; readonly min: number; readonly max: number; readonly digits: number };

/** Parentheses and complements inside each other. */
const NESTING_MAX = 500;
const INTEGER_MAX = 0x7fff_ffff;

const DIGITS: readonly CharacterRange[] = [{ low: 0x30, high: 0x39 }];
const SPACES: readonly CharacterRange[] = [
  { low: 0x09, high: 0x0a },
  { low: 0x0d, high: 0x0d },
  { low: 0x20, high: 0x20 },
];
const WORDS: readonly CharacterRange[] = [
  { low: 0x30, high: 0x39 },
  { low: 0x41, high: 0x5a },
  { low: 0x5f, high: 0x5f },
  { low: 0x61, high: 0x7a },
];
const CLASSES: ReadonlyMap<string, readonly CharacterRange[]> = new Map([
  ['d', DIGITS],
  ['D', invertedRanges(DIGITS)],
  ['s', SPACES],
  ['S', invertedRanges(SPACES)],
  ['w', WORDS],
  ['W', invertedRanges(WORDS)],
]);

/** @throws ShoalError `illegal_argument_exception` at the place that is wrong */
export function parseRegexp(pattern: string, operators: RegexpOperators): Expression {
  return new RegexpParser(pattern, operators).parse();
}

/** Every code point that none of the ranges holds. */
export function invertedRanges(ranges: readonly CharacterRange[]): CharacterRange[] {
  const sorted = [...ranges].sort((a, b) => a.low - b.low);
  const inverted: CharacterRange[] = [];
  let next = 0;
  for (const { low, high } of sorted) {
    if (low > next) inverted.push({ low: next, high: low - 1 });
    next = Math.max(next, high + 1);
  }
  if (next <= CODE_POINT_MAX) inverted.push({ low: next, high: CODE_POINT_MAX });
  return inverted;
}

class RegexpParser {
  private readonly characters: readonly string[];
  private readonly operators: RegexpOperators;
  private at = 0;
  private depth = 0;

  constructor(pattern: string, operators: RegexpOperators) {
    this.characters = [...pattern];
    this.operators = operators;
  }

  parse(): Expression {
    if (this.characters.length === 0) return { kind: 'text', text: '' };
    const expression = this.union();
    if (this.at < this.characters.length) throw this.failure('end-of-string expected');
    return expression;
  }

  private failure(why: string, at = this.at): Error {
    return illegalArgument(`${why} at position ${at}`);
  }

  private peek(characters: string): boolean {
    const c = this.characters[this.at];
    return c !== undefined && characters.includes(c);
  }

  private match(c: string): boolean {
    if (this.characters[this.at] !== c) return false;
    this.at++;
    return true;
  }

  private next(): string {
    const c = this.characters[this.at];
    if (c === undefined) throw illegalArgument('unexpected end-of-string');
    this.at++;
    return c;
  }

  private union(): Expression {
    if (++this.depth > NESTING_MAX) throw illegalArgument(`more than ${NESTING_MAX} nested expressions`);
    const parts = [this.intersection()];
    while (this.match('|')) parts.push(this.intersection());
    this.depth--;
    return only(parts) ?? { kind: 'union', parts };
  }

  private intersection(): Expression {
    let left = this.concatenation();
    while (this.operators.intersection && this.match('&')) {
      left = { kind: 'intersection', left, right: this.concatenation() };
    }
    return left;
  }

  private concatenation(): Expression {
    const parts = [this.repetition()];
    const ends = this.operators.intersection ? ')|&' : ')|';
    while (this.at < this.characters.length && !this.peek(ends)) parts.push(this.repetition());
    return only(parts) ?? { kind: 'concatenation', parts };
  }

  private repetition(): Expression {
    let of = this.complement();
    while (this.peek('?*+{')) {
      if (this.match('?')) of = { kind: 'repetition', of, min: 0, max: 1 };
      else if (this.match('*')) of = { kind: 'repetition', of, min: 0, max: null };
      else if (this.match('+')) of = { kind: 'repetition', of, min: 1, max: null };
      else of = { kind: 'repetition', of, ...this.counts() };
    }
    return of;
  }

  private counts(): { min: number; max: number | null } {
    this.match('{');
    const min = this.digits();
    if (min === null) throw this.failure('integer expected');
    const max = this.match(',') ? this.digits() : min;
    if (!this.match('}')) throw this.failure("expected '}'");
    if (max !== null && max < min) throw illegalArgument(`invalid repetition range(out of order): ${min}..${max}`);
    return { min, max };
  }

  private digits(): number | null {
    let text = '';
    while (this.peek('0123456789')) text += this.next();
    if (text === '') return null;
    if (Number(text) > INTEGER_MAX) throw illegalArgument(`For input string: "${text}"`);
    return Number(text);
  }

  private complement(): Expression {
    if (!this.operators.complement || !this.match('~')) return this.bracket();
    if (++this.depth > NESTING_MAX) throw illegalArgument(`more than ${NESTING_MAX} nested expressions`);
    const of = this.complement();
    this.depth--;
    return { kind: 'complement', of };
  }

  private bracket(): Expression {
    if (!this.match('[')) return this.simple();
    const isNegated = this.match('^');
    const ranges: CharacterRange[] = [];
    do ranges.push(...this.bracketItem());
    while (this.at < this.characters.length && !this.peek(']'));
    if (!this.match(']')) throw this.failure("expected ']'");
    return { kind: 'characters', ranges, isNegated };
  }

  private bracketItem(): readonly CharacterRange[] {
    const known = this.knownClass();
    if (known) return known;
    const low = this.character();
    if (!this.match('-')) return [{ low, high: low }];
    const high = this.character();
    if (low > high) throw illegalArgument(`invalid range: from (${low}) cannot be > to (${high})`);
    return [{ low, high }];
  }

  /** `\d` and its kin. */
  private knownClass(): readonly CharacterRange[] | null {
    if (!this.peek('\\')) return null;
    const letter = this.characters[this.at + 1] ?? '';
    const found = CLASSES.get(letter) ?? null;
    if (found) this.at += 2;
    else if (/^[a-zA-Z]$/.test(letter)) throw illegalArgument(`invalid character class \\${letter.charCodeAt(0)}`);
    return found;
  }

  private character(): number {
    this.match('\\');
    return this.next().codePointAt(0) ?? 0;
  }

  private simple(): Expression {
    const { operators } = this;
    if (this.match('.')) return { kind: 'anyCharacter' };
    if (operators.empty && this.match('#')) return { kind: 'nothing' };
    if (operators.anyText && this.match('@')) return { kind: 'anyText' };
    if (this.match('"')) return { kind: 'text', text: this.upTo('"') };
    if (this.match('(')) {
      if (this.match(')')) return { kind: 'text', text: '' };
      const inner = this.union();
      if (!this.match(')')) throw this.failure("expected ')'");
      return inner;
    }
    if (operators.interval && this.match('<')) return this.interval(this.upTo('>'));
    const known = this.knownClass();
    if (known) return { kind: 'characters', ranges: known };
    return { kind: 'text', text: String.fromCodePoint(this.character()) };
  }

  private upTo(end: string): string {
    let text = '';
    while (this.at < this.characters.length && !this.peek(end)) text += this.next();
    if (!this.match(end)) throw this.failure(`expected '${end}'`);
    return text;
  }

  private interval(text: string): Expression {
    const found = /^(\d+)-(\d+)$/.exec(text);
    if (!found) {
      // A name would stand for an automaton that somebody has registered: nobody can.
      if (!text.includes('-')) throw illegalArgument(`'${text}' not found`);
      throw this.failure('interval syntax error', this.at - 1);
    }
    const [, from = '', to = ''] = found;
    const [a, b] = [Number(from), Number(to)];
    if (Math.max(a, b) > INTEGER_MAX) throw this.failure('interval syntax error', this.at - 1);
    const digits = from.length === to.length ? from.length : 0;
    return { kind: 'numbers', min: Math.min(a, b), max: Math.max(a, b), digits };
  }
}

function only<T>(parts: readonly T[]): T | null {
  return parts.length === 1 ? (parts[0] ?? null) : null;
}
