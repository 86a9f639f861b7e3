/**
 * A statement cut into what the database reads as it is, and the places where values stand: `:name` and `?`.
 *
 * Quotes, comments, casts (`::`) and dollar quotes are passed over, so that a colon in them is never taken for a name.
 */
import type { DatabaseKind } from './jdbc-url.ts';

export type SqlPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `:name`. `after` is the word before it, in upper case: `INTERVAL`, `DATE`. */
  | { readonly kind: 'name'; readonly name: string; readonly after: string }
  | { readonly kind: 'mark'; readonly after: string };

const NAME = /:([A-Za-z_]\w*)/y;
const WORD_BEFORE = /([A-Za-z]+)\s*$/;
const DOLLAR_QUOTE = /\$(?:[A-Za-z_]\w*)?\$/y;

export function cutSql(sql: string, kind: DatabaseKind): readonly SqlPiece[] {
  const pieces: SqlPiece[] = [];
  let from = 0;
  let at = 0;
  const cut = (piece: (after: string) => SqlPiece, end: number): void => {
    const text = sql.slice(from, at);
    if (text !== '') pieces.push({ kind: 'text', text });
    pieces.push(piece((WORD_BEFORE.exec(text)?.[1] ?? '').toUpperCase()));
    from = end;
    at = end;
  };
  while (at < sql.length) {
    const passed = passOver(sql, at, kind);
    if (passed > at) {
      at = passed;
      continue;
    }
    const char = sql[at];
    if (char === ':') {
      const name = matchAt(NAME, sql, at);
      if (name !== null) cut((after) => ({ kind: 'name', name: name[1] ?? '', after }), at + name[0].length);
      else at++;
    } else if (char === '?') cut((after) => ({ kind: 'mark', after }), at + 1);
    else at++;
  }
  if (from < sql.length) pieces.push({ kind: 'text', text: sql.slice(from) });
  return pieces;
}

/** Index behind the quote, comment or cast that begins at `at`; `at` when none begins there. */
function passOver(sql: string, at: number, kind: DatabaseKind): number {
  const char = sql[at] ?? '';
  const next = sql[at + 1] ?? '';
  switch (char) {
    case "'":
      return quoteEnd(sql, at, kind === 'mysql' || (kind === 'postgresql' && isEscapeString(sql, at)));
    case '"':
      return quoteEnd(sql, at, kind === 'mysql');
    case '`':
      return kind === 'postgresql' ? at : quoteEnd(sql, at, false);
    case '[':
      return kind === 'sqlite' ? endOf(sql, ']', at + 1) : at;
    case '-':
      // MySQL takes two dashes for a comment only before white space: `5--1` is a subtraction.
      return next === '-' && (kind !== 'mysql' || /^\s?$/.test(sql[at + 2] ?? '')) ? endOf(sql, '\n', at) : at;
    case '#':
      return kind === 'mysql' ? endOf(sql, '\n', at) : at;
    case '/':
      return next === '*' ? commentEnd(sql, at, kind === 'postgresql') : at;
    case '$': {
      const tag = kind === 'postgresql' ? matchAt(DOLLAR_QUOTE, sql, at)?.[0] : undefined;
      return tag === undefined ? at : endOf(sql, tag, at + tag.length);
    }
    case ':':
      return next === ':' || next === '=' ? at + 2 : at;
    default:
      return at;
  }
}

function quoteEnd(sql: string, at: number, hasBackslashes: boolean): number {
  const quote = sql[at];
  for (let i = at + 1; i < sql.length; i++) {
    if (sql[i] === '\\' && hasBackslashes) i++;
    else if (sql[i] === quote) {
      // A doubled quote stands for itself.
      if (sql[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return sql.length;
}

function commentEnd(sql: string, at: number, isNested: boolean): number {
  let depth = 0;
  for (let i = at; i < sql.length - 1; i++) {
    const two = sql.slice(i, i + 2);
    if (two === '/*' && (depth === 0 || isNested)) {
      depth++;
      i++;
    } else if (two === '*/') {
      depth--;
      if (depth === 0) return i + 2;
      i++;
    }
  }
  return sql.length;
}

/** `E'…'`, the one string of PostgreSQL in which a backslash escapes. */
function isEscapeString(sql: string, at: number): boolean {
  return /(?:^|[^\w$])e$/i.test(sql.slice(Math.max(0, at - 2), at));
}

function endOf(sql: string, text: string, from: number): number {
  const found = sql.indexOf(text, from);
  return found < 0 ? sql.length : found + text.length;
}

function matchAt(pattern: RegExp, sql: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(sql);
}
