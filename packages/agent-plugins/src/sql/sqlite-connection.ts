/**
 * SQLite as a connection: one file, or a database in memory. Rows are read one by one, and the event loop runs between batches.
 */
import { existsSync } from 'node:fs';
import { optionError } from '@shoal/agent-plugin-kit';
import type { Scheduler } from '@shoal/runtime';
import type { DatabaseLogin } from './database-login.ts';
import { type RowValue, SqlDecimal } from './row-values.ts';
import type { RowBatch, SqlConnection } from './sql-connection.ts';
import type { BoundStatement, BoundValue } from './sql-statement.ts';
import { type SqliteDatabase, type SqliteEngine, type SqliteValue, sqliteEngine } from './sqlite-engine.ts';
import { SqliteSnapshot } from './sqlite-snapshot.ts';
import { kindsByName, type SqliteKind, sqliteKind, sqliteRowValue } from './sqlite-types.ts';

const BUSY_MS = 3_000;

export async function connectSqlite(login: DatabaseLogin, sched: Scheduler): Promise<SqlConnection> {
  const engine = await sqliteEngine(login.plugin);
  const path = login.address.database;
  if (path !== ':memory:' && !existsSync(path))
    throw optionError(`the file [${path}] of [jdbc_connection_string] is missing`);
  const connection = new SqliteConnection(engine, login, sched);
  await connection.database();
  return connection;
}

class SqliteConnection implements SqlConnection {
  readonly kind = 'sqlite';
  isOpen = true;
  private readonly engine: SqliteEngine;
  private readonly login: DatabaseLogin;
  private readonly sched: Scheduler;
  /** null where the file itself is opened. */
  private readonly snapshot: SqliteSnapshot | null;
  private opened: SqliteDatabase | null = null;

  constructor(engine: SqliteEngine, login: DatabaseLogin, sched: Scheduler) {
    this.engine = engine;
    this.login = login;
    this.sched = sched;
    const path = login.address.database;
    this.snapshot = engine.sharesFiles || path === ':memory:' ? null : new SqliteSnapshot(path, sched);
  }

  async *run({ text, values }: BoundStatement, fetchRows: number): AsyncGenerator<RowBatch, void, undefined> {
    const database = await this.database();
    const statement = database.prepare(text);
    let columns: readonly string[] = [];
    let kinds: readonly SqliteKind[] = [];
    let rows: (readonly RowValue[])[] = [];
    try {
      const declared = statement.declaredTypes();
      for (const row of statement.rows(values.map(engineValue))) {
        if (columns.length === 0) {
          columns = Object.keys(row);
          kinds = kindsOf(columns, declared, database);
        }
        rows.push(columns.map((name, i) => sqliteRowValue(row[name] ?? null, kinds[i] ?? 'plain', this.login.times)));
        if (rows.length < fetchRows) continue;
        yield { columns, rows };
        rows = [];
        await new Promise<void>((resolve) => void this.sched.after(0, resolve));
      }
      if (rows.length > 0) yield { columns, rows };
    } finally {
      if (this.isOpen) statement.end();
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.opened?.close();
    this.snapshot?.remove();
  }

  /** The database; of a copied file, what the file holds now. */
  async database(): Promise<SqliteDatabase> {
    const copy = this.snapshot === null ? null : await this.snapshot.renewed();
    if (this.opened !== null && copy === null) return this.opened;
    this.opened?.close();
    this.opened = this.engine.open(copy ?? this.login.address.database, {
      isReadOnly: copy !== null,
      busyMs: Number(this.login.address.properties.get('busy_timeout') ?? BUSY_MS) || BUSY_MS,
    });
    return this.opened;
  }
}

function kindsOf(
  columns: readonly string[],
  declared: ReadonlyMap<string, string> | null,
  database: SqliteDatabase,
): readonly SqliteKind[] {
  if (declared !== null) return columns.map((name) => sqliteKind(declared.get(name) ?? ''));
  const byName = kindsByName(database);
  return columns.map((name) => byName.get(name.toLowerCase()) ?? 'plain');
}

export function engineValue(value: BoundValue): SqliteValue {
  if (value instanceof SqlDecimal) return Number(value.text);
  if (typeof value === 'boolean') return value ? 1 : 0;
  // The module of Node takes a JavaScript number for a float.
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}
