/**
 * All that is needed to open a connection to a database.
 */
import type { DatabaseAddress } from './jdbc-url.ts';
import type { SqlTimes } from './sql-times.ts';

export interface DatabaseLogin {
  readonly address: DatabaseAddress;
  readonly user: string | null;
  readonly password: string | null;
  readonly times: SqlTimes;
  /** Whose user is told what to install, such as `jdbc input`. */
  readonly plugin: string;
}
