/**
 * PostgreSQL through the package `pg`: statements with values beside the text, rows in batches of a portal.
 */
import type { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { loadOptionalPackage } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { DatabaseLogin } from './database-login.ts';
import type { DatabaseHost } from './jdbc-url.ts';
import { postgresReader } from './postgres-types.ts';
import { RowFeed } from './row-feed.ts';
import type { RowValue } from './row-values.ts';
import type { RowBatch, SqlConnection } from './sql-connection.ts';
import { type BoundStatement, type BoundValue, quotedText } from './sql-statement.ts';
import { postgresTls } from './sql-tls.ts';

const PACKAGE = { name: 'pg', version: '8' };
/** SQLSTATE of a placeholder whose type nothing tells. */
const NO_TYPE = '42P18';
const NO_TLS = 'does not support SSL';
const TIMEOUT_SECONDS = 10;

/** The part of the package that is used. */
interface PackageClient {
  readonly connection: { readonly stream: Socket; sync(): void };
  connect(): Promise<unknown>;
  query(query: PackageQuery | string): unknown;
  on(name: 'error' | 'end', listener: (error?: Error) => void): unknown;
  end(): Promise<void>;
}

interface PackageQuery {
  on(name: 'row', listener: (row: readonly RowValue[], result: { readonly fields: readonly Field[] }) => void): unknown;
  on(name: 'end', listener: () => void): unknown;
  on(name: 'error', listener: (error: Error) => void): unknown;
  handlePortalSuspended(connection: unknown): void;
}

interface Field {
  readonly name: string;
}

interface Package {
  readonly Client: new (options: object) => PackageClient;
  readonly Query: new (options: object) => PackageQuery;
}

/** @throws ShoalError when the package is not installed; the package's error when no host answers */
export async function connectPostgres(login: DatabaseLogin): Promise<SqlConnection> {
  const pg = (await loadOptionalPackage(PACKAGE, login.plugin)) as Package;
  const wish = await postgresTls(login.address.properties);
  const attempts = login.address.hosts.flatMap((host) =>
    wish.use === 'never'
      ? [{ host, tls: null }]
      : wish.use === 'always'
        ? [{ host, tls: wish.options }]
        : [
            { host, tls: wish.options },
            { host, tls: null },
          ],
  );
  let failure: unknown = null;
  for (const { host, tls } of attempts) {
    // The attempt without TLS is for servers that said they have none, not for those that do not answer.
    if (wish.use === 'try' && tls === null && !String(failure).includes(NO_TLS)) continue;
    try {
      return await PostgresConnection.open(pg, login, host, tls);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

class PostgresConnection implements SqlConnection {
  readonly kind = 'postgresql';
  isOpen = true;
  private readonly pg: Package;
  private readonly client: PackageClient;
  private readonly login: DatabaseLogin;
  /** Text of each prepared statement by its name, which this connection may prepare once. */
  private readonly prepared = new Map<string, string>();
  /** Rows of the statement that runs. */
  private feed: RowFeed | null = null;

  private constructor(pg: Package, client: PackageClient, login: DatabaseLogin) {
    this.pg = pg;
    this.client = client;
    this.login = login;
    client.on('error', () => void (this.isOpen = false));
    client.on('end', () => void (this.isOpen = false));
  }

  static async open(
    pg: Package,
    login: DatabaseLogin,
    { host, port }: DatabaseHost,
    tls: Readonly<Record<string, unknown>> | null,
  ): Promise<PostgresConnection> {
    const { properties, database } = login.address;
    const user = login.user ?? userInfo().username;
    const client = new pg.Client({
      host,
      port,
      user,
      database: database === '' ? user : database,
      ...(login.password === null ? {} : { password: login.password }),
      ssl: tls ?? false,
      application_name: properties.get('applicationname') ?? 'PostgreSQL JDBC Driver',
      connectionTimeoutMillis: seconds(
        properties.get('connecttimeout') ?? properties.get('logintimeout'),
        TIMEOUT_SECONDS,
      ),
      keepAlive: properties.get('tcpkeepalive') === 'true',
      ...(properties.has('options') ? { options: properties.get('options') } : {}),
    });
    const connection = new PostgresConnection(pg, client, login);
    try {
      await client.connect();
      const silenceMs = seconds(properties.get('sockettimeout'), 0);
      const { stream } = client.connection;
      if (silenceMs > 0)
        stream.setTimeout(silenceMs, () => stream.destroy(new Error(`the server was silent for ${silenceMs} ms`)));
      await connection.set(sessionSettings(properties));
    } catch (error) {
      connection.close();
      throw error;
    }
    return connection;
  }

  async *run(statement: BoundStatement, fetchRows: number): AsyncGenerator<RowBatch, void, undefined> {
    let hasRows = false;
    try {
      for await (const batch of this.batches(statement.text, statement.values, statement.name, fetchRows)) {
        hasRows = true;
        yield batch;
      }
    } catch (error) {
      if (hasRows || statement.literalText === null || !hasCode(error, NO_TYPE)) throw error;
      yield* this.batches(statement.literalText, [], null, fetchRows);
    }
  }

  close(): void {
    this.isOpen = false;
    this.client.connection.stream.destroy();
    this.feed?.failed(new Error('the connection was closed'));
    // It only ends what is destroyed already.
    this.client.end().catch(() => undefined);
  }

  private batches(
    text: string,
    values: readonly BoundValue[],
    name: string | null,
    fetchRows: number,
  ): AsyncGenerator<RowBatch, void, undefined> {
    let proceed: () => void = () => undefined;
    const feed = new RowFeed({ release: () => proceed(), abandon: () => this.close() });
    this.feed = feed;
    const query = new this.pg.Query({
      text,
      values: values.map(clientValue),
      rows: fetchRows,
      rowMode: 'array',
      types: { getTypeParser: (type: number) => postgresReader(type, this.login.times) },
      ...(name !== null && this.mayPrepare(name, text) ? { name } : {}),
    });
    const next = query.handlePortalSuspended.bind(query);
    query.handlePortalSuspended = (connection) => {
      proceed = () => next(connection);
      feed.held();
    };
    query.on('row', (row, { fields }) => {
      if (feed.columns.length === 0) feed.columns = fields.map((field) => field.name);
      feed.add(row);
    });
    query.on('end', () => feed.ended());
    query.on('error', (error) => {
      // A portal leaves it to the client to end the exchange, which the package does only behind its last row.
      if ('severity' in error && this.isOpen) this.client.connection.sync();
      feed.failed(error);
    });
    this.client.query(query);
    return feed.batches();
  }

  private mayPrepare(name: string, text: string): boolean {
    const known = this.prepared.get(name);
    if (known === undefined) this.prepared.set(name, text);
    return known === undefined || known === text;
  }

  /** Texts of dates are read in one form only; the rest is what the driver of Java sets. */
  private async set(settings: readonly (readonly [string, string])[]): Promise<void> {
    const calls = settings.map(([name, value]) => `set_config('${name}', ${quotedText(value)}, false)`);
    for await (const _ of this.batches(`SELECT ${calls.join(', ')}`, [], null, 1));
  }
}

function sessionSettings(properties: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const schema = properties.get('currentschema');
  return [
    ['DateStyle', 'ISO'],
    ['client_encoding', 'UTF8'],
    ['TimeZone', new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone],
    ...(schema === undefined ? [] : [['search_path', schema] as const]),
    ...(properties.get('readonly') === 'true' ? [['default_transaction_read_only', 'on'] as const] : []),
  ];
}

function clientValue(value: BoundValue): string | Buffer | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value) : String(value);
}

function seconds(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  if (!Number.isFinite(value) || value < 0)
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `a timeout of [jdbc_connection_string] is no number: ${text}`,
    );
  return value * 1000;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
