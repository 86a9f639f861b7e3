import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CollectingSink, makeInput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { type DatabaseServer, runSql } from '../../sql/database-server.test-support.ts';
import { startMariadb, whyNoMariadb } from '../../sql/mariadb-server.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { jdbcInput } from './jdbc.ts';

const reason = await whyNoMariadb();

describe.skipIf(reason !== null)(`the jdbc input on MariaDB${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let server: DatabaseServer;

  beforeAll(async () => {
    server = await startMariadb();
    await runSql(
      server,
      'CREATE TABLE numbers (n INT, text VARCHAR(20))',
      "INSERT INTO numbers SELECT seq, CONCAT('row ', seq) FROM seq_1_to_2500",
      `CREATE TABLE kinds (yes TINYINT(1), small TINYINT, big BIGINT UNSIGNED, half DECIMAL(6,2), two DOUBLE, single FLOAT,
        nothing INT, name VARCHAR(9), json JSON, bytes BLOB, bit1 BIT(1), bits BIT(12), day DATE, at DATETIME(6), hour TIME, yr YEAR)`,
      `INSERT INTO kinds VALUES (1, -3, 18446744073709551615, 1.50, 2, 1.1, NULL, 'é', '{"a": 1}', x'41ff', b'1', b'100000000001',
        '2026-07-01', '2026-07-01 12:00:00.123456', '26:00:00', 2026)`,
    );
  }, 120_000);

  afterAll(async () => {
    await server?.end();
  });

  const database = (properties = '') => ({
    jdbc_connection_string: `${server.url}${properties}`,
    jdbc_user: server.user,
    jdbc_password: server.password,
    jdbc_driver_class: 'com.mysql.cj.jdbc.Driver',
    jdbc_driver_library: '/usr/share/java/mysql.jar',
  });

  /** Runs the statement once; answers the events as it left them. */
  async function rows(statement: string, options: Record<string, unknown> = {}, properties = '') {
    const { sink, input } = await start(jdbcInput, { ...database(properties), statement, ...options } as never);
    await input.finished;
    return sink.events.map((event) => Object.fromEntries([...event.fields].filter(([name]) => !name.startsWith('@'))));
  }

  test('gives an event for each row, with values in their kinds', async () => {
    const [event] = await rows('SELECT * FROM kinds', { jdbc_default_timezone: 'Europe/Oslo' });
    expect(event).toMatchObject({
      yes: true,
      small: -3,
      big: 18446744073709551615n,
      half: 1.5,
      two: new DoubleNumber(2),
      single: 1.1,
      nothing: null,
      name: 'é',
      json: '{"a": 1}',
      bytes: 'A\u00ff',
      bit1: true,
      bits: '\u0008\u0001',
      at: new Timestamp(Date.UTC(2026, 6, 1, 10, 0, 0, 123), 456_000),
      hour: '26:00:00',
    });
    expect(event?.day).toBeInstanceOf(Timestamp);
    const [plain] = await rows('SELECT yes, yr FROM kinds', {}, '?tinyInt1isBit=false&yearIsDateType=false');
    expect(plain).toEqual({ yes: 1, yr: 2026 });
  });

  test('refuses a date that is none, unless the connection string says what it is', async () => {
    const zero = "SELECT CAST('0000-00-00' AS DATE) AS day";
    expect(await rows(zero)).toEqual([]);
    expect(await rows(zero, {}, '?zeroDateTimeBehavior=convertToNull')).toEqual([{ day: null }]);
  });

  test('binds values, also those that look like statements', async () => {
    const evil = `'; DROP TABLE numbers; -- \\' "`;
    const parameters = { evil, n: 41, half: 0.5, flag: true };
    const [event] = await rows(
      "SELECT :evil AS evil, :n + 1 AS n, :half AS half, :flag AS flag, '\\':n' AS quoted # :n",
      { parameters },
    );
    expect(event).toEqual({ evil, n: 42, half: 0.5, flag: 1, quoted: "':n" });
    expect((await runSql(server, 'SELECT count(*) FROM numbers')).rows).toEqual([[2500]]);
  });

  test('reads a large table in parts, and no faster than the queue takes it', async () => {
    const sink = new CollectingSink();
    let open: () => void = () => undefined;
    sink.gate = new Promise((resolve) => (open = resolve));
    const options = { ...database(), statement: 'SELECT n FROM numbers ORDER BY n', jdbc_fetch_size: 100 };
    const input = makeInput(jdbcInput, options, testContext());
    await input.start(sink);
    await runSql(server, 'SELECT 1');
    expect(sink.events).toHaveLength(0);
    open();
    await input.finished;
    expect(sink.events.map((event) => event.fields.get('n'))).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
  });

  test.each(['auto', 'explicit'])('reads it page by page (%s)', async (jdbc_paging_mode) => {
    const statement = `SELECT n FROM numbers WHERE n <= :max ORDER BY n ${jdbc_paging_mode === 'auto' ? '# all' : 'LIMIT :size OFFSET :offset'}`;
    const options = { jdbc_paging_enabled: true, jdbc_paging_mode, jdbc_page_size: 300, parameters: { max: 1000 } };
    expect(await rows(statement, options)).toHaveLength(1000);
  });

  test('begins where the last run ended', async () => {
    const path = join(await temporaryFolder(), 'last');
    const options = { use_column_value: true, tracking_column: 'n', last_run_metadata_path: path };
    const statement = 'SELECT n FROM numbers WHERE n > :sql_last_value ORDER BY n';
    expect(await rows(statement, options)).toHaveLength(2500);
    expect(readFileSync(path, 'utf8')).toBe('--- 2500\n');
    expect(await rows(statement, options)).toHaveLength(0);
    const prepared = {
      ...options,
      use_prepared_statements: true,
      prepared_statement_name: 'some',
      prepared_statement_bind_values: [2498, ':sql_last_value'],
    };
    expect(await rows('SELECT n FROM numbers WHERE n > ? AND n <= ?', prepared)).toHaveLength(2);
  });

  test('reads what a procedure gives', async () => {
    await runSql(server, 'CREATE OR REPLACE PROCEDURE some(IN top INT) SELECT n FROM numbers WHERE n <= top');
    expect(await rows('CALL some(:top)', { parameters: { top: 3 } })).toHaveLength(3);
  });

  test('reads by a schedule, and goes on after a broken connection', async () => {
    const { sink } = await start(jdbcInput, { ...database(), statement: 'SELECT 1 AS n', schedule: '* * * * * *' });
    await sink.until(1);
    server.breakConnections();
    await sink.until(3);
    expect(sink.events.length).toBeGreaterThanOrEqual(3);
  });

  test('fails with a wrong password', async () => {
    const { input } = await start(jdbcInput, { ...database(), jdbc_password: 'wrong', statement: 'SELECT 1' });
    await expect(input.finished).rejects.toThrow('Access denied');
  });
});
