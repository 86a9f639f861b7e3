import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventOf, makeFilter } from '../../../../agent-config/src/options/plugin-fixture.test-support.ts';
import { temporaryFolder } from '../../plugin-instance.test-support.ts';
import { type DatabasePlace, type DatabaseServer, runSql } from '../../sql/database-server.test-support.ts';
import { startPostgres, whyNoPostgres } from '../../sql/postgres-server.test-support.ts';
import { whyNoSqlite, writeSqlite } from '../../sql/sqlite-file.test-support.ts';
import { plain } from '../filter-outcome.test-support.ts';
import { derbySql, derbyType } from './derby-sql.ts';
import { jdbcStaticFilter } from './jdbc-static.ts';

type Fields = Record<string, unknown>;

const REMOTE = [
  'CREATE TABLE reference (ip VARCHAR(20), name VARCHAR(30), entered TIMESTAMP, cost NUMERIC(8,2))',
  "INSERT INTO reference VALUES ('10.2.1.1', 'nyc', '2003-02-01 01:02:03', 1.50), ('10.3.1.1', 'mv-serv''r', '2003-02-01 01:02:03', 2.25)",
];
const TABLES = [
  {
    name: 'servers',
    index_columns: ['ip'],
    columns: [
      ['ip', 'varchar(64)'],
      ['name', 'varchar(64)'],
    ],
  },
];
const LOADERS = [{ id: 'one', query: 'SELECT ip, name FROM reference', local_table: 'servers' }];
const LOOKUPS = [
  { query: 'SELECT * FROM servers WHERE ip LIKE :ip', parameters: { ip: '%%{[ip]}' }, target: 'server' },
];
const OPTIONS = { loaders: LOADERS, local_db_objects: TABLES, local_lookups: LOOKUPS };

/** A filter with tables from a database, and what it makes of events. */
async function started(place: DatabasePlace, options: Fields = {}) {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log });
  const database = { jdbc_connection_string: place.url, jdbc_user: place.user, jdbc_password: place.password };
  const made = makeFilter(jdbcStaticFilter, { ...database, ...OPTIONS, ...options } as never, { runtime });
  onTestFinished(async () => made.filter.stop?.());
  await made.filter.start?.();
  const look = async (fields: Fields): Promise<Fields> => {
    const event = eventOf(fields as never);
    const { outcome } = await made.run(event);
    return { outcome, ...plain(event) };
  };
  return { look, log };
}

describe('SQL of the local database', () => {
  test('has the limits of Derby', () => {
    expect(derbySql('SELECT a FROM t FETCH FIRST 3 ROWS ONLY;')).toBe('SELECT a FROM t LIMIT 3');
    expect(derbySql('SELECT a FROM t OFFSET 2 ROWS FETCH NEXT ROW ONLY')).toBe('SELECT a FROM t  LIMIT 1 OFFSET 2');
    expect(derbySql("SELECT 'FETCH FIRST' FROM t WHERE a = :a AND b = ?")).toBe(
      "SELECT 'FETCH FIRST' FROM t WHERE a = :a AND b = ?",
    );
  });

  test.each(['varchar(15)', 'INTEGER', 'decimal(10, 2)', 'LONG VARCHAR', 'timestamp'])('has the type %s', (type) => {
    expect(derbyType(type)).toBe(type);
  });

  test.each(['varchar(15); DROP TABLE x', 'nothing', 'int) --', ''])('has no type %j', (type) => {
    expect(() => derbyType(type)).toThrow('is not known');
  });
});

function lookups(place: () => DatabasePlace): void {
  test('puts the rows of a local table into the target', async () => {
    const { look } = await started(place());
    expect(await look({ ip: '.3.1.1' })).toEqual({
      outcome: 'matched',
      ip: '.3.1.1',
      server: [{ ip: '10.3.1.1', name: "mv-serv'r" }],
    });
    expect(await look({ ip: "' OR ''='" })).toEqual({ outcome: 'matched', ip: "' OR ''='", server: [] });
  });

  test('takes values in order, and gives times and numbers in their kinds', async () => {
    const { look } = await started(place(), {
      loaders: [{ query: 'SELECT name, entered, cost FROM reference', local_table: 'costs' }],
      local_db_objects: [
        {
          name: 'costs',
          columns: [
            ['name', 'varchar(64)'],
            ['entered', 'timestamp'],
            ['cost', 'decimal(8,2)'],
          ],
        },
      ],
      local_lookups: [
        {
          query: 'SELECT cost AS "Price", entered FROM costs WHERE name = ? AND cost > ?',
          prepared_parameters: ['[n]', 'least'],
        },
      ],
    });
    const { 'lookup-1': found } = await look({ n: 'nyc', least: 1 });
    expect(found).toEqual([{ price: 1.5, entered: new Date(2003, 1, 1, 1, 2, 3).toISOString() }]);
  });
}

const noSqlite = await whyNoSqlite();

describe.skipIf(noSqlite !== null)(`jdbc_static on SQLite${noSqlite === null ? '' : ` (skipped: ${noSqlite})`}`, () => {
  let path = '';
  const place = (): DatabasePlace => ({ url: `jdbc:sqlite:${path}`, user: '', password: '' });

  beforeAll(async () => {
    path = join(await temporaryFolder(), 'remote.db');
    await writeSqlite(path, ...REMOTE);
  });

  lookups(place);

  test('compares as it is written', async () => {
    const lookup = {
      query: 'SELECT ip FROM servers WHERE name LIKE :name',
      parameters: { name: 'name' },
      target: 'server',
    };
    const { look } = await started(place(), { local_lookups: [lookup] });
    expect((await look({ name: 'NYC' })).server).toEqual([]);
    expect((await look({ name: 'n%' })).server).toEqual([{ ip: '10.2.1.1' }]);
  });

  test('uses the default where there is no row', async () => {
    const { look } = await started(place(), { local_lookups: [{ ...LOOKUPS[0], default_hash: { name: 'unknown' } }] });
    expect(await look({ ip: 'x' })).toEqual({
      outcome: 'matched',
      ip: 'x',
      server: [{ name: 'unknown' }],
      tags: ['_jdbcstaticdefaultsused'],
    });
  });

  test('tags an event that lacks a value, or whose query fails, and makes the other lookups', async () => {
    const { look } = await started(place(), {
      local_lookups: [
        { id: 'bad', query: 'SELECT nothing FROM servers', tag_on_failure: ['_bad'] },
        ...LOOKUPS,
        { id: 'list', query: 'SELECT 1 FROM servers WHERE ip = :ip', parameters: { ip: 'list' } },
      ],
    });
    expect(await look({ ip: '.2.1.1', list: [1] })).toEqual({
      outcome: 'unmatched',
      ip: '.2.1.1',
      list: [1],
      server: [{ ip: '10.2.1.1', name: 'nyc' }],
      tags: ['_bad', '_jdbcstaticfailure'],
    });
    expect((await look({})).tags).toEqual(['_bad', '_jdbcstaticfailure']);
  });

  test('leaves a table empty when there are more rows than it may have', async () => {
    const { look, log } = await started(place(), { loaders: [{ ...LOADERS[0], max_rows: 1 }] });
    expect((await look({ ip: '.2.1.1' })).server).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toContain(
      'a loader found more than [max_rows]: its table stays as it is',
    );
  });

  test('loads again by its schedule', async () => {
    const { look } = await started(place(), { loader_schedule: '* * * * * *' });
    expect((await look({ ip: '.9.9.9' })).server).toEqual([]);
    await writeSqlite(path, "INSERT INTO reference VALUES ('10.9.9.9', 'new', NULL, NULL)");
    let found: unknown = [];
    while (JSON.stringify(found) === '[]') {
      await new Promise((resolve) => setImmediate(resolve));
      found = (await look({ ip: '.9.9.9' })).server;
    }
    expect(found).toEqual([{ ip: '10.9.9.9', name: 'new' }]);
  });

  test.each([
    [{ loaders: [{ query: 'SELECT 1', local_table: 'other' }] }, 'fills [other]'],
    [{ loaders: [{ local_table: 'servers' }] }, 'needs a [query]'],
    [{ loaders: [{ ...LOADERS[0], table: 'x' }] }, 'a setting [table] that is not known'],
    [{ local_db_objects: [{ name: 'servers', columns: [['ip']] }] }, 'pairs of a name and a type'],
    [
      { local_db_objects: [{ name: 'servers', columns: [['ip', 'int']], index_columns: ['x'] }] },
      'none of its columns',
    ],
    [{ local_lookups: [LOOKUPS[0], { ...LOOKUPS[0], id: 'x' }] }, 'the same target [server]'],
    [{ local_lookups: [{ ...LOOKUPS[0], prepared_parameters: ['a'] }] }, 'not both'],
    [{ local_lookups: [{ query: 'SELECT ?', prepared_parameters: ['a', 'b'] }] }, '2 [prepared_parameters]'],
    [{ loader_schedule: 'soon' }, 'no cron line'],
    [{ loaders: [{ ...LOADERS[0], query: 'SELECT ip FROM reference' }] }, 'gives 1 columns'],
    [{ loaders: [{ ...LOADERS[0], query: 'SELECT ip FROM nowhere' }] }, 'nowhere'],
  ])('%j is refused', async (options, message) => {
    await expect(started(place(), options)).rejects.toThrow(message);
  });
});

const noPostgres = (await whyNoPostgres()) ?? noSqlite;

describe.skipIf(noPostgres !== null)(
  `jdbc_static on PostgreSQL${noPostgres === null ? '' : ` (skipped: ${noPostgres})`}`,
  () => {
    let server: DatabaseServer;
    beforeAll(async () => {
      server = await startPostgres();
      await runSql(server, ...REMOTE);
    }, 120_000);
    afterAll(() => server?.end());
    lookups(() => server);
  },
);
