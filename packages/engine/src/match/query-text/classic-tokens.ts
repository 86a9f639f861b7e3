/**
 * Tokens of Lucene's classic query language: of all that may begin at a character the longest, and of equals the first declared.
 *
 * Linear in the text, whatever it is: each character is looked at a constant number of times.
 */

export type TokenKind =
  | 'end'
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  | 'bareOperator'
  | 'open'
  | 'close'
  | 'colon'
  | 'star'
  | 'caret'
  | 'quoted'
  | 'term'
  | 'tilde'
  | 'prefix'
  | 'wildcard'
  | 'regexp'
  | 'rangeOpen'
  | 'rangeClose'
  | 'rangeTo'
  | 'rangeQuoted'
  | 'rangeWord'
  | 'number'
  | 'invalid';

export interface Token {
  readonly kind: TokenKind;
  /** Characters of the text, escapes as they stand. */
  readonly image: string;
  /** UTF-16 position of its first character. */
  readonly at: number;
  /** Set of rules that it was read by: those of boosts, of ranges, or of all else. */
  readonly mode: TokenMode;
}

export type TokenMode = 'boost' | 'range' | 'plain';

const SPACE = /[ \t\n\r\u3000]/;
/** Characters that begin no word, unless a backslash stands before them. */
const SPECIAL = /[ \t\n\r\u3000+\-!():^[\]"{}~*?\\/]/;
const SINGLES: Readonly<Record<string, TokenKind>> = {
  '+': 'plus',
  '-': 'minus',
  '!': 'not',
  '(': 'open',
  ')': 'close',
  ':': 'colon',
  '^': 'caret',
  '[': 'rangeOpen',
  '{': 'rangeOpen',
};
const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', 'and'],
  ['&&', 'and'],
  ['OR', 'or'],
  ['||', 'or'],
  ['NOT', 'not'],
]);

/** All tokens of a text, with `end` or `invalid` as the last. */
export function classicTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let mode: TokenMode = 'plain';
  for (let at = 0; ; ) {
    const token = tokenAt(text, at, mode);
    tokens.push(token);
    if (token.kind === 'end' || token.kind === 'invalid') return tokens;
    at = token.at + token.image.length;
    if (token.kind === 'caret') mode = 'boost';
    else if (token.kind === 'rangeOpen') mode = 'range';
    else if (token.kind === 'number' || token.kind === 'rangeClose') mode = 'plain';
  }
}

function tokenAt(text: string, from: number, mode: TokenMode): Token {
  let at = from;
  if (mode !== 'boost') while (at < text.length && SPACE.test(text.charAt(at))) at++;
  const token = (kind: TokenKind, end: number): Token => ({ kind, image: text.slice(at, end), at, mode });
  if (at >= text.length) return token('end', at);
  switch (mode) {
    case 'boost':
      return numberToken(text, at, token);
    case 'range':
      return rangeToken(text, at, token);
    case 'plain':
      return plainToken(text, at, token);
  }
}

type MakeToken = (kind: TokenKind, end: number) => Token;

function numberToken(text: string, at: number, token: MakeToken): Token {
  const number = /\d+(?:\.\d+)?/y;
  number.lastIndex = at;
  return number.test(text) ? token('number', number.lastIndex) : token('invalid', at + 1);
}

function rangeToken(text: string, at: number, token: MakeToken): Token {
  const first = text.charAt(at);
  if (first === ']' || first === '}') return token('rangeClose', at + 1);
  let end = at;
  while (end < text.length && !' ]}'.includes(text.charAt(end))) end++;
  const quoted = first === '"' ? closing(text, at, '"') : -1;
  if (quoted >= end && quoted > at + 2) return token('rangeQuoted', quoted);
  return token(text.slice(at, end) === 'TO' ? 'rangeTo' : 'rangeWord', end);
}

function plainToken(text: string, at: number, token: MakeToken): Token {
  const first = text.charAt(at);
  const next = text.charAt(at + 1);
  if ('+-!'.includes(first) && next !== '' && SPACE.test(next)) return token('bareOperator', at + 2);
  const single = SINGLES[first];
  if (single !== undefined) return token(single, at + 1);
  if (first === '"') return quotedToken(text, at, token);
  if (first === '/') {
    const end = closing(text, at, '/');
    return end < 0 ? token('invalid', text.length) : token('regexp', end);
  }
  if (first === '~') return token('tilde', wordEnd(text, at + 1, false));
  return wordToken(text, at, token);
}

/** Position behind the delimiter that closes at `at`: the last one that only escaped ones precede; -1: there is none. */
function closing(text: string, at: number, delimiter: string): number {
  for (let i = text.indexOf(delimiter, at + 1); ; ) {
    if (i < 0) return -1;
    const next = text.charAt(i - 1) === '\\' && i - 1 > at ? text.indexOf(delimiter, i + 1) : -1;
    if (next < 0) return i + 1;
    i = next;
  }
}

function quotedToken(text: string, at: number, token: MakeToken): Token {
  for (let i = at + 1; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '\\') i++;
    else if (c === '"') return token('quoted', i + 1);
  }
  return token('invalid', text.length);
}

/** End of the word characters from `at` on, with or without the characters of patterns. */
function wordEnd(text: string, at: number, hasPatterns: boolean): number {
  let end = at;
  while (end < text.length) {
    const c = text.charAt(end);
    if (c === '\\') {
      if (end + 1 >= text.length) break;
      end += 2;
    } else if (!SPECIAL.test(c) || c === '-' || c === '+' || (hasPatterns && (c === '*' || c === '?'))) end++;
    else break;
  }
  return end;
}

function wordToken(text: string, at: number, token: MakeToken): Token {
  const end = wordEnd(text, at, true);
  if (end === at) return token('invalid', at + 1);
  const image = text.slice(at, end);
  const keyword = KEYWORDS.get(image);
  if (keyword !== undefined) return token(keyword, end);
  if (image === '*') return token('star', end);
  const patterns = image.replace(/\\[\s\S]/g, '').replace(/[^*?]/g, '');
  if (patterns === '') return token('term', end);
  return token(patterns === '*' && image.endsWith('*') ? 'prefix' : 'wildcard', end);
}
