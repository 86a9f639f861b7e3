/**
 * What servers of databases have in common when tests start them, and statements run on them beside the plugin under test.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { isPortOpen } from '../breakable-port.test-support.ts';
import { testContext } from '../plugin-instance.test-support.ts';
import { connectDatabase, databaseLogin, errorText } from './connect-database.ts';
import type { DatabaseLogin } from './database-login.ts';
import { allRows, type RowBatch, type SqlConnection } from './sql-connection.ts';
import { SqlStatement } from './sql-statement.ts';

const PROBE_MS = 200;

export interface DatabaseServer {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  breakConnections(): void;
  end(): Promise<void>;
}

export type DatabasePlace = Pick<DatabaseServer, 'url' | 'user' | 'password'>;

export async function packageMissing(name: string): Promise<string | null> {
  try {
    await import(name);
    return null;
  } catch {
    return `the package ${name} is not installed`;
  }
}

export async function listening(child: ChildProcess, port: number): Promise<void> {
  while (!(await isPortOpen(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await setTimeout(PROBE_MS);
  }
}

export async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

export function testLogin(place: DatabasePlace, databaseZone: string | null = null): DatabaseLogin {
  const names = { url: place.url, driverClass: null, library: null, user: place.user, password: place.password };
  return databaseLogin(names, testContext(), { databaseZone, isLocal: false, plugin: 'test' });
}

/** Runs statements one by one on a connection of their own. Answers the rows of the last; the server may still come up. */
export async function runSql(place: DatabasePlace, ...statements: readonly string[]): Promise<RowBatch> {
  const login = testLogin(place);
  const runtime = createNodeRuntime({ log: createSilentLog() });
  let connection: SqlConnection | null = null;
  while (connection === null) {
    connection = await connectDatabase(login, runtime).catch((error) => {
      if (!/starting up/.test(errorText(error))) throw error;
      return null;
    });
    if (connection === null) await setTimeout(PROBE_MS);
  }
  let rows: RowBatch = { columns: [], rows: [] };
  try {
    for (const text of statements) {
      const statement = new SqlStatement(text, { kind: login.address.kind, times: login.times });
      rows = await allRows(connection, statement.withNames(new Map()), 1_000_000);
    }
  } finally {
    connection.close();
  }
  return rows;
}
