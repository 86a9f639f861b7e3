#!/usr/bin/env node
/**
 * `npm test [-- VITEST OPTIONS]`: builds what is not built (end-to-end tests start the real command), then runs all tests.
 *
 * Random inputs come from one fixed seed. `SHOAL_TEST_SEED=random` draws another and prints it, `SHOAL_TEST_SEED=N` repeats it.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { buildIfNeeded, root } from './built.mjs';

buildIfNeeded();
const env = { ...process.env };
if (env.SHOAL_TEST_SEED === 'random') {
  env.SHOAL_TEST_SEED = String(randomInt(2 ** 31));
  process.stdout.write(`SHOAL_TEST_SEED=${env.SHOAL_TEST_SEED}\n`);
}
const vitest = join(root, 'node_modules/.bin/vitest');
const result = spawnSync(vitest, ['run', ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' });
process.exit(result.status ?? 1);
