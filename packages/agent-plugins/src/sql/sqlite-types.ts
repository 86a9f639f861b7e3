/**
 * Columns of SQLite: a value has the kind it was stored with, and the declared type of its column says whether it is a time or a boolean.
 */
import { Timestamp } from '@shoal/agent-event';
import { floatValue, type RowValue } from './row-values.ts';
import type { SqlTimes } from './sql-times.ts';
import type { SqliteDatabase, SqliteValue } from './sqlite-engine.ts';

/** What the declared type of a column makes of a value. */
export type SqliteKind = 'timestamp' | 'date' | 'time' | 'boolean' | 'float' | 'plain';

export function sqliteKind(declared: string): SqliteKind {
  const name = declared.toUpperCase();
  if (/^(TIMESTAMP|DATETIME)/.test(name)) return 'timestamp';
  if (/^DATE\b/.test(name)) return 'date';
  if (/^TIME\b/.test(name)) return 'time';
  return /^(BOOLEAN|BOOL)\b/.test(name) ? 'boolean' : /^(REAL|DOUBLE|FLOAT)/.test(name) ? 'float' : 'plain';
}

/** Kinds by the name of a column, for an engine that does not tell them: of names that mean the same in all tables. */
export function kindsByName(database: SqliteDatabase): ReadonlyMap<string, SqliteKind> {
  const kinds = new Map<string, SqliteKind>();
  const sql =
    "SELECT lower(p.name) AS name, p.type AS type FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type IN ('table', 'view')";
  const statement = database.prepare(sql);
  try {
    for (const { name, type } of statement.rows([])) {
      const kind = sqliteKind(String(type ?? ''));
      const known = kinds.get(String(name));
      kinds.set(String(name), known === undefined || known === kind ? kind : 'plain');
    }
  } finally {
    statement.end();
  }
  return kinds;
}

export function sqliteRowValue(value: SqliteValue, kind: SqliteKind, times: SqlTimes): RowValue {
  if (typeof value === 'bigint') {
    const read = Number(value);
    return Number.isSafeInteger(read) ? sqliteRowValue(read, kind, times) : value;
  }
  if (typeof value === 'string') return textValue(value, kind, times);
  if (typeof value === 'number') {
    if (kind === 'boolean') return value !== 0;
    if (kind === 'timestamp' && Number.isInteger(value)) return new Timestamp(value);
    return kind === 'float' || !Number.isInteger(value) ? floatValue(value) : value;
  }
  return value;
}

function textValue(value: string, kind: SqliteKind, times: SqlTimes): RowValue {
  switch (kind) {
    case 'timestamp':
      return times.zonedTimestamp(value) ?? times.timestamp(value) ?? value;
    case 'date':
      return times.date(value) ?? value;
    case 'time':
      return times.timeOfDay(value) ?? value;
    case 'boolean':
      return /^(t|true|y|yes)$/i.test(value) ? true : /^(f|false|n|no)$/i.test(value) ? false : value;
    default:
      return value;
  }
}
