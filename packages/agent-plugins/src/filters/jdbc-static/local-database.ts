/**
 * The tables that a jdbc_static filter holds in memory. A table is filled beside the one that lookups read, and takes its place at once.
 */
import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber, ShoalError } from '@shoal/core';
import { type RowValue, SqlDecimal } from '../../sql/row-values.ts';
import type { RowBatch } from '../../sql/sql-connection.ts';
import type { BoundStatement } from '../../sql/sql-statement.ts';
import type { SqlTimes } from '../../sql/sql-times.ts';
import { engineValue } from '../../sql/sqlite-connection.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from '../../sql/sqlite-engine.ts';
import { kindsByName, type SqliteKind, sqliteKind, sqliteRowValue } from '../../sql/sqlite-types.ts';
import type { LocalTable } from './static-options.ts';

/** Statements that are kept prepared: the text of a lookup differs only by the length of its lists. */
const STATEMENTS_MAX = 100;

export class LocalDatabase {
  private readonly database: SqliteDatabase;
  private readonly times: SqlTimes;
  private readonly tables = new Map<string, LocalTable>();
  private readonly statements = new Map<string, SqliteStatement>();
  /** Kinds of columns by name; null until asked for. */
  private kinds: ReadonlyMap<string, SqliteKind> | null = null;
  private tableCount = 0;

  constructor(database: SqliteDatabase, times: SqlTimes) {
    this.database = database;
    this.times = times;
    // The database of Logstash compares as it is written.
    database.exec('PRAGMA case_sensitive_like = ON');
  }

  create(table: LocalTable): void {
    this.build(table, table.name);
    this.tables.set(table.name.toLowerCase(), table);
  }

  has(name: string): boolean {
    return this.tables.has(name.toLowerCase());
  }

  /**
   * Fills a table anew, column by column in the order of both. Without rows, or with too many, it stays as it is.
   *
   * @returns the number of rows that came
   */
  async fill(name: string, batches: AsyncIterable<RowBatch>, rowsMax: number): Promise<number> {
    const table = this.tables.get(name.toLowerCase());
    if (table === undefined) throw failure(`there is no local table [${name}]`);
    const fresh = `${table.name}__${this.tableCount++}`;
    this.build(table, fresh);
    const kinds = table.columns.map(({ type }) => sqliteKind(type));
    const places = table.columns.map(() => '?').join(', ');
    const insert = this.database.prepare(`INSERT INTO ${quoted(fresh)} VALUES (${places})`);
    let count = 0;
    try {
      for await (const { columns, rows } of batches) {
        if (columns.length !== table.columns.length)
          throw failure(`the query gives ${columns.length} columns, but the local table [${name}] has ${kinds.length}`);
        count += rows.length;
        if (count > rowsMax) break;
        this.database.exec('BEGIN');
        for (const row of rows) insert.run(row.map((value, i) => this.stored(value, kinds[i] ?? 'plain')));
        this.database.exec('COMMIT');
      }
    } catch (error) {
      insert.end();
      this.drop(fresh);
      throw error;
    }
    insert.end();
    if (count === 0 || count > rowsMax) this.drop(fresh);
    else this.replace(table.name, fresh);
    return count;
  }

  /** Rows by name of column, in lower case. */
  select(statement: BoundStatement): Map<string, RowValue>[] {
    const prepared = this.prepared(statement.text);
    const declared = prepared.declaredTypes();
    this.kinds ??= kindsByName(this.database);
    const found: Map<string, RowValue>[] = [];
    for (const row of prepared.rows(statement.values.map(engineValue))) {
      const fields = new Map<string, RowValue>();
      for (const [name, value] of Object.entries(row)) {
        const kind = declared === null ? this.kinds.get(name.toLowerCase()) : sqliteKind(declared.get(name) ?? '');
        fields.set(name.toLowerCase(), sqliteRowValue(value, kind ?? 'plain', this.times));
      }
      found.push(fields);
    }
    return found;
  }

  close(): void {
    for (const statement of this.statements.values()) statement.end();
    this.statements.clear();
    this.database.close();
  }

  private build(table: LocalTable, name: string): void {
    const columns = table.columns.map((column) => `${quoted(column.name)} ${column.type}`);
    this.database.exec(`CREATE TABLE ${quoted(name)} (${columns.join(', ')})`);
    if (table.indexColumns.length > 0)
      this.database.exec(
        `CREATE INDEX ${quoted(`${name}__index`)} ON ${quoted(name)} (${table.indexColumns.map(quoted).join(', ')})`,
      );
  }

  private drop(name: string): void {
    // A batch that failed has left its transaction open, or none.
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // There was none.
    }
    this.database.exec(`DROP TABLE ${quoted(name)}`);
  }

  private replace(name: string, fresh: string): void {
    this.forget();
    this.database.exec('BEGIN');
    this.database.exec(`DROP TABLE ${quoted(name)}`);
    this.database.exec(`ALTER TABLE ${quoted(fresh)} RENAME TO ${quoted(name)}`);
    this.database.exec('COMMIT');
  }

  private prepared(text: string): SqliteStatement {
    const known = this.statements.get(text);
    if (known !== undefined) return known;
    if (this.statements.size >= STATEMENTS_MAX) this.forget();
    const statement = this.database.prepare(text);
    this.statements.set(text, statement);
    return statement;
  }

  private forget(): void {
    for (const statement of this.statements.values()) statement.end();
    this.statements.clear();
  }

  /** Times are kept as the database prints them, so that a query can compare them with a literal. */
  private stored(value: RowValue, kind: SqliteKind): SqliteValue {
    if (value instanceof Timestamp) {
      const text = this.times.text(value, { isFromColumn: true, hasOffset: false });
      return kind === 'date' ? text.slice(0, 10) : kind === 'time' ? text.slice(11) : text;
    }
    if (value instanceof SqlDecimal) return value.text;
    if (value instanceof DoubleNumber) return value.value;
    if (value === null || value instanceof Uint8Array || typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return engineValue(value);
    throw failure('a list or a hash has no place in a local table');
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function failure(reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason);
}
