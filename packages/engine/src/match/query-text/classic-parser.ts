/**
 * Parser of Lucene's classic query language: tokens to clauses, whose leaves are made by what it is handed.
 *
 * Words with nothing but space between them are one text, analysed as one, unless an operator, a field or a boost follows
 * the last of them. AND requires both its sides. A clause that analysis leaves nothing of is left out.
 */
import { illegalArgument } from '@shoal/core';
import { MATCH_NONE, type Operator, type Query } from '@shoal/query';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { EXPECTED, syntaxError, unexpected } from './classic-errors.ts';
import { classicTokens, type Token, type TokenKind } from './classic-tokens.ts';
import type { RangeEnds } from './pattern-leaves.ts';
import { boolOf, boosted, type MaybePiece, type Piece, pieceOf } from './piece.ts';

/** Parentheses inside parentheses. */
const NESTING_MAX = 50;

/** Makes the queries of leaves. `field` as named in the text; null: none is named and the request names a list. */
export interface ClassicLeaves {
  text(field: string | null, text: string): MaybePiece;
  quoted(field: string | null, text: string, slop: number | null): MaybePiece;
  /** `similarity` as written behind `~`. */
  fuzzy(field: string | null, text: string, similarity: string): MaybePiece;
  prefix(field: string | null, text: string): MaybePiece;
  /** With `*`, `?` and escapes as written. */
  wildcard(field: string | null, text: string): MaybePiece;
  regexp(field: string | null, text: string): MaybePiece;
  range(field: string | null, ends: RangeEnds): MaybePiece;
}

type Conjunction = 'and' | 'or' | null;
type Modifier = 'required' | 'prohibited' | null;

interface Clause {
  occur: 'must' | 'should' | 'mustNot';
  readonly query: Query;
}

export interface ClassicOptions {
  readonly operator: Operator;
  /** Whether the outermost clauses are counted, so that several words are as many. */
  readonly countsWords: boolean;
}

/** @throws ShoalError `parse_exception` for what is no text of the language */
export function parseClassic(
  text: string,
  field: string | null,
  leaves: ClassicLeaves,
  options: ClassicOptions,
): Piece {
  if (text.trim() === '') return pieceOf(MATCH_NONE);
  return new ClassicParser(text, leaves, options).parse(field) ?? pieceOf(MATCH_NONE);
}

class ClassicParser {
  private readonly text: string;
  private readonly leaves: ClassicLeaves;
  private readonly options: ClassicOptions;
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;
  private clauseCount = 0;

  constructor(text: string, leaves: ClassicLeaves, options: ClassicOptions) {
    this.text = text;
    this.leaves = leaves;
    this.options = options;
    this.tokens = classicTokens(text);
  }

  parse(field: string | null): MaybePiece {
    const piece = this.query(field);
    this.expect(['end'], EXPECTED.operator);
    return piece;
  }

  /** The token `ahead` of the next one; the last token stands for all behind it. */
  private peek(ahead = 0): Token {
    const token = this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)];
    if (token === undefined) throw syntaxError('no tokens');
    return token;
  }

  /** Takes the next token if it is of one of the kinds. */
  private take(...kinds: readonly TokenKind[]): Token | null {
    const token = this.peek();
    if (!kinds.includes(token.kind)) return null;
    this.next++;
    return token;
  }

  private expect(kinds: readonly TokenKind[], expected: readonly string[]): Token {
    const token = this.take(...kinds);
    if (token === null) throw unexpected(this.peek(), this.text, expected);
    return token;
  }

  private query(field: string | null): MaybePiece {
    const clauses: Clause[] = [];
    let first: MaybePiece = null;
    if (this.beginsWords()) first = this.words(field, clauses);
    else {
      const modifier = this.modifier();
      const piece = this.clause(field, modifier === null ? EXPECTED.first : EXPECTED.modified);
      this.addClause(clauses, null, modifier, piece);
      if (modifier === null) first = piece;
    }
    while (CLAUSE_STARTS.has(this.peek().kind)) {
      if (this.beginsWords()) this.words(field, clauses);
      else {
        const conjunction = this.take('and', 'or');
        const modifier = this.modifier();
        const piece = this.clause(field, modifier === null ? EXPECTED.clause : EXPECTED.modified);
        this.addClause(
          clauses,
          conjunction === null ? null : conjunction.kind === 'and' ? 'and' : 'or',
          modifier,
          piece,
        );
      }
    }
    return clauses.length === 1 && first !== null ? first : this.combined(clauses);
  }

  private modifier(): Modifier {
    const token = this.take('plus', 'minus', 'not');
    return token === null ? null : token.kind === 'plus' ? 'required' : 'prohibited';
  }

  private addClause(clauses: Clause[], conjunction: Conjunction, modifier: Modifier, piece: MaybePiece): void {
    if (++this.clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    const isAnd = this.options.operator === 'and';
    const previous = clauses.at(-1);
    if (previous && previous.occur !== 'mustNot') {
      if (conjunction === 'and') previous.occur = 'must';
      if (conjunction === 'or' && isAnd) previous.occur = 'should';
    }
    if (piece === null) return;
    const isRequired = isAnd ? conjunction !== 'or' : modifier === 'required' || conjunction === 'and';
    const occur = modifier === 'prohibited' ? 'mustNot' : isRequired ? 'must' : 'should';
    clauses.push({ occur, query: piece.query });
  }

  private combined(clauses: readonly Clause[]): MaybePiece {
    if (clauses.length === 0) return null;
    const pick = (occur: Clause['occur']): Query[] => clauses.filter((c) => c.occur === occur).map((c) => c.query);
    return pieceOf(boolOf({ must: pick('must'), should: pick('should'), mustNot: pick('mustNot') }));
  }

  /** Whether two words follow that are one text. */
  private beginsWords(): boolean {
    return this.peek().kind === 'term' && this.joins(1);
  }

  /** Whether the token `ahead` is a word that nothing behind it takes for itself. */
  private joins(ahead: number): boolean {
    return this.peek(ahead).kind === 'term' && !AFTER_WORDS_EXCLUDED.has(this.peek(ahead + 1).kind);
  }

  private words(field: string | null, clauses: Clause[]): MaybePiece {
    const words = [this.expect(['term'], EXPECTED.clause).image];
    while (this.joins(0)) words.push(this.expect(['term'], EXPECTED.clause).image);
    const piece = this.leaves.text(field, unescaped(words.join(' ')));
    if (piece === null) return null;
    const occur = this.options.operator === 'and' ? 'must' : 'should';
    const isCounted = this.options.countsWords && piece.clauses !== null && piece.query.boost === 1;
    const queries = isCounted && piece.clauses !== null ? piece.clauses() : [piece.query];
    this.clauseCount += queries.length;
    if (this.clauseCount > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    for (const query of queries) clauses.push({ occur, query });
    return piece;
  }

  private clause(outerField: string | null, expected: readonly string[]): MaybePiece {
    const isNamed = ['term', 'star'].includes(this.peek().kind) && this.peek(1).kind === 'colon';
    let field = outerField;
    if (isNamed) {
      field = unescaped(this.peek().image);
      this.next += 2;
    }
    if (this.take('open') !== null) return this.group(field);
    return this.leaf(field, isNamed ? EXPECTED.value : expected);
  }

  private group(field: string | null): MaybePiece {
    if (++this.depth > NESTING_MAX) throw syntaxError('too many nested parentheses');
    const inner = this.query(field);
    this.expect(['close'], EXPECTED.close);
    this.depth--;
    return this.boosted(inner);
  }

  private leaf(field: string | null, expected: readonly string[]): MaybePiece {
    const open = this.take('rangeOpen');
    if (open !== null) return this.boosted(this.range(field, open));
    const token = this.expect(LEAF_KINDS, expected);
    const boostBefore = this.boost();
    const tilde = this.take('tilde');
    const boost = boostBefore ?? (tilde === null ? null : this.boost());
    const piece = this.leafOf(field, token, tilde);
    return boost === null ? piece : boosted(piece, boost);
  }

  private leafOf(field: string | null, { kind, image }: Token, tilde: Token | null): MaybePiece {
    switch (kind) {
      case 'quoted':
        return this.leaves.quoted(field, unescaped(image.slice(1, -1)), tilde === null ? null : slopOf(tilde.image));
      case 'star':
      case 'wildcard':
        return this.leaves.wildcard(field, image);
      case 'prefix':
        return this.leaves.prefix(field, unescaped(image.slice(0, -1)));
      case 'regexp':
        return this.leaves.regexp(field, image.slice(1, -1));
      default: {
        const text = unescaped(kind === 'bareOperator' ? image.slice(0, 1) : image);
        return tilde === null ? this.leaves.text(field, text) : this.leaves.fuzzy(field, text, tilde.image.slice(1));
      }
    }
  }

  private range(field: string | null, open: Token): MaybePiece {
    const from = this.expect(RANGE_ENDS, EXPECTED.rangeEnd);
    this.expect(['rangeTo'], EXPECTED.rangeTo);
    const to = this.expect(RANGE_ENDS, EXPECTED.rangeEnd);
    const close = this.expect(['rangeClose'], EXPECTED.rangeClose);
    return this.leaves.range(field, {
      from: rangeEnd(from),
      includesFrom: open.image === '[',
      to: rangeEnd(to),
      includesTo: close.image === ']',
    });
  }

  private boosted(piece: MaybePiece): MaybePiece {
    const boost = this.boost();
    return boost === null ? piece : boosted(piece, boost);
  }

  private boost(): number | null {
    if (this.take('caret') === null) return null;
    return Number(this.expect(['number'], EXPECTED.boost).image);
  }
}

const AFTER_WORDS_EXCLUDED: ReadonlySet<TokenKind> = new Set(['colon', 'star', 'tilde', 'caret', 'and', 'or']);
const LEAF_KINDS: readonly TokenKind[] = [
  'term',
  'star',
  'prefix',
  'wildcard',
  'regexp',
  'number',
  'bareOperator',
  'quoted',
];
const RANGE_ENDS: readonly TokenKind[] = ['rangeWord', 'rangeQuoted', 'rangeTo'];
const CLAUSE_STARTS: ReadonlySet<TokenKind> = new Set([
  ...LEAF_KINDS,
  'and',
  'or',
  'not',
  'plus',
  'minus',
  'open',
  'rangeOpen',
]);

/** null: open on this side. */
function rangeEnd({ kind, image }: Token): string | null {
  const text = kind === 'rangeQuoted' ? image.slice(1, -1) : image;
  const end = unescaped(text);
  return end === '*' ? null : end;
}

/** Whole positions of `~2.7`; null where no number stands. */
function slopOf(image: string): number | null {
  const text = image.slice(1);
  return /^[+-]?\d+(?:\.\d*)?$/.test(text) ? Math.trunc(Number(text)) : null;
}

/** @throws ShoalError for an escape that stands for nothing */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([\s\S]{0,4})|([\s\S])|$)/g, (_whole, digits?: string, plain?: string) => {
    if (digits !== undefined) return unicodeEscape(digits);
    if (plain === undefined) throw syntaxError('Term can not end with escape character.');
    return plain;
  });
}

function unicodeEscape(digits: string): string {
  const wrong = /[^0-9a-fA-F]/.exec(digits)?.[0];
  if (wrong !== undefined) throw syntaxError(`Non-hex character in Unicode escape sequence: ${wrong}`);
  if (digits.length < 4) throw syntaxError('Truncated unicode escape sequence.');
  return String.fromCharCode(Number.parseInt(digits, 16));
}
