/**
 * The example of a tested pipeline runs, and the page about it shows it as it is.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runShoal } from '../support/shoal-process.test-support.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test('the tests of the example pipeline pass and reach all of it', async () => {
  const run = await runShoal(['agent', 'test', at('pipelines'), '--coverage.min', '100']);
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(run.stdout).toMatch(/✓ a request becomes fields\n.*coverage 100% \(11 of 11\).*4 passed/s);
});

test('docs/pipeline-tests.md shows the example', () => {
  const page = readFileSync(at('../../docs/pipeline-tests.md'), 'utf8');
  expect(page).toContain(readFileSync(at('pipelines/access-log.test.yml'), 'utf8'));
});
