/**
 * A MariaDB server for the tests of one file, in a folder of its own, behind a port that can be broken.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/free-port.test-support.ts';
import { openBreakablePort } from '../breakable-port.test-support.ts';
import { type DatabaseServer, endServer, listening, packageMissing } from './database-server.test-support.ts';

const PROGRAM = '/usr/sbin/mariadbd';
const INSTALLER = '/usr/bin/mariadb-install-db';

/** Why there is no MariaDB here; null when there is. */
export async function whyNoMariadb(): Promise<string | null> {
  return existsSync(PROGRAM) && existsSync(INSTALLER) ? packageMissing('mysql2') : `${PROGRAM} is not installed`;
}

export async function startMariadb(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-mariadb-'));
  const data = join(folder, 'data');
  const user = `--user=${userInfo().username}`;
  execFileSync(
    INSTALLER,
    ['--no-defaults', `--datadir=${data}`, user, '--skip-test-db', '--auth-root-authentication-method=normal'],
    { stdio: 'ignore' },
  );
  const first = join(folder, 'first.sql');
  writeFileSync(
    first,
    "CREATE DATABASE test;\nCREATE USER shoal@'%' IDENTIFIED BY 'secret';\nGRANT ALL ON *.* TO shoal@'%';\n",
  );
  const port = await freePort();
  const child = spawn(
    PROGRAM,
    [
      '--no-defaults',
      `--datadir=${data}`,
      user,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--init-file=${first}`,
      '--skip-name-resolve',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { stdio: 'ignore' },
  );
  await listening(child, port);
  const door = await openBreakablePort(() => connect(port, '127.0.0.1'));
  return {
    url: `jdbc:mariadb://127.0.0.1:${door.port}/test`,
    user: 'shoal',
    password: 'secret',
    breakConnections: door.shut,
    async end() {
      door.close();
      await endServer(child, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
