import { join } from 'node:path';
import { parseTimestamp } from '@shoal/agent-event';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { type DatabasePlace, type DatabaseServer, runSql } from '../../sql/database-server.test-support.ts';
import { startMariadb, whyNoMariadb } from '../../sql/mariadb-server.test-support.ts';
import { startPostgres, whyNoPostgres } from '../../sql/postgres-server.test-support.ts';
import { whyNoSqlite, writeSqlite } from '../../sql/sqlite-file.test-support.ts';
import { plain } from '../filter-outcome.test-support.ts';
import { jdbcStreamingFilter } from './jdbc-streaming.ts';

type Fields = Record<string, unknown>;

const TABLE = [
  'CREATE TABLE servers (ip VARCHAR(20), name VARCHAR(30), code INTEGER)',
  "INSERT INTO servers VALUES ('10.1.1.1', 'one', 3), ('10.4.1.1', 'four', 1), ('10.4.1.1', 'mtl''s', 2)",
];
const LOOKUP = {
  statement: 'SELECT name, code FROM servers WHERE ip = :ip ORDER BY code',
  parameters: { ip: 'ip' },
  target: 'server',
};

/** A filter on a database, and what it makes of events. */
async function started(place: DatabasePlace, options: Fields) {
  const log = createRecordingLog();
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, wallMs: () => 1_767_323_045_000 + nowMs };
  const runtime = { ...createNodeRuntime({ log }), clock };
  const database = { jdbc_connection_string: place.url, jdbc_user: place.user, jdbc_password: place.password };
  const made = makeFilter(jdbcStreamingFilter, { ...database, ...options } as never, { runtime });
  await made.filter.start?.();
  onTestFinished(async () => made.filter.stop?.());
  const look = async (fields: Fields): Promise<Fields> => {
    const event = eventOf(fields as never);
    await made.run(event);
    return plain(event);
  };
  return { look, log, pass: (ms: number) => (nowMs += ms) };
}

function lookups(place: () => DatabasePlace): void {
  test('puts the rows into the target, with values of the event in the statement', async () => {
    const { look } = await started(place(), LOOKUP);
    expect(await look({ ip: '10.1.1.1' })).toEqual({ ip: '10.1.1.1', server: [{ name: 'one', code: 3 }] });
    expect((await look({ ip: '10.4.1.1' })).server).toEqual([
      { name: 'four', code: 1 },
      { name: "mtl's", code: 2 },
    ]);
    expect((await look({ ip: "' OR '1' = '1" })).server).toEqual([{}]);
  });

  test('takes fields in a text, and a list for IN', async () => {
    const { look } = await started(place(), {
      ...LOOKUP,
      statement: 'SELECT name FROM servers WHERE ip LIKE :ip AND code IN :codes ORDER BY code',
      parameters: { ip: '%{[net]}.%', codes: '[codes]' },
    });
    expect((await look({ net: '10.4', codes: [2, 3] })).server).toEqual([{ name: "mtl's" }]);
  });

  test('prepares a statement: fields, constants', async () => {
    const { look, log } = await started(place(), {
      statement: 'SELECT name FROM servers WHERE ip = ? AND code = ? AND ? <> ?',
      use_prepared_statements: true,
      prepared_statement_name: 'one_server',
      prepared_statement_bind_values: ['[ip]', 2, 'a', '%{ip}'],
      target: '[a][b]',
    });
    expect((await look({ ip: '10.4.1.1' })).a).toEqual({ b: [{ name: "mtl's" }] });
    expect((await look({ ip: '10.1.1.1' })).a).toEqual({ b: [{}] });
    expect(log.lines.map(({ fields }) => fields.constants)).toContain('a');
  });

  test('goes on after an error', async () => {
    const { look } = await started(place(), {
      ...LOOKUP,
      statement: 'SELECT name, 1 / :ip AS x FROM nowhere',
      use_cache: false,
    });
    const failed = { tags: ['_jdbcstreamingfailure', '_jdbcstreamingdefaultsused'], server: [{}] };
    expect(await look({})).toEqual(failed);
    expect(await look({})).toEqual(failed);
  });
}

const noSqlite = await whyNoSqlite();

describe.skipIf(noSqlite !== null)(
  `jdbc_streaming on SQLite${noSqlite === null ? '' : ` (skipped: ${noSqlite})`}`,
  () => {
    let path = '';
    const place = (): DatabasePlace => ({ url: `jdbc:sqlite:${path}`, user: '', password: '' });

    beforeAll(async () => {
      path = join(await temporaryFolder(), 'test.db');
      await writeSqlite(path, ...TABLE, 'CREATE TABLE seen (n INTEGER)', 'INSERT INTO seen VALUES (1)');
    });

    lookups(place);

    test('uses the default where there is no row, and says so', async () => {
      const options = {
        ...LOOKUP,
        default_hash: { name: 'unknown' },
        tag_on_default_use: ['default'],
        tag_on_failure: ['failed'],
      };
      const { look } = await started(place(), options);
      expect(await look({ ip: '1' })).toEqual({ ip: '1', server: [{ name: 'unknown' }], tags: ['default'] });
    });

    test('remembers answers for a time, and gives each event its own', async () => {
      const options = {
        statement: 'SELECT n FROM seen WHERE :key = :key',
        parameters: { key: 'key' },
        target: 'found',
      };
      const { look, pass } = await started(place(), { ...options, cache_expiration: 3, cache_size: 2 });
      const direct = await started(place(), { ...options, use_cache: false });
      expect((await look({ key: 'a' })).found).toEqual([{ n: 1 }]);
      await writeSqlite(path, 'UPDATE seen SET n = n + 1');
      expect((await direct.look({ key: 'a' })).found).toEqual([{ n: 2 }]);
      expect((await look({ key: 'a' })).found).toEqual([{ n: 1 }]);
      expect((await look({ key: 1 })).found).toEqual([{ n: 2 }]);
      expect((await look({ key: '1' })).found).toEqual([{ n: 2 }]);
      expect((await look({ key: 'a' })).found).toEqual([{ n: 2 }]);
      await writeSqlite(path, 'UPDATE seen SET n = n + 1');
      pass(3_000);
      expect((await look({ key: 'a' })).found).toEqual([{ n: 3 }]);
    });

    test('takes a time as a value', async () => {
      const { look } = await started(place(), {
        statement: "SELECT '2026-01-02 03:04:05.500000' = :at AS same",
        parameters: { at: '@timestamp' },
        target: 'found',
      });
      const at = parseTimestamp('2026-01-02T03:04:05.500Z');
      expect((await look({ '@timestamp': at })).found).toEqual([{ same: 1 }]);
    });

    test.each([
      [{ use_prepared_statements: true }, 'needs a [prepared_statement_name]'],
      [
        { use_prepared_statements: true, prepared_statement_name: 'a', prepared_statement_bind_values: [1] },
        '1 values',
      ],
      [{ cache_size: 0 }, '[cache_size] must be at least 1'],
      [{ jdbc_driver_class: 'com.ibm.db2.jcc.DB2Driver' }, 'com.ibm.db2.jcc.DB2Driver cannot be loaded'],
      [{ jdbc_connection_string: 'jdbc:sqlite:/nowhere.db' }, 'is missing'],
    ])('%j are refused', async (options, message) => {
      await expect(started(place(), { ...LOOKUP, ...options })).rejects.toThrow(message);
    });
  },
);

const noPostgres = await whyNoPostgres();

describe.skipIf(noPostgres !== null)(
  `jdbc_streaming on PostgreSQL${noPostgres === null ? '' : ` (skipped: ${noPostgres})`}`,
  () => {
    let server: DatabaseServer;
    beforeAll(async () => {
      server = await startPostgres();
      await runSql(server, ...TABLE);
    }, 120_000);
    afterAll(() => server?.end());
    lookups(() => server);

    test('connects again when the connection was lost', async () => {
      const { look } = await started(server, { ...LOOKUP, use_cache: false });
      expect((await look({ ip: '10.1.1.1' })).tags).toBeUndefined();
      server.breakConnections();
      // One lookup may meet the connection before its end is known.
      await look({ ip: '10.1.1.1' });
      expect((await look({ ip: '10.1.1.1' })).server).toEqual([{ name: 'one', code: 3 }]);
    });
  },
);

const noMariadb = await whyNoMariadb();

describe.skipIf(noMariadb !== null)(
  `jdbc_streaming on MariaDB${noMariadb === null ? '' : ` (skipped: ${noMariadb})`}`,
  () => {
    let server: DatabaseServer;
    beforeAll(async () => {
      server = await startMariadb();
      await runSql(server, ...TABLE);
    }, 120_000);
    afterAll(() => server?.end());
    lookups(() => server);
  },
);
