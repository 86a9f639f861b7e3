/**
 * A PostgreSQL server for the tests of one file, in a folder of its own, behind a port that can be broken.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/free-port.test-support.ts';
import { openBreakablePort } from '../breakable-port.test-support.ts';
import { type DatabaseServer, endServer, listening, packageMissing } from './database-server.test-support.ts';

const ROOT = '/usr/lib/postgresql';

function programs(): string | null {
  if (!existsSync(ROOT)) return null;
  const versions = readdirSync(ROOT).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(ROOT, version, 'bin')).find((bin) => existsSync(join(bin, 'postgres'))) ?? null;
}

/** Why there is no PostgreSQL here; null when there is. */
export async function whyNoPostgres(): Promise<string | null> {
  return programs() === null ? `no PostgreSQL below ${ROOT}` : packageMissing('pg');
}

export async function startPostgres(): Promise<DatabaseServer> {
  const bin = programs() ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'shoal-postgres-'));
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? ownerIds() : null;
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'shoal', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'ignore',
  });
  const port = await freePort();
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' });
  await listening(child, port);
  const door = await openBreakablePort(() => connect(port, '127.0.0.1'));
  return {
    url: `jdbc:postgresql://127.0.0.1:${door.port}/postgres`,
    user: 'shoal',
    password: 'secret',
    breakConnections: door.shut,
    async end() {
      door.close();
      // Fast shutdown: it ends its processes with it.
      await endServer(child, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ownerIds(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
