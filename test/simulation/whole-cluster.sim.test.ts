/**
 * Whole clusters under faults, by the command `npm run sim`: its sources are joined once, which is a tenth of the work of loading them
 * one by one. Two processes, so that both halves of the seeds run at the same time; every hundredth life is lived twice.
 *
 * `SEED=n` replays one seed, `SHOAL_SIM_SEEDS=n` sets how many run in both halves together.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { seedsToRun } from '../../packages/simulation/src/simulation-seeds.ts';

const COMMAND = fileURLToPath(new URL('../../scripts/sim.mjs', import.meta.url));
/** Shrunk plans of lives in which something did not hold before it was mended. */
const KEPT_PLANS = fileURLToPath(new URL('kept-plans/', import.meta.url));
const LIVES = 100;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command until it ends by itself. */
function simulated(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [COMMAND, ...args], { maxBuffer: OUTPUT_BYTES_MAX }, (_, out, errors) => {
      resolve({ code: child.exitCode, output: `${out}${errors}` });
    });
  });
}

const SEEDS = seedsToRun(LIVES);
const half = Math.ceil(SEEDS.length / 2);

describe.concurrent('whatever machines, disks and networks do, what a cluster has acknowledged it has in the end', () => {
  test.each(
    [SEEDS.slice(0, half), SEEDS.slice(half)]
      .filter(({ length }) => length > 0)
      .map((seeds) => [seeds[0], seeds.length]),
  )(
    'from seed %i on, %i lives',
    async (from, lives) => {
      const { code, output } = await simulated('--from', String(from), '--lives', String(lives), '--workers', '1');
      expect(code, output).toBe(0);
      const [, acknowledged = '0'] = /(\d+) acknowledged writes checked[^\n]*\n$/.exec(output) ?? [];
      expect(Number(acknowledged) / (lives ?? 1)).toBeGreaterThan(10);
    },
    1_200_000,
  );
});

test('plans that once failed hold', async () => {
  const kept = readdirSync(KEPT_PLANS).map((name) => join(KEPT_PLANS, name));
  expect(kept.length).toBeGreaterThan(0);
  const { code, output } = await simulated(...kept.flatMap((path) => ['--plan', path]));
  expect(code, output).toBe(0);
}, 1_200_000);

test.skipIf(process.env.SEED !== undefined)(
  'a rule taken out of the replication shows in the first suitable lives',
  async () => {
    const { code, output } = await simulated('--mutants', '', '--quick');
    expect(code, output).toBe(0);
  },
  1_200_000,
);
