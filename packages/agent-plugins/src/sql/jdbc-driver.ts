/**
 * Driver classes of JDBC: a configuration names one, and here it only tells whether the database can be used at all.
 */
import { optionError, type PluginContext } from '@shoal/agent-plugin-kit';
import type { DatabaseAddress, DatabaseKind } from './jdbc-url.ts';

const KINDS: ReadonlyMap<string, DatabaseKind> = new Map([
  ['org.postgresql.driver', 'postgresql'],
  ['com.mysql.jdbc.driver', 'mysql'],
  ['com.mysql.cj.jdbc.driver', 'mysql'],
  ['org.mariadb.jdbc.driver', 'mysql'],
  ['org.sqlite.jdbc', 'sqlite'],
]);

export interface NamedDriver {
  /** null when the configuration names none: the connection string says enough. */
  readonly driverClass: string | null;
  readonly library: string | null;
}

/** @throws ShoalError for a class that is none of the known drivers, or of another database than the connection string */
export function checkDriver(driver: NamedDriver, address: DatabaseAddress, context: PluginContext): void {
  const { driverClass, library } = driver;
  if (driverClass !== null) {
    const kind = KINDS.get(
      driverClass
        .trim()
        .replace(/^Java::/, '')
        .toLowerCase(),
    );
    if (kind === undefined)
      throw optionError(
        `[jdbc_driver_class] ${driverClass} cannot be loaded: drivers of Java do not run here. PostgreSQL, MySQL, MariaDB and ` +
          'SQLite are spoken without one; for others use a plugin of your own (--path.plugins)',
      );
    if (kind !== address.kind)
      throw optionError(
        `[jdbc_driver_class] ${driverClass} does not fit a [jdbc_connection_string] of ${address.kind}`,
      );
  }
  if (library !== null && library !== '')
    context.runtime.log.info('no driver library is loaded: the database is spoken without one', {
      pipeline: context.pipelineId,
      plugin: context.pluginId,
      jdbc_driver_library: library,
    });
}
