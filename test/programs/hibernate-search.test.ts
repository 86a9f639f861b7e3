/**
 * An application that finds its objects with Hibernate Search: indices that it makes and checks, queries, vectors, aggregations, scrolls.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('hibernate-search');
const source = fileURLToPath(new URL('hibernate-search/Library.java', import.meta.url));
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(2);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Library.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const hosts = new URL(cluster.url).origin;
      const run = await runProgram('java', ['-cp', `${cluster.folder}:${jars}`, 'Library', hosts]);
      expect(run, run.output).toMatchObject({ status: 0, output: expect.stringMatching(/ok\n$/) });
    },
    TIMEOUT_MS,
  );
});
