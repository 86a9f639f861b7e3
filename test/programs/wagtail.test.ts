/**
 * Wagtail's own tests of its search backend for Elasticsearch 7, as its package ships them.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, pythonCommand, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('wagtail');
const settings = fileURLToPath(new URL('wagtail', import.meta.url));
const SUITES = ['wagtail.search.tests.test_elasticsearch7_backend', 'wagtail.search.tests.test_page_search'];
/** Each of some hundred tests indexes a library of books anew. */
const TIMEOUT_MS = 1_200_000;

const cluster = new ProgramCluster(1);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'its tests of the backend pass',
    async () => {
      const run = await runProgram(
        pythonCommand(program, 'python'),
        ['-W', 'ignore', '-m', 'django', 'test', ...SUITES],
        {
          cwd: cluster.folder,
          env: {
            ELASTICSEARCH_URL: cluster.url,
            ELASTICSEARCH_VERSION: '7',
            DJANGO_SETTINGS_MODULE: 'unmigrated',
            PYTHONPATH: settings,
            PYTHONDONTWRITEBYTECODE: '1',
            STATIC_ROOT: cluster.folder,
          },
        },
      );
      expect(run.output).toMatch(/Ran 1\d\d tests.*\nOK/s);
      expect(run.status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
