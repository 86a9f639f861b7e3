/**
 * Options that the plugins share about their database, and the connections that follow from them.
 */

import { readFile } from 'node:fs/promises';
import { type OptionDeclarations, optionError, type PluginContext, type PluginOptions } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { DatabaseLogin } from './database-login.ts';
import { checkDriver } from './jdbc-driver.ts';
import { parseJdbcUrl } from './jdbc-url.ts';
import { connectMysql } from './mysql-connection.ts';
import { connectPostgres } from './postgres-connection.ts';
import type { SqlConnection } from './sql-connection.ts';
import { SqlTimes } from './sql-times.ts';
import { connectSqlite } from './sqlite-connection.ts';

/** Rows that the database is asked for at once. */
export const FETCH_ROWS = 1_000;

export const databaseOptions: OptionDeclarations = {
  jdbc_driver_library: { type: 'string' },
  jdbc_driver_class: { type: 'string' },
  jdbc_connection_string: { type: 'string', isRequired: true },
  jdbc_user: { type: 'string' },
  jdbc_password: { type: 'password' },
};

/** Options of Sequel, the library of Logstash: those that change an answer here, and those that cannot. */
const SEQUEL_WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  'max_connections',
  'pool_timeout',
  'pool_sleep_time',
  'preconnect',
  'servers',
  'single_threaded',
  'test',
  'keep_reference',
  'loggers',
  'log_warn_duration',
  'logger',
  'sql_log_level',
]);
const SEQUEL_READ: ReadonlySet<string> = new Set(['user', 'password', 'fetch_size']);

export interface DatabaseNames {
  readonly url: string;
  readonly driverClass: string | null;
  readonly library: string | null;
  readonly user: string | null;
  readonly password: string | null;
}

/** What the options of a plugin say of its database. */
export function databaseNames(options: PluginOptions): DatabaseNames {
  const text = (name: string): string | null => (options.has(name) ? options.string(name) : null);
  const sequel = sequelOptions(options);
  return {
    url: options.string('jdbc_connection_string'),
    driverClass: text('jdbc_driver_class'),
    library: text('jdbc_driver_library'),
    user: text('jdbc_user') ?? sequel.get('user') ?? null,
    password: text('jdbc_password') ?? sequel.get('password') ?? null,
  };
}

/** @throws ShoalError for an option that would change an answer and cannot */
export function sequelOptions(options: PluginOptions): ReadonlyMap<string, string> {
  if (!options.has('sequel_opts')) return new Map();
  const read = new Map<string, string>();
  for (const [name, value] of options.hash('sequel_opts')) {
    if (SEQUEL_READ.has(name)) read.set(name, String(value));
    else if (!SEQUEL_WITHOUT_EFFECT.has(name))
      throw optionError(`[sequel_opts] has an option [${name}] that is not supported; remove it`);
  }
  return read;
}

export interface LoginOptions {
  readonly databaseZone: string | null;
  readonly isLocal: boolean;
  readonly plugin: string;
}

/** @throws ShoalError for a connection string or a driver that cannot be used */
export function databaseLogin(names: DatabaseNames, context: PluginContext, options: LoginOptions): DatabaseLogin {
  const address = parseJdbcUrl(names.url);
  checkDriver(names, address, context);
  const given = (value: string | null, property: string): string | null =>
    value === null || value === '' ? (address.properties.get(property) ?? null) : value;
  return {
    address,
    user: given(names.user, 'user'),
    password: given(names.password, 'password'),
    times: new SqlTimes({ ...options, clock: context.runtime.clock }),
    plugin: options.plugin,
  };
}

/** @throws whatever the client says when no host of it answers */
export function connectDatabase(login: DatabaseLogin, runtime: Runtime): Promise<SqlConnection> {
  switch (login.address.kind) {
    case 'postgresql':
      return connectPostgres(login);
    case 'mysql':
      return connectMysql(login);
    default:
      return connectSqlite(login, runtime.sched);
  }
}

/** `jdbc_password_filepath`: the password without the line's end. */
export async function passwordFromFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw optionError(`[jdbc_password_filepath] cannot be read: ${messageOf(error)}`);
  }
}

export function errorText(error: unknown): string {
  // A host with several addresses fails with all of their errors.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join('; ');
  return messageOf(error);
}
