/**
 * The jdbc input in a process that is killed again and again: no row is passed over, because the last value is kept only when
 * the queue has what was read before it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { whyNoSqlite, writeSqlite } from '../../packages/agent-plugins/src/sql/sqlite-file.test-support.ts';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { shoalBinary } from '../support/shoal-process.test-support.ts';

const ROWS = 2_000;
/** Rows of one run of the statement, which comes each second: the kills fall into several runs. */
const ROWS_A_RUN = 400;
const KILLS = 8;
/** Looks at the output, 50 ms apart: only rows that never come use them up. */
const LOOKS_MAX = 1_200;

const folder = mkdtempSync(join(tmpdir(), 'shoal-jdbc-kills-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const reason = await whyNoSqlite();
const output = join(folder, 'out.txt');

function start(config: string): ChildProcess {
  const args = ['agent', '-f', config, '--path.data', join(folder, 'data'), '--queue.type', 'persisted', '-w', '1'];
  const quiet = ['--set', 'api.enabled=false', '--log.level', 'error'];
  const child = spawn(process.execPath, [shoalBinary, ...args, ...quiet], { stdio: ['ignore', 'ignore', 'inherit'] });
  endWithTests(child);
  return child;
}

function seen(): readonly number[] {
  // The last line may be half written when the process is killed, and the first behind it glued to it.
  return existsSync(output) ? [...readFileSync(output, 'utf8').matchAll(/<(\d+)>/g)].map(([, id]) => Number(id)) : [];
}

async function until(isReached: () => boolean): Promise<void> {
  for (let look = 0; look < LOOKS_MAX && !isReached(); look++) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.skipIf(reason !== null)(
  `an agent that follows a table${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    test(`passes over no row, killed ${KILLS} times`, async () => {
      const database = join(folder, 'rows.db');
      const values = Array.from({ length: ROWS }, (_, index) => `(${index + 1})`).join();
      await writeSqlite(
        database,
        'CREATE TABLE numbers (id INTEGER PRIMARY KEY)',
        `INSERT INTO numbers VALUES ${values}`,
      );
      const config = join(folder, 'jdbc.conf');
      const statement = `SELECT id FROM numbers WHERE id > :sql_last_value ORDER BY id LIMIT ${ROWS_A_RUN}`;
      writeFileSync(
        config,
        `input { jdbc { jdbc_connection_string => "jdbc:sqlite:${database}" statement => "${statement}"
         schedule => "* * * * * *" use_column_value => true tracking_column => "id" } }
       output { file { path => "${output}" codec => line { format => "<%{id}>" } } }`,
      );
      for (let kill = 0; kill < KILLS; kill++) {
        const before = seen().length;
        const child = start(config);
        const killed = once(child, 'exit');
        // Once more has come, in the middle of what follows, at another point each time.
        if (kill < KILLS / 2) await until(() => seen().length > before);
        setTimeout(() => child.kill('SIGKILL'), 7 + kill * 31);
        await killed;
      }
      const last = start(config);
      await until(() => new Set(seen()).size === ROWS);
      last.kill('SIGTERM');
      await once(last, 'exit');
      expect(new Set(seen()).size).toBe(ROWS);
      expect(Math.max(...seen())).toBe(ROWS);
    });
  },
);
