/**
 * Zipkin's own tests of a storage, run over the one in Elasticsearch: traces, services, tags and dependencies, written and found again.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('zipkin');
const source = fileURLToPath(new URL('zipkin/StorageTests.java', import.meta.url));
const TIMEOUT_MS = 900_000;

// A storage that is cleared deletes its indices by a wildcard.
const cluster = new ProgramCluster(2, ['--set', 'action.destructive_requires_name=false']);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'StorageTests.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const launcher = ['org.junit.platform.console.ConsoleLauncher', 'execute', '--details=tree'];
      const classPath = `${cluster.folder}:${jars}`;
      const args = [`-Durl=${cluster.url}`, '-cp', classPath, ...launcher, '--select-class=StorageTests'];
      const run = await runProgram('java', args);
      expect(run, run.output).toMatchObject({ status: 0 });
      // A storage that does not answer as it should is left out by these tests, not failed.
      const counts = [...run.output.matchAll(/\[ +(\d+) tests (\w+) +\]/g)].map(([, count, what]) => [
        what,
        Number(count),
      ]);
      const tests = 85;
      expect(Object.fromEntries(counts)).toMatchObject({ found: tests, successful: tests, skipped: 0, aborted: 0 });
    },
    TIMEOUT_MS,
  );
});
