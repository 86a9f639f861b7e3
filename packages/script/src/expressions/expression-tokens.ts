/**
 * Words of an expression. A name with its members and indices, such as `doc['price'].value`, is one word without spaces.
 */
import type { CompileFailure } from '../errors/script-error.ts';
import { expressionFailure, placeOf } from './expression-errors.ts';

export interface NumberToken {
  readonly kind: 'number';
  readonly at: number;
  readonly text: string;
  readonly value: number;
}

/** One part of a name: the first word and members, `['text']` and `[0]`. */
export interface NamePart {
  readonly kind: 'member' | 'text' | 'index';
  readonly text: string;
}

export interface NameToken {
  readonly kind: 'name';
  readonly at: number;
  /** The whole name with single quotes. */
  readonly text: string;
  readonly parts: readonly NamePart[];
}

export interface SignToken {
  readonly kind: 'sign';
  readonly at: number;
  readonly text: string;
}

/** Stands behind the last word. */
export interface EndToken {
  readonly kind: 'end';
  readonly at: number;
  readonly text: string;
}

export type ExpressionToken = NumberToken | NameToken | SignToken | EndToken;

const SPACE = /[ \n\t\r]+/y;
const HEX = /0[xX][0-9a-fA-F]+/y;
const OCTAL = /0[0-7]+/y;
const DECIMAL = /(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[_$a-zA-Z][_$a-zA-Z0-9]*/y;
const MEMBER = /\.([_$a-zA-Z][_$a-zA-Z0-9]*)/y;
const TEXT_INDEX = /\['((?:[^'\\]|\\[\\'])*)'\]|\["((?:[^"\\]|\\[\\"])*)"\]/y;
const NUMBER_INDEX = /\[(0|[1-9]\d*)\]/y;
const SIGN = />>>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>&|^!~?:,]/y;

/** All words, and one that stands for the end. @throws CompileFailure for a character that begins none */
export function expressionTokens(source: string): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  for (;;) {
    at += match(SPACE, source, at)?.[0].length ?? 0;
    if (at === source.length) break;
    const token = numberAt(source, at) ?? nameAt(source, at) ?? signAt(source, at);
    if (token === null) throw unknownCharacter(source, at);
    tokens.push(token.token);
    at += token.length;
  }
  return [...tokens, { kind: 'end', at, text: '<EOF>' }];
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

interface Found {
  readonly token: ExpressionToken;
  /** Characters of the source. */
  readonly length: number;
}

function numberAt(source: string, at: number): Found | null {
  const hex = match(HEX, source, at)?.[0];
  if (hex !== undefined) return numberOf(at, hex, Number(hex));
  const octal = match(OCTAL, source, at)?.[0];
  if (octal !== undefined) return numberOf(at, octal, Number(`0o${octal.slice(1)}`));
  const decimal = match(DECIMAL, source, at)?.[0];
  return decimal === undefined ? null : numberOf(at, decimal, Number(decimal));
}

function numberOf(at: number, text: string, value: number): Found {
  return { token: { kind: 'number', at, text, value }, length: text.length };
}

function nameAt(source: string, at: number): Found | null {
  const first = match(WORD, source, at)?.[0];
  if (first === undefined) return null;
  const parts: NamePart[] = [{ kind: 'member', text: first }];
  let text = first;
  let end = at + first.length;
  for (;;) {
    const found = partAt(source, end);
    if (found === null) break;
    parts.push(found.part);
    text += found.shown;
    end += found.length;
  }
  return { token: { kind: 'name', at, text, parts }, length: end - at };
}

function partAt(
  source: string,
  at: number,
): { readonly part: NamePart; readonly shown: string; readonly length: number } | null {
  const member = match(MEMBER, source, at);
  if (member !== null)
    return { part: { kind: 'member', text: member[1] ?? '' }, shown: member[0], length: member[0].length };
  const number = match(NUMBER_INDEX, source, at);
  if (number !== null)
    return { part: { kind: 'index', text: number[1] ?? '' }, shown: number[0], length: number[0].length };
  const quoted = match(TEXT_INDEX, source, at);
  if (quoted === null) return null;
  const text = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1');
  const shown = `['${text.replace(/[\\']/g, '\\$&')}']`;
  return { part: { kind: 'text', text }, shown, length: quoted[0].length };
}

function signAt(source: string, at: number): Found | null {
  const text = match(SIGN, source, at)?.[0];
  return text === undefined ? null : { token: { kind: 'sign', at, text }, length: text.length };
}

/** The character with what could have followed it to make a word. */
function unknownCharacter(source: string, at: number): CompileFailure {
  const [first, next] = [source.charAt(at), source.charAt(at + 1)];
  const beginsWord = first === '=' || (first === '.' && /[_$a-zA-Z]/.test(next));
  const shown = beginsWord ? first + next : first;
  return expressionFailure(
    at,
    `unexpected character '${shown}' ${placeOf(source, at)}`,
    'lexer_no_viable_alt_exception',
  );
}
