import { describe, expect, test } from 'vitest';
import { testContext } from '../plugin-instance.test-support.ts';
import { checkDriver } from './jdbc-driver.ts';
import { parseJdbcUrl } from './jdbc-url.ts';

describe('a connection string', () => {
  test.each([
    ['jdbc:postgresql://db:5433/app', 'postgresql', [{ host: 'db', port: 5433 }], 'app'],
    ['jdbc:postgresql:app', 'postgresql', [{ host: 'localhost', port: 5432 }], 'app'],
    ['jdbc:postgresql://[::1]:1/a%20b', 'postgresql', [{ host: '::1', port: 1 }], 'a b'],
    [
      'jdbc:postgresql://a:1,b/app',
      'postgresql',
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 5432 },
      ],
      'app',
    ],
    ['jdbc:mysql://db/app', 'mysql', [{ host: 'db', port: 3306 }], 'app'],
    ['jdbc:mariadb://db:3307', 'mysql', [{ host: 'db', port: 3307 }], ''],
    ['jdbc:sqlite:/var/x.db', 'sqlite', [], '/var/x.db'],
    ['jdbc:sqlite::memory:', 'sqlite', [], ':memory:'],
    ['jdbc:sqlite:file:x.db', 'sqlite', [], 'x.db'],
  ])('%s', (text, kind, hosts, database) => {
    expect(parseJdbcUrl(text)).toMatchObject({ kind, hosts, database });
  });

  test('has properties, a user among them', () => {
    const { properties } = parseJdbcUrl(
      'jdbc:mysql://u:p%40@h/d?useSSL=false&serverTimezone=Europe%2FOslo&cachePrepStmts=true',
    );
    expect(Object.fromEntries(properties)).toEqual({
      user: 'u',
      password: 'p@',
      usessl: 'false',
      servertimezone: 'Europe/Oslo',
    });
  });

  test.each([
    ['jdbc:oracle:thin:@h:1521:x', 'names a database [oracle]'],
    ['postgresql://h/d', 'begins with [jdbc:]'],
    ['jdbc:postgresql://h/d?targetServerType=primary', 'a property [targetServerType]'],
    ['jdbc:mysql://h:99999/d', 'no readable host'],
    ['jdbc:mysql:loadbalance://h/d', 'names no host'],
    ['jdbc:sqlite:x?journal_mode=WAL', 'a property [journal_mode]'],
    ['jdbc:mysql://h/%zz', 'not percent-encoded'],
  ])('that cannot be followed is refused: %s', (text, reason) => {
    expect(() => parseJdbcUrl(text)).toThrow(reason);
  });
});

describe('a driver class', () => {
  const check = (driverClass: string | null, url: string): void =>
    checkDriver({ driverClass, library: '/x.jar' }, parseJdbcUrl(url), testContext());

  test.each([
    ['org.postgresql.Driver', 'jdbc:postgresql:x'],
    ['Java::org.postgresql.Driver', 'jdbc:postgresql:x'],
    ['com.mysql.cj.jdbc.Driver', 'jdbc:mysql://h/x'],
    ['org.mariadb.jdbc.Driver', 'jdbc:mysql://h/x'],
    ['org.sqlite.JDBC', 'jdbc:sqlite:x'],
    [null, 'jdbc:sqlite:x'],
  ])('%s of %s is not needed', (driverClass, url) => {
    expect(() => check(driverClass, url)).not.toThrow();
  });

  test('of another database is refused by name', () => {
    expect(() => check('Java::oracle.jdbc.driver.OracleDriver', 'jdbc:postgresql:x')).toThrow(
      'oracle.jdbc.driver.OracleDriver',
    );
    expect(() => check('org.postgresql.Driver', 'jdbc:mysql://h/x')).toThrow('does not fit');
  });
});
