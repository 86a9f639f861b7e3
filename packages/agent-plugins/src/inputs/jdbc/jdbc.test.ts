import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Timestamp } from '@shoal/agent-event';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { makeInput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { whyNoSqlite, writeSqlite } from '../../sql/sqlite-file.test-support.ts';
import { start } from '../input-under-test.test-support.ts';
import { jdbcInput } from './jdbc.ts';

const reason = await whyNoSqlite();

describe('options of the jdbc input', () => {
  const refuse = (options: Record<string, unknown>): void =>
    void makeInput(jdbcInput, { jdbc_connection_string: 'jdbc:sqlite:x', ...options } as never, testContext());

  test.each([
    [{}, 'either [statement] or [statement_filepath]'],
    [{ statement: 'SELECT 1', statement_filepath: '/dev/null' }, 'either [statement] or [statement_filepath]'],
    [{ statement: 'SELECT 1', use_column_value: true }, 'needs a [tracking_column]'],
    [{ statement: 'SELECT 1', jdbc_page_size: 0 }, '[jdbc_page_size] is no size'],
    [{ statement: 'SELECT 1', schedule: 'soon' }, 'no cron line'],
    [{ statement: 'SELECT 1', sequel_opts: { ssl: 'true' } }, 'an option [ssl] that is not supported'],
    [{ statement: 'SELECT 1', charset: 'nothing' }, 'the charset [nothing] is not known'],
  ])('%j are refused', (options, message) => {
    expect(() => refuse(options)).toThrow(message);
  });

  test.each([
    [{ use_prepared_statements: true }, 'needs a [prepared_statement_name]'],
    [{ use_prepared_statements: true, prepared_statement_name: 'a', prepared_statement_bind_values: [1] }, '1 values'],
    [
      { use_prepared_statements: true, prepared_statement_name: 'a', jdbc_paging_enabled: true },
      '[jdbc_paging_enabled] cannot be used',
    ],
    [{ jdbc_driver_class: 'oracle.jdbc.OracleDriver' }, 'oracle.jdbc.OracleDriver cannot be loaded'],
    [{ jdbc_connection_string: 'jdbc:sqlserver://h' }, 'a database [sqlserver]'],
    [{ jdbc_default_timezone: 'Nowhere' }, 'no such time zone [Nowhere]'],
    [{ jdbc_default_timezone: 'Europe/Oslo[x:y]' }, 'an extension that is not known'],
    [{ last_run_metadata_path: '/' }, 'is a directory'],
    [{ jdbc_password_filepath: '/nowhere/at/all' }, '[jdbc_password_filepath] cannot be read'],
  ])('%j are refused at the start', async (options, message) => {
    const literal = { jdbc_connection_string: 'jdbc:sqlite:x', statement: 'SELECT 1', ...options };
    await expect(start(jdbcInput, literal as never)).rejects.toThrow(message);
  });
});

describe.skipIf(reason !== null)(`the jdbc input on SQLite${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  async function file(...statements: readonly string[]): Promise<string> {
    const path = join(await temporaryFolder(), 'test.db');
    await writeSqlite(path, ...statements);
    return path;
  }

  /** Runs the statement once; answers the events as it left them. */
  async function rows(path: string, statement: string, options: Record<string, unknown> = {}) {
    const log = createRecordingLog();
    const literal = { jdbc_connection_string: `jdbc:sqlite:${path}`, statement, ...options };
    const { sink, input } = await start(jdbcInput, literal as never, { runtime: createNodeRuntime({ log }) });
    await input.finished;
    const events = sink.events.map((event) =>
      Object.fromEntries([...event.fields].filter(([name]) => !name.startsWith('@'))),
    );
    return { events, log };
  }

  test('gives values in their kinds', async () => {
    const path = await file(
      'CREATE TABLE t (id INTEGER, big INTEGER, half REAL, text TEXT, bytes BLOB, yes BOOLEAN, at TIMESTAMP, gone TEXT)',
      "INSERT INTO t VALUES (1, 9007199254740993, 1.5, 'é', x'41ff', 1, '2026-01-02 03:04:05.123456', NULL)",
    );
    const { events } = await rows(path, 'SELECT * FROM t WHERE id = :id', {
      parameters: { id: 1 },
      jdbc_default_timezone: 'UTC',
    });
    expect(events).toEqual([
      {
        id: 1,
        big: 9007199254740993n,
        half: 1.5,
        text: 'é',
        bytes: 'A\u00ff',
        yes: true,
        at: new Timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 123), 456_000),
        gone: null,
      },
    ]);
  });

  test('goes on behind the last value, sees new rows, and says which statement it ran', async () => {
    const path = await file('CREATE TABLE t (n INTEGER)', 'INSERT INTO t VALUES (1), (2)');
    const last = join(await temporaryFolder(), 'last');
    const options = { use_column_value: true, tracking_column: 'n', last_run_metadata_path: last };
    const statement = 'SELECT n FROM t WHERE n > :sql_last_value ORDER BY n';
    expect((await rows(path, statement, options)).events).toEqual([{ n: 1 }, { n: 2 }]);
    await writeSqlite(path, 'INSERT INTO t VALUES (3)');
    const { events, log } = await rows(path, statement, options);
    expect(events).toEqual([{ n: 3 }]);
    expect(readFileSync(last, 'utf8')).toBe('--- 3\n');
    expect(log.lines.map(({ level, message, fields }) => [level, message, fields.statement])).toContainEqual([
      'info',
      'executed a statement',
      statement,
    ]);
  });

  test('a column that is not there is said once, and moves nothing', async () => {
    const path = await file('CREATE TABLE t (n INTEGER)', 'INSERT INTO t VALUES (1), (2)');
    const last = join(await temporaryFolder(), 'last');
    writeFileSync(last, '--- 20\n');
    const options = {
      use_column_value: true,
      tracking_column: 'other',
      last_run_metadata_path: last,
      jdbc_fetch_size: 1,
    };
    const { events, log } = await rows(path, 'SELECT n FROM t', options);
    expect(events).toHaveLength(2);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(readFileSync(last, 'utf8')).toBe('--- 20\n');
  });

  test('keeps the time of the run without a column, and nothing when nothing is to be kept', async () => {
    const path = await file('CREATE TABLE t (n INTEGER)');
    const last = join(await temporaryFolder(), 'last');
    await rows(path, 'SELECT n FROM t', { last_run_metadata_path: last });
    expect(readFileSync(last, 'utf8')).toMatch(/^--- \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{9} Z\n$/);
    await rows(path, 'SELECT n FROM t', { last_run_metadata_path: last, jdbc_default_timezone: 'UTC' });
    expect(readFileSync(last, 'utf8')).toMatch(/^--- !ruby\/object:DateTime '/);
    const other = `${last}-other`;
    await rows(path, 'SELECT n FROM t', { last_run_metadata_path: other, record_last_run: false });
    expect(() => readFileSync(other)).toThrow('ENOENT');
  });

  test('reads its statement from a file, and texts in another character set', async () => {
    const path = await file('CREATE TABLE t (a BLOB, b TEXT)', "INSERT INTO t VALUES (x'e9', 'Ã©')");
    const statement = join(await temporaryFolder(), 'statement.sql');
    writeFileSync(statement, 'SELECT a, b FROM t');
    const { sink, input } = await start(jdbcInput, {
      jdbc_connection_string: `jdbc:sqlite:${path}`,
      statement_filepath: statement,
      columns_charset: { a: 'ISO-8859-1' },
    });
    await input.finished;
    expect(sink.events.map((event) => [event.fields.get('a'), event.fields.get('b')])).toEqual([['é', 'Ã©']]);
  });

  test('a name without a value fails the statement instead of being null', async () => {
    const path = await file('CREATE TABLE t (n INTEGER)', 'INSERT INTO t VALUES (1)');
    const { events, log } = await rows(path, 'SELECT n FROM t WHERE n = :other OR 1 = 1');
    expect(events).toEqual([]);
    expect(log.lines.map(({ fields }) => String(fields.error))).toContainEqual(expect.stringContaining('[other]'));
  });

  test('a file that is not there fails the input', async () => {
    await expect(rows('/nowhere/at/all.db', 'SELECT 1')).rejects.toThrow('is missing');
  });
});
