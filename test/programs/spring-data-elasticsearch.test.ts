/**
 * An application of Spring Data Elasticsearch, whose client is that of version 7: it checks what it sees and ends with "ok".
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('spring-data-elasticsearch');
const source = fileURLToPath(new URL('spring-data-elasticsearch/Shop.java', import.meta.url));
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(2);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Shop.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const { host } = new URL(cluster.url);
      const run = await runProgram('java', ['-cp', `${cluster.folder}:${jars}`, 'Shop', host]);
      expect(run).toEqual({ status: 0, output: 'ok\n' });
    },
    TIMEOUT_MS,
  );
});
