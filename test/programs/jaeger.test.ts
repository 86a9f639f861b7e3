/**
 * Jaeger's own tests of its storage: traces, services, dependencies and sampling, written and found again. Those that start containers are left out.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('jaeger');
const TESTS = [
  'TestElasticsearchStorage',
  'TestElasticsearchStorage_AllTagsAsObjectFields',
  'TestElasticsearchStorage_IndexTemplates',
];
const TIMEOUT_MS = 900_000;

// The tests delete all indices by a wildcard.
const cluster = new ProgramCluster(2, ['--set', 'action.destructive_requires_name=false']);

describe.skipIf(!program.isHere)(program.title, () => {
  test.each(TESTS)(
    '%s',
    async (name) => {
      const { host } = new URL(cluster.url);
      const run = await runProgram(join(program.home, 'storage-tests'), ['-test.v', '-test.run', `^${name}$`], {
        cwd: join(program.home, 'source/plugin/storage/integration'),
        env: { STORAGE: 'elasticsearch', ES_HOST_PORT: host },
      });
      expect(run.output).toContain(`--- PASS: ${name} `);
      expect(run.output).not.toMatch(/--- (?:FAIL|SKIP)/);
      expect(run.status).toBe(0);
    },
    TIMEOUT_MS,
  );
});
