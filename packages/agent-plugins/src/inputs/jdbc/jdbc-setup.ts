/**
 * What the jdbc input makes of its options: the statement, the database and the value to begin with.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Timestamp } from '@shoal/agent-event';
import { optionError, type PluginContext, type PluginOptions } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';
import {
  databaseLogin,
  databaseNames,
  FETCH_ROWS,
  passwordFromFile,
  sequelOptions,
} from '../../sql/connect-database.ts';
import type { DatabaseLogin } from '../../sql/database-login.ts';
import { SqlStatement } from '../../sql/sql-statement.ts';
import { JdbcStatement } from './jdbc-statement.ts';
import { LastValueTracker } from './last-value.ts';

const FILE_NAME = 'logstash_jdbc_last_run';

export interface JdbcInputSetup {
  readonly login: DatabaseLogin;
  readonly statement: JdbcStatement;
  readonly tracker: LastValueTracker;
  /** The last value is that of a column, not the time of the run. */
  readonly tracksColumn: boolean;
  timeOf(wallMs: number): Timestamp;
}

/** @throws ShoalError for options that cannot be together */
export function checkOptions(options: PluginOptions): void {
  if (options.boolean('use_column_value') && !options.has('tracking_column'))
    throw optionError('[use_column_value] needs a [tracking_column]');
  if (options.has('statement') === options.has('statement_filepath'))
    throw optionError('give either [statement] or [statement_filepath]');
  if (options.has('jdbc_password') && options.has('jdbc_password_filepath'))
    throw optionError('give either [jdbc_password] or [jdbc_password_filepath]');
  for (const name of ['jdbc_page_size', 'jdbc_fetch_size']) {
    if (!options.has(name)) continue;
    const size = options.number(name);
    if (!Number.isInteger(size) || size < (name === 'jdbc_page_size' ? 1 : 0))
      throw optionError(`[${name}] is no size: ${size}`);
  }
  sequelOptions(options);
}

export async function setUp(options: PluginOptions, context: PluginContext): Promise<JdbcInputSetup> {
  const zone = options.has('jdbc_default_timezone') ? options.string('jdbc_default_timezone') : null;
  const names = databaseNames(options);
  const password = options.has('jdbc_password_filepath')
    ? await passwordFromFile(options.string('jdbc_password_filepath'))
    : names.password;
  const login = databaseLogin({ ...names, password }, context, {
    databaseZone: zone,
    isLocal: options.string('plugin_timezone') === 'local',
    plugin: 'jdbc input',
  });
  const source = options.has('statement')
    ? options.string('statement')
    : await statementOf(options.string('statement_filepath'));
  const statement = new SqlStatement(source, { kind: login.address.kind, times: login.times });
  checkPrepared(options, statement);
  const tracksColumn = options.boolean('use_column_value');
  const isNumeric = tracksColumn && options.string('tracking_column_type') === 'numeric';
  const tracker = await LastValueTracker.open(
    { path: await filePath(options, context), isNumeric, isDateTime: zone !== null, log: context.runtime.log },
    options.boolean('clean_run'),
  );
  tracker.isFromColumn = tracksColumn;
  const fetchRows = fetchSize(options, login);
  return {
    login,
    statement: new JdbcStatement(options, statement, { kind: login.address.kind, times: login.times }, fetchRows),
    tracker,
    tracksColumn,
    timeOf: (wallMs) => new Timestamp(wallMs),
  };
}

function fetchSize(options: PluginOptions, { address: { properties } }: DatabaseLogin): number {
  const given = options.has('jdbc_fetch_size')
    ? options.number('jdbc_fetch_size')
    : Number(
        sequelOptions(options).get('fetch_size') ??
          properties.get('defaultrowfetchsize') ??
          properties.get('defaultfetchsize') ??
          0,
      );
  return Number.isInteger(given) && given > 0 ? given : FETCH_ROWS;
}

async function statementOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw optionError(`[statement_filepath] cannot be read: ${messageOf(error)}`);
  }
}

function checkPrepared(options: PluginOptions, { markCount }: SqlStatement): void {
  if (!options.boolean('use_prepared_statements')) return;
  if (options.string('prepared_statement_name') === '')
    throw optionError('[use_prepared_statements] needs a [prepared_statement_name]');
  const valueCount = (options.value('prepared_statement_bind_values') as readonly unknown[]).length;
  if (markCount !== valueCount)
    throw optionError(
      `[prepared_statement_bind_values] has ${valueCount} values, but the statement ${markCount} placeholders [?]`,
    );
  if (options.boolean('jdbc_paging_enabled'))
    throw optionError('[jdbc_paging_enabled] cannot be used with [use_prepared_statements]');
}

async function filePath(options: PluginOptions, context: PluginContext): Promise<string | null> {
  if (!options.boolean('record_last_run')) return null;
  return options.has('last_run_metadata_path')
    ? options.string('last_run_metadata_path')
    : join(await context.dataPath(), FILE_NAME);
}
