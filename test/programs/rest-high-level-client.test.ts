/**
 * The high-level client that programs in Java had before version 8, in the mode in which it talks to version 8.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('rest-high-level-client');
const source = fileURLToPath(new URL('rest-high-level-client/Blog.java', import.meta.url));
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(1);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Blog.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', cluster.folder, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const run = await runProgram('java', ['-cp', `${cluster.folder}:${jars}`, 'Blog', cluster.url]);
      expect(run).toEqual({ status: 0, output: 'ok\n' });
    },
    TIMEOUT_MS,
  );
});
