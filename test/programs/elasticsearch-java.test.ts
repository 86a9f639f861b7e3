/**
 * Elasticsearch's Java client, which programs on Spring, Quarkus and Camel stand on: it reads each answer by its specification.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('elasticsearch-java');
const source = fileURLToPath(new URL('elasticsearch-java/Monitor.java', import.meta.url));
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(1);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Monitor.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const run = await runProgram('java', ['-cp', `${cluster.folder}:${jars}`, 'Monitor', cluster.url]);
      expect(run).toEqual({ status: 0, output: 'ok\n' });
    },
    TIMEOUT_MS,
  );
});
