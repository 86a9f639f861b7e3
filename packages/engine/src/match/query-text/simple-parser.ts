/**
 * Parser of the simple query language: `+`, `|`, `-`, quotes, parentheses, `*` and `~N`, and no text that is wrong.
 *
 * Operators bind from left to right: `a | b + c` is `(a | b) + c`. An operator with nothing to bind is ignored, a quote or
 * parenthesis that nothing closes too.
 */
import { illegalArgument } from '@shoal/core';
import { MATCH_ALL, MATCH_NONE, type Operator, type Query, type SimpleOperators } from '@shoal/query';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { BASE, boolOf, type MaybePiece, type Piece, pieceOf } from './piece.ts';

/** Makes the queries of leaves. */
export interface SimpleLeaves {
  text(text: string): MaybePiece;
  phrase(text: string, slop: number): MaybePiece;
  /** `edits`: 1 or 2. */
  fuzzy(text: string, edits: number): MaybePiece;
  prefix(text: string): MaybePiece;
}

/** Parentheses inside parentheses. */
const NESTING_MAX = 50;
/** Edits that the automaton of near words is made for. */
const EDITS_MAX = 2;
/** Largest slop or edit distance that is read; any other text is 0. */
const INT_MAX = 0x7fff_ffff;

/** Clauses of one level, in the making. */
interface Level {
  readonly end: number;
  top: Piece | null;
  clauses: Query[];
  /** Operator written since the last clause. */
  current: Operator | null;
  /** Operator of `clauses`. */
  previous: Operator | null;
  /** Count of `-` directly before what follows. */
  negations: number;
}

export function parseSimple(
  text: string,
  operators: SimpleOperators,
  byDefault: Operator,
  leaves: SimpleLeaves,
): Piece {
  if (text.trim() === '*') return pieceOf(MATCH_ALL);
  return new SimpleParser(text, operators, byDefault, leaves).parse();
}

class SimpleParser {
  private readonly text: string;
  private readonly operators: SimpleOperators;
  private readonly byDefault: Operator;
  private readonly leaves: SimpleLeaves;
  private readonly closes: ReadonlyMap<number, number>;
  private at = 0;
  private depth = 0;
  private clauseCount = 0;

  constructor(text: string, operators: SimpleOperators, byDefault: Operator, leaves: SimpleLeaves) {
    this.text = text;
    this.operators = operators;
    this.byDefault = byDefault;
    this.leaves = leaves;
    this.closes = operators.precedence ? closesOf(text, operators.escape) : new Map();
  }

  parse(): Piece {
    return this.level(this.text.length) ?? pieceOf(MATCH_NONE);
  }

  private level(end: number): MaybePiece {
    const level: Level = { end, top: null, clauses: [], current: null, previous: null, negations: 0 };
    while (this.at < end) {
      if (this.text[this.at] === '-' && this.operators.not) {
        level.negations++;
        this.at++;
        continue;
      }
      this.step(level);
      // A space after `-` ends what it could negate.
      level.negations = 0;
    }
    return topOf(level);
  }

  private step(level: Level): void {
    const { operators } = this;
    const c = this.text[this.at] ?? '';
    if (c === '(' && operators.precedence) this.group(level);
    else if (c === ')' && operators.precedence) this.at++;
    else if (c === '"' && operators.phrase) this.phrase(level);
    else if ((c === '+' && operators.and) || (c === '|' && operators.or)) {
      if (level.top !== null) level.current ??= c === '+' ? 'and' : 'or';
      this.at++;
    } else if (operators.whitespace && isSpace(c)) this.at++;
    else this.word(level);
  }

  private group(level: Level): void {
    const start = this.at + 1;
    const close = this.closes.get(this.at);
    this.at = start;
    if (close === undefined || close >= level.end) return;
    if (close === start) level.current = null;
    else {
      if (++this.depth > NESTING_MAX) throw illegalArgument('too many nested parentheses');
      const inner = this.level(close);
      this.depth--;
      this.add(level, inner);
    }
    this.at = close + 1;
  }

  private phrase(level: Level): void {
    const start = this.at + 1;
    const quoted = this.copy(start, level.end, () => false, '"');
    if (quoted === null) {
      this.at = start;
      return;
    }
    this.at = quoted.end;
    const { operators } = this;
    const isNear = operators.near && this.at + 1 < level.end && this.text[this.at + 1] === '~';
    if (isNear) this.at++;
    const hasSlop = isNear && this.at + 1 < level.end;
    if (this.at === start) {
      level.current = null;
      this.at++;
      return;
    }
    this.add(level, this.leaves.phrase(quoted.text, hasSlop ? this.number(level.end) : 0));
    this.at++;
  }

  private word(level: Level): void {
    const start = this.at;
    const { operators } = this;
    const isEnd = (c: string, copied: number): boolean =>
      this.endsWord(c) || (copied > 0 && c === '~' && operators.fuzzy);
    const copied = this.copy(start, level.end, isEnd, null);
    if (copied === null) return;
    const { text, end, isPrefix } = copied;
    this.at = end;
    if (text === '') return;
    if (end < level.end && this.text[end] === '~' && operators.fuzzy) {
      const edits = Math.min(EDITS_MAX, this.number(level.end));
      this.add(level, edits === 0 ? this.leaves.text(text) : this.leaves.fuzzy(text, edits));
    } else this.add(level, isPrefix ? this.leaves.prefix(text.slice(0, -1)) : this.leaves.text(text));
  }

  /** Characters without their escapes, up to the one that ends them; null: the quote that must end them is not there. */
  private copy(
    start: number,
    end: number,
    isEnd: (c: string, copied: number) => boolean,
    quote: string | null,
  ): { readonly text: string; readonly end: number; readonly isPrefix: boolean } | null {
    const { operators } = this;
    const parts: string[] = [];
    let isEscaped = false;
    let isPrefix = false;
    let at = start;
    for (; at < end; at++) {
      const c = this.text[at] ?? '';
      if (!isEscaped) {
        if (c === '\\' && operators.escape) {
          isEscaped = true;
          isPrefix = false;
          continue;
        }
        if (c === quote || isEnd(c, parts.length)) break;
        isPrefix = parts.length > 0 && c === '*' && operators.prefix;
      }
      isEscaped = false;
      parts.push(c);
    }
    return quote !== null && at >= end ? null : { text: parts.join(''), end: at, isPrefix };
  }

  private endsWord(c: string): boolean {
    const { operators } = this;
    return (
      (c === '"' && operators.phrase) ||
      (c === '|' && operators.or) ||
      (c === '+' && operators.and) ||
      ((c === '(' || c === ')') && operators.precedence) ||
      (operators.whitespace && isSpace(c))
    );
  }

  /** Number behind the `~` that stands here: 2 without any, 0 for what is none. */
  private number(end: number): number {
    const start = this.at + 1;
    this.at = start;
    while (this.at < end && !this.endsWord(this.text[this.at] ?? '')) this.at++;
    const text = this.text.slice(start, this.at);
    if (text === '') return 2;
    const number = /^[+-]?\d+$/.test(text) ? Number(text) : 0;
    return number > INT_MAX ? 0 : Math.max(0, number);
  }

  private add(level: Level, piece: MaybePiece): void {
    if (piece === null) return;
    if (++this.clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    const added = level.negations % 2 === 1 ? pieceOf(allBut(piece.query)) : piece;
    if (level.top === null) level.top = added;
    else {
      const operator = level.current ?? this.byDefault;
      if (level.previous !== operator) {
        const before = topOf(level);
        level.clauses = before === null ? [] : [before.query];
      }
      level.clauses.push(added.query);
      level.previous = operator;
    }
    level.current = null;
  }
}

/** The clauses so far as one. */
function topOf({ top, clauses, previous }: Level): MaybePiece {
  if (previous === null) return top;
  const parts = previous === 'and' ? { must: clauses, should: [] } : { must: [], should: clauses };
  return pieceOf(boolOf({ ...parts, mustNot: [] }));
}

function allBut(query: Query): Query {
  return { ...boolOf({ must: [], should: [{ ...MATCH_ALL, ...BASE }], mustNot: [query] }) };
}

function isSpace(c: string): boolean {
  return c === ' ' || c === '\t' || c === '\n' || c === '\r';
}

/** Position of the parenthesis that closes each one that opens. */
function closesOf(text: string, hasEscapes: boolean): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '\\' && hasEscapes) at++;
    else if (c === '(') open.push(at);
    else if (c === ')') {
      const opened = open.pop();
      if (opened !== undefined) closes.set(opened, at);
    }
  }
  return closes;
}
