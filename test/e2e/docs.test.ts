/**
 * Pages that follow from the code are what the code says.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the generated pages under docs/ are current', () => {
  const script = fileURLToPath(new URL('../../scripts/docs.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([0, '']);
});
