/**
 * LangChain keeps texts with their vectors, and finds the nearest.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, pythonCommand, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('langchain');
const scripts = fileURLToPath(new URL('langchain', import.meta.url));
const TIMEOUT_MS = 180_000;

const cluster = new ProgramCluster(2);

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'stores.py',
    async () => {
      const args = ['-W', 'ignore', join(scripts, 'stores.py'), cluster.url];
      const env = { PYTHONDONTWRITEBYTECODE: '1' };
      const run = await runProgram(pythonCommand(program, 'python'), args, { env });
      expect(run, run.output).toMatchObject({ status: 0, output: expect.stringMatching(/ok\n$/) });
    },
    TIMEOUT_MS,
  );
});
