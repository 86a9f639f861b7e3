/**
 * MySQL and MariaDB through the package `mysql2`: statements are prepared by the server, values are sent beside the text.
 */
import type { Socket } from 'node:net';
import { timeZone, type Zone } from '@shoal/agent-event';
import { loadOptionalPackage, optionError } from '@shoal/agent-plugin-kit';
import type { DatabaseLogin } from './database-login.ts';
import type { DatabaseHost } from './jdbc-url.ts';
import { type MysqlColumn, type MysqlReading, mysqlReader } from './mysql-types.ts';
import { RowFeed } from './row-feed.ts';
import { type RowValue, SqlDecimal } from './row-values.ts';
import type { RowBatch, SqlConnection } from './sql-connection.ts';
import type { BoundStatement, BoundValue } from './sql-statement.ts';
import { mysqlTls } from './sql-tls.ts';

const PACKAGE = { name: 'mysql2', version: '3.24' };
const TIMEOUT_MS = 10_000;
const NO_TLS = 'HANDSHAKE_NO_SSL_SUPPORT';

/** The part of the package that is used. */
interface PackageConnection {
  readonly stream: Socket;
  execute(options: object): PackageCommand;
  on(name: 'error' | 'end', listener: (error?: Error) => void): unknown;
  once(name: 'connect', listener: () => void): unknown;
  pause(): void;
  resume(): void;
  destroy(): void;
}

interface PackageCommand {
  on(name: 'result', listener: (row: unknown, resultIndex: number) => void): unknown;
  on(name: 'fields', listener: (fields: readonly MysqlColumn[] | undefined, resultIndex: number) => void): unknown;
  on(name: 'error', listener: (error: Error) => void): unknown;
  on(name: 'end', listener: () => void): unknown;
}

interface Package {
  createConnection(options: object): PackageConnection;
  readonly TypedParameter?: Readonly<Record<'LONGLONG' | 'NEWDECIMAL', (value: unknown) => unknown>>;
}

/** @throws ShoalError when the package is not installed; the package's error when no host answers */
export async function connectMysql(login: DatabaseLogin): Promise<SqlConnection> {
  const loaded = (await loadOptionalPackage(PACKAGE, login.plugin)) as Package & { readonly default?: Package };
  const mysql = loaded.default ?? loaded;
  const wish = await mysqlTls(login.address.properties);
  let failure: unknown = null;
  for (const host of login.address.hosts) {
    try {
      return await MysqlConnection.open(mysql, login, host, wish.use === 'never' ? null : wish.options);
    } catch (error) {
      failure = error;
    }
    if (wish.use !== 'try' || !hasCode(failure, NO_TLS)) continue;
    try {
      return await MysqlConnection.open(mysql, login, host, null);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

class MysqlConnection implements SqlConnection {
  readonly kind = 'mysql';
  isOpen = true;
  private readonly mysql: Package;
  private readonly client: PackageConnection;
  private readonly reading: MysqlReading;
  /** Rows of the statement that runs: the package says nothing to it when the connection is closed. */
  private feed: RowFeed | null = null;

  private constructor(mysql: Package, client: PackageConnection, reading: MysqlReading) {
    this.mysql = mysql;
    this.client = client;
    this.reading = reading;
    client.on('error', () => void (this.isOpen = false));
    client.on('end', () => void (this.isOpen = false));
  }

  static async open(
    mysql: Package,
    login: DatabaseLogin,
    { host, port }: DatabaseHost,
    tls: Readonly<Record<string, unknown>> | null,
  ): Promise<MysqlConnection> {
    const { properties, database } = login.address;
    const client = mysql.createConnection({
      host,
      port,
      ...(login.user === null ? {} : { user: login.user }),
      ...(login.password === null ? {} : { password: login.password }),
      ...(database === '' ? {} : { database }),
      ...(tls === null ? {} : { ssl: tls }),
      connectTimeout: milliseconds(properties.get('connecttimeout')) || TIMEOUT_MS,
      charset: 'utf8mb4',
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      jsonStrings: true,
      rowsAsArray: true,
      enableKeepAlive: true,
      // A database does not say what runs in this process: parsers of rows are interpreted, not compiled from its names.
      disableEval: true,
    });
    const connection = new MysqlConnection(mysql, client, readingOf(login));
    await new Promise<void>((resolve, reject) => {
      client.once('connect', resolve);
      client.on('error', reject);
    }).catch((error) => {
      connection.close();
      throw error;
    });
    const silenceMs = milliseconds(properties.get('sockettimeout'));
    const { stream } = client;
    if (silenceMs > 0)
      stream.setTimeout(silenceMs, () => stream.destroy(new Error(`the server was silent for ${silenceMs} ms`)));
    return connection;
  }

  run({ text, values }: BoundStatement, fetchRows: number): AsyncIterable<RowBatch> {
    let readers: readonly ((value: unknown) => RowValue)[] = [];
    const feed = new RowFeed({ release: () => this.client.resume(), abandon: () => this.close() });
    this.feed = feed;
    const command = this.client.execute({
      sql: text,
      values: values.map((value) => this.clientValue(value)),
      rowsAsArray: true,
      typeCast: geometryBytes,
    });
    command.on('fields', (fields, resultIndex) => {
      if (fields === undefined || (resultIndex ?? 0) > 0) return;
      feed.columns = fields.map((field) => field.name);
      readers = fields.map((field) => mysqlReader(field, this.reading));
    });
    command.on('result', (row, resultIndex) => {
      // A procedure ends with a result of its own, which has no rows.
      if (!Array.isArray(row) || (resultIndex ?? 0) > 0) return;
      try {
        feed.add(readers.map((read, i) => (row[i] === null ? null : read(row[i]))));
      } catch (error) {
        feed.failed(error);
        this.close();
        return;
      }
      if (feed.length < fetchRows) return;
      this.client.pause();
      feed.held();
    });
    command.on('error', (error) => feed.failed(error));
    command.on('end', () => feed.ended());
    return feed.batches();
  }

  close(): void {
    this.isOpen = false;
    this.client.destroy();
    this.feed?.failed(new Error('the connection was closed'));
  }

  /** Numbers have their kind, as they have where they are written in a statement. */
  private clientValue(value: BoundValue): unknown {
    const typed = this.mysql.TypedParameter;
    if (value instanceof SqlDecimal) {
      const isPlain = /^[+-]?\d+(?:\.\d+)?$/.test(value.text);
      return isPlain ? (typed?.NEWDECIMAL(value.text) ?? value.text) : Number(value.text);
    }
    const isLong = typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
    if (typeof value === 'number' || isLong) return typed?.LONGLONG(value) ?? String(value);
    return value instanceof Uint8Array ? Buffer.from(value) : value;
  }
}

function geometryBytes(field: { readonly type: string; buffer(): unknown }, next: () => unknown): unknown {
  return field.type === 'GEOMETRY' ? field.buffer() : next();
}

function readingOf({ address: { properties }, times }: DatabaseLogin): MysqlReading {
  const zone = properties.get('connectiontimezone') ?? properties.get('servertimezone');
  const zeroDates = (properties.get('zerodatetimebehavior') ?? 'EXCEPTION').toUpperCase().replaceAll('_', '');
  if (!['EXCEPTION', 'CONVERTTONULL', 'ROUND'].includes(zeroDates))
    throw optionError(`the zeroDateTimeBehavior [${properties.get('zerodatetimebehavior')}] is not known`);
  return {
    times,
    timestampZone: zone === undefined ? null : connectionZone(zone),
    zeroDates: zeroDates === 'CONVERTTONULL' ? 'null' : zeroDates === 'ROUND' ? 'round' : 'error',
    isTinyBoolean: properties.get('tinyint1isbit') !== 'false',
    isYearDate: properties.get('yearisdatetype') !== 'false',
  };
}

/** `LOCAL` is what is taken without the property; `SERVER` would have to be asked for. */
function connectionZone(name: string): Zone | null {
  if (name.toUpperCase() === 'LOCAL') return null;
  if (name.toUpperCase() === 'SERVER')
    throw optionError('the connectionTimeZone [SERVER] is not supported: name the zone of the server');
  return timeZone(name);
}

function milliseconds(text: string | undefined): number {
  const value = Number(text ?? 0);
  if (!Number.isFinite(value) || value < 0)
    throw optionError(`a timeout of [jdbc_connection_string] is no number: ${text}`);
  return value;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
