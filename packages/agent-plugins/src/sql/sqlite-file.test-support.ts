/**
 * Files of SQLite as tests write them, with the engine that the plugins read them with.
 */
import { closeSync, openSync } from 'node:fs';
import { packageMissing } from './database-server.test-support.ts';
import { sqliteEngine } from './sqlite-engine.ts';

/** Why there is no SQLite here; null when there is. */
export async function whyNoSqlite(): Promise<string | null> {
  try {
    await sqliteEngine('test');
    return null;
  } catch {
    return packageMissing('node-sqlite3-wasm');
  }
}

/** Runs statements on a file, which is made when it is not there. */
export async function writeSqlite(path: string, ...statements: readonly string[]): Promise<void> {
  closeSync(openSync(path, 'a'));
  const database = (await sqliteEngine('test')).open(path, { isReadOnly: false, busyMs: 1_000 });
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}
