import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Timestamp } from '@shoal/agent-event';
import { DoubleNumber } from '@shoal/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CollectingSink, makeInput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { type DatabaseServer, runSql } from '../../sql/database-server.test-support.ts';
import { startPostgres, whyNoPostgres } from '../../sql/postgres-server.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { jdbcInput } from './jdbc.ts';

const reason = await whyNoPostgres();

describe.skipIf(reason !== null)(
  `the jdbc input on PostgreSQL${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let server: DatabaseServer;

    beforeAll(async () => {
      server = await startPostgres();
      await runSql(server, 'CREATE TABLE numbers AS SELECT n, $$row $$ || n AS text FROM generate_series(1, 2500) n');
    }, 120_000);

    afterAll(async () => {
      await server?.end();
    });

    const database = () => ({
      jdbc_connection_string: server.url,
      jdbc_user: server.user,
      jdbc_driver_class: 'org.postgresql.Driver',
    });

    /** Runs the statement once; answers the events as it left them. */
    async function rows(statement: string, options = {}) {
      const { sink, input } = await start(jdbcInput, { ...database(), statement, ...options });
      await input.finished;
      return sink.events.map((event) =>
        Object.fromEntries([...event.fields].filter(([name]) => !name.startsWith('@'))),
      );
    }

    test('gives an event for each row, with values in their kinds', async () => {
      const [event] =
        await rows(`SELECT true AS yes, 7::int2 AS small, 9007199254740993::int8 AS big, 1.5::numeric AS half,
      2::float8 AS two, 1.1::float4 AS single, NULL AS nothing, 'text'::varchar AS "Name", '{"a": 1}'::jsonb AS json,
      '6ecd8c99-4036-403d-bf84-cf8400f67836'::uuid AS id, ARRAY[1,NULL,3] AS list, ARRAY[['a','b,"c"']] AS nested,
      '\\x41ff'::bytea AS bytes, 12345678901234567890::numeric AS whole`);
      expect(event).toEqual({
        yes: true,
        small: 7,
        big: 9007199254740993n,
        half: 1.5,
        two: new DoubleNumber(2),
        single: 1.1,
        nothing: null,
        name: 'text',
        json: '{"a": 1}',
        id: '6ecd8c99-4036-403d-bf84-cf8400f67836',
        list: [1, null, 3],
        nested: [['a', 'b,"c"']],
        bytes: 'A\u00ff',
        whole: 12345678901234567890n,
      });
    });

    test('gives times as timestamps, local ones in the zone of the database', async () => {
      const [event] = await rows(
        `SELECT '2026-07-01 12:00:00.123456'::timestamp AS local, '2026-07-01 12:00:00+00'::timestamptz AS zoned`,
        { jdbc_default_timezone: 'America/Chicago' },
      );
      expect(event).toEqual({
        local: new Timestamp(Date.UTC(2026, 6, 1, 17, 0, 0, 123), 456_000),
        zoned: new Timestamp(Date.UTC(2026, 6, 1, 12)),
      });
    });

    test('binds values, also those that look like statements', async () => {
      const evil = `'; DROP TABLE numbers; -- \\`;
      const [event] = await rows(
        'SELECT :evil AS evil, :n + 1 AS n, :half AS half, :flag AS flag, $$:n$$ AS quoted -- :n',
        {
          parameters: { evil, n: 41, half: 0.5, flag: true },
        },
      );
      expect(event).toEqual({ evil, n: 42, half: 0.5, flag: true, quoted: ':n' });
      expect((await runSql(server, 'SELECT count(*) FROM numbers')).rows).toEqual([[2500]]);
    });

    test('takes a list for IN, a value whose type nothing tells, and one behind the word of a type', async () => {
      const found = await rows(
        'SELECT n FROM numbers WHERE n IN :wanted AND (:none IS NULL OR text = :none) ORDER BY n',
        {
          parameters: { wanted: [3, 5, 2600], none: "it's" },
        },
      );
      expect(found).toEqual([]);
      expect(
        await rows('SELECT n FROM numbers WHERE n IN :wanted ORDER BY n', { parameters: { wanted: [3, 5] } }),
      ).toEqual([{ n: 3 }, { n: 5 }]);
      expect(
        await rows('SELECT (:x IS NULL) AS is, INTERVAL :time AS t', { parameters: { x: 'a', time: '1 day' } }),
      ).toEqual([{ is: false, t: '1 day' }]);
    });

    test('reads a large table in parts, and holds the database while the queue is full', async () => {
      const sink = new CollectingSink();
      let open: () => void = () => undefined;
      sink.gate = new Promise((resolve) => (open = resolve));
      const options = { ...database(), statement: 'SELECT n FROM numbers ORDER BY n', jdbc_fetch_size: 100 };
      const input = makeInput(jdbcInput, options, testContext());
      await input.start(sink);
      const sessions = "SELECT state FROM pg_stat_activity WHERE query LIKE 'SELECT n FROM numbers%'";
      while ((await runSql(server, sessions)).rows.length === 0);
      expect(sink.events).toHaveLength(0);
      open();
      await input.finished;
      expect(sink.events.map((event) => event.fields.get('n'))).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
    });

    test.each(['auto', 'explicit'])('reads it page by page (%s)', async (jdbc_paging_mode) => {
      const statement = `SELECT n FROM numbers WHERE n <= :max ORDER BY n ${jdbc_paging_mode === 'auto' ? '-- all' : 'LIMIT :size OFFSET :offset'}`;
      const options = { jdbc_paging_enabled: true, jdbc_paging_mode, jdbc_page_size: 300, parameters: { max: 1000 } };
      expect(await rows(statement, options)).toHaveLength(1000);
    });

    test('begins where the last run ended: with the number of a column, which Logstash can read', async () => {
      const path = join(await temporaryFolder(), 'last');
      writeFileSync(path, '--- 2490\n');
      const options = { use_column_value: true, tracking_column: 'n', last_run_metadata_path: path };
      const statement = 'SELECT n FROM numbers WHERE n > :sql_last_value ORDER BY n';
      expect(await rows(statement, options)).toHaveLength(10);
      expect(readFileSync(path, 'utf8')).toBe('--- 2500\n');
      expect(await rows(statement, options)).toHaveLength(0);
      expect(readFileSync(path, 'utf8')).toBe('--- 2500\n');
      expect(await rows(statement, { ...options, clean_run: true })).toHaveLength(2500);
    });

    test('keeps all digits of a decimal, and all of a time', async () => {
      const path = join(await temporaryFolder(), 'last');
      const options = { use_column_value: true, tracking_column: 'at', last_run_metadata_path: path };
      await rows('SELECT 12345678901234567890.5::numeric AS at', options);
      expect(readFileSync(path, 'utf8')).toBe("--- !ruby/object:BigDecimal '0:0.123456789012345678905e20'\n");
      expect(await rows('SELECT 12345678901234567890.5::numeric > :sql_last_value AS more', options)).toEqual([
        { more: false },
      ]);
      await rows("SELECT '2026-01-02 03:04:05.678901+00'::timestamptz AS at", {
        ...options,
        tracking_column_type: 'timestamp',
        clean_run: true,
      });
      expect(readFileSync(path, 'utf8')).toBe('--- 2026-01-02 03:04:05.678901000 Z\n');
      const later = "SELECT '2026-01-02 03:04:05.678901+00'::timestamptz > :sql_last_value AS more";
      expect(await rows(later, { ...options, tracking_column_type: 'timestamp' })).toEqual([{ more: false }]);
    });

    test('prepares a statement with its values in order', async () => {
      const path = join(await temporaryFolder(), 'last');
      writeFileSync(path, '--- 10\n');
      const found = await rows("SELECT n, '?' AS mark FROM numbers WHERE n > ? AND n < ? + ? ORDER BY n", {
        use_prepared_statements: true,
        prepared_statement_name: 'some',
        prepared_statement_bind_values: [':sql_last_value', ':sql_last_value', 4],
        use_column_value: true,
        tracking_column: 'n',
        last_run_metadata_path: path,
      });
      expect(found.map(({ n }) => n)).toEqual([11, 12, 13]);
      expect(readFileSync(path, 'utf8')).toBe('--- 13\n');
    });

    test('leaves the last value where it is when a statement fails, or the queue has not all rows', async () => {
      const path = join(await temporaryFolder(), 'last');
      writeFileSync(path, '--- 5\n');
      const options = { use_column_value: true, tracking_column: 'n', last_run_metadata_path: path };
      await rows('SELECT n FROM nowhere', options);
      expect(readFileSync(path, 'utf8')).toBe('--- 5\n');
      const sink = new CollectingSink();
      sink.gate = new Promise(() => undefined);
      const input = makeInput(
        jdbcInput,
        { ...database(), ...options, statement: 'SELECT n FROM numbers' },
        testContext(),
      );
      await input.start(sink);
      void input.stop();
      expect(readFileSync(path, 'utf8')).toBe('--- 5\n');
    });

    test('waits for the outputs where the pipeline does', async () => {
      const path = join(await temporaryFolder(), 'last');
      const options = { use_column_value: true, tracking_column: 'n', last_run_metadata_path: path };
      const sink = new CollectingSink();
      let confirm: () => void = () => undefined;
      const asked = new Promise<void>((resolve) => {
        Object.assign(sink, {
          confirmed: () => {
            resolve();
            return new Promise<void>((done) => (confirm = done));
          },
        });
      });
      const input = makeInput(
        jdbcInput,
        { ...database(), ...options, statement: 'SELECT n FROM numbers' },
        testContext(),
      );
      await input.start(sink);
      await asked;
      expect([sink.events.length, () => readFileSync(path)]).toEqual([2500, expect.any(Function)]);
      expect(() => readFileSync(path)).toThrow('ENOENT');
      confirm();
      await input.finished;
      expect(readFileSync(path, 'utf8')).toBe('--- 2500\n');
    });

    test('reads by a schedule, and goes on after a broken connection', async () => {
      const { sink } = await start(jdbcInput, { ...database(), statement: 'SELECT 1 AS n', schedule: '* * * * * *' });
      await sink.until(1);
      server.breakConnections();
      await sink.until(3);
      expect(sink.events.length).toBeGreaterThanOrEqual(3);
    });

    test('fails where nobody answers', async () => {
      const { input } = await start(jdbcInput, {
        ...database(),
        jdbc_connection_string: 'jdbc:postgresql://127.0.0.1:1/x',
        connection_retry_attempts: 2,
        connection_retry_attempts_wait_time: 0.01,
        statement: 'SELECT 1',
      });
      await expect(input.finished).rejects.toThrow('ECONNREFUSED');
    });

    test('puts the columns below the target, in their own case', async () => {
      expect(await rows('SELECT 1 AS "N"', { target: '[a][b]', lowercase_column_names: false })).toEqual([
        { a: new Map([['b', new Map([['N', 1]])]]) },
      ]);
    });
  },
);
