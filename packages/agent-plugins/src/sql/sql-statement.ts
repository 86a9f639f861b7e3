/**
 * Statements with values: names and marks become the placeholders of the database, and values are sent beside the text.
 *
 * Names that nobody gave stay as they are, so that the database says what is wrong with them. Values never become text of a
 * statement, but for the two places where PostgreSQL takes no placeholder; there they are quoted.
 */
import { Timestamp } from '@shoal/agent-event';
import { optionError } from '@shoal/agent-plugin-kit';
import { DoubleNumber, ShoalError } from '@shoal/core';
import type { DatabaseKind } from './jdbc-url.ts';
import { type RowValue, SqlDecimal } from './row-values.ts';
import { cutSql, type SqlPiece } from './sql-text.ts';
import type { SqlTimes } from './sql-times.ts';

/** A value as the client of the database takes it. */
export type BoundValue = null | boolean | string | number | bigint | SqlDecimal | Uint8Array;

export interface BoundStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** The same without placeholders: for a database that cannot tell the type of one. null where that is never so. */
  readonly literalText: string | null;
  /** Name of a prepared statement; null for one that is used once. */
  readonly name: string | null;
}

/** Placeholders of one statement. A list takes one for each of its items. */
const VALUES_MAX = 30_000;
/** Words of PostgreSQL behind which only a literal may stand. */
const LITERAL_WORDS: ReadonlySet<string> = new Set(['INTERVAL', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ']);
const INT4_MAX = 2 ** 31;

export interface StatementDialect {
  readonly kind: DatabaseKind;
  readonly times: SqlTimes;
}

export class SqlStatement {
  readonly source: string;
  readonly markCount: number;
  private readonly pieces: readonly SqlPiece[];
  private readonly dialect: StatementDialect;

  constructor(source: string, dialect: StatementDialect) {
    this.source = source;
    this.dialect = dialect;
    this.pieces = cutSql(source, dialect.kind);
    this.markCount = this.pieces.filter(({ kind }) => kind === 'mark').length;
  }

  /** Values by name. @param columnValues names whose value was read from a column */
  withNames(values: ReadonlyMap<string, RowValue>, columnValues: ReadonlySet<string> = new Set()): BoundStatement {
    const writer = new StatementWriter(this.dialect, false);
    for (const piece of this.pieces) {
      if (piece.kind === 'text') writer.add(piece.text);
      else if (piece.kind === 'mark') writer.add('?');
      else if (values.has(piece.name))
        writer.value(values.get(piece.name) ?? null, piece.after, columnValues.has(piece.name));
      else writer.unknownName(piece.name);
    }
    return writer.done(null);
  }

  /** Values in the order of the `?` of a statement that is prepared once. */
  withMarks(values: readonly RowValue[], name: string, columnValues: ReadonlySet<number> = new Set()): BoundStatement {
    const writer = new StatementWriter(this.dialect, true);
    let index = 0;
    for (const piece of this.pieces) {
      if (piece.kind === 'text') writer.add(piece.text);
      else if (piece.kind === 'name') writer.add(`:${piece.name}`);
      else {
        writer.value(values[index] ?? null, piece.after, columnValues.has(index));
        index++;
      }
    }
    return writer.done(name);
  }
}

class StatementWriter {
  private readonly dialect: StatementDialect;
  private readonly isPrepared: boolean;
  private readonly values: BoundValue[] = [];
  private text = '';
  private literals = '';

  constructor(dialect: StatementDialect, isPrepared: boolean) {
    this.dialect = dialect;
    this.isPrepared = isPrepared;
  }

  add(text: string): void {
    this.text += text;
    this.literals += text;
  }

  /** SQLite would take it for a placeholder without a value, which is null. */
  unknownName(name: string): void {
    if (this.dialect.kind === 'sqlite')
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `the statement has a parameter [${name}] without a value`,
      );
    this.add(`:${name}`);
  }

  value(value: RowValue, after: string, isFromColumn: boolean): void {
    const items = Array.isArray(value) ? (value.length === 0 ? [null] : value) : null;
    if (items === null) {
      this.one(value, after, isFromColumn);
      return;
    }
    this.add('(');
    for (const [i, item] of items.entries()) {
      if (i > 0) this.add(', ');
      this.one(item, '', isFromColumn);
    }
    this.add(')');
  }

  done(name: string | null): BoundStatement {
    const isPostgres = this.dialect.kind === 'postgresql';
    return { text: this.text, values: this.values, literalText: isPostgres ? this.literals : null, name };
  }

  private one(value: RowValue, after: string, isFromColumn: boolean): void {
    const bound = this.bound(value, isFromColumn);
    const literal = this.dialect.kind === 'postgresql' ? literalText(bound) : '';
    this.literals += literal;
    if (this.dialect.kind === 'postgresql' && LITERAL_WORDS.has(after)) {
      this.text += literal;
      return;
    }
    if (this.values.length >= VALUES_MAX) throw optionError(`a statement has at most ${VALUES_MAX} values`);
    this.values.push(bound);
    this.text += this.dialect.kind === 'postgresql' ? `$${this.values.length}${this.cast(bound)}` : '?';
  }

  private bound(value: RowValue, isFromColumn: boolean): BoundValue {
    if (value instanceof Timestamp)
      return this.dialect.times.text(value, { isFromColumn, hasOffset: this.dialect.kind === 'postgresql' });
    if (value instanceof DoubleNumber) return new SqlDecimal(String(value));
    if (typeof value === 'number' && !Number.isInteger(value)) return new SqlDecimal(String(value));
    if (value instanceof Uint8Array || value instanceof SqlDecimal || value === null || typeof value !== 'object')
      return value;
    throw new ShoalError('illegal_argument_exception', 400, 'a list in a list, or a hash, is no value of a statement');
  }

  /** A number has its type from how it is written, as a literal has; a text takes the type that its place asks for. */
  private cast(value: BoundValue): string {
    switch (typeof value) {
      case 'number':
        return !this.isPrepared && Math.abs(value) < INT4_MAX ? '::int4' : '::int8';
      case 'bigint':
        return BigInt.asIntN(64, value) === value ? '::int8' : '::numeric';
      case 'boolean':
        return '::boolean';
      default:
        return value instanceof SqlDecimal ? '::numeric' : '';
    }
  }
}

function literalText(value: BoundValue): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  // Only a text can hold what ends a literal; a sign right behind a minus would begin a comment.
  return typeof value === 'string' ? quotedText(value) : `(${value})`;
}

/** A literal of PostgreSQL that is the same whatever `standard_conforming_strings` says. */
export function quotedText(value: string): string {
  if (value.includes('\0')) throw optionError('a text with a zero byte is no value of PostgreSQL');
  const doubled = value.replaceAll("'", "''");
  return value.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}
