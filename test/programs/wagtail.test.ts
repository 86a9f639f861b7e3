/**
 * Wagtail's own tests of its search backend for Elasticsearch 7, as its package ships them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';
import { fetchedProgram, pythonCommand, runProgram } from './fetched-program.test-support.ts';

const program = fetchedProgram('wagtail');
const settings = fileURLToPath(new URL('wagtail', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'shoal-wagtail-'));
const SUITES = ['wagtail.search.tests.test_elasticsearch7_backend', 'wagtail.search.tests.test_page_search'];
/** Each of some hundred tests indexes a library of books anew. */
const TIMEOUT_MS = 1_200_000;

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--nodes', '1', '--ephemeral', '--no-sample']);
});
afterAll(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'its tests of the backend pass',
    async () => {
      const run = await runProgram(
        pythonCommand(program, 'python'),
        ['-W', 'ignore', '-m', 'django', 'test', ...SUITES],
        {
          cwd: folder,
          env: {
            ELASTICSEARCH_URL: cluster.url,
            ELASTICSEARCH_VERSION: '7',
            DJANGO_SETTINGS_MODULE: 'unmigrated',
            PYTHONPATH: settings,
            PYTHONDONTWRITEBYTECODE: '1',
            STATIC_ROOT: folder,
          },
        },
      );
      expect(run.output).toMatch(/Ran 1\d\d tests.*\nOK/s);
      expect(run.status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
