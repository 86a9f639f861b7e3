/**
 * Programs written with elasticsearch-dsl, one a feature: each checks what it sees and ends with "ok".
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fetchedProgram, pythonCommand, runProgram } from './fetched-program.test-support.ts';
import { ProgramCluster } from './program-cluster.test-support.ts';

const program = fetchedProgram('elasticsearch-dsl');
const scripts = fileURLToPath(new URL('elasticsearch-dsl', import.meta.url));

const cluster = new ProgramCluster(2);

describe.skipIf(!program.isHere)(program.title, () => {
  test.each(readdirSync(scripts))('%s', async (script) => {
    const args = ['-W', 'ignore', join(scripts, script), cluster.url];
    const run = await runProgram(pythonCommand(program, 'python'), args, { env: { PYTHONDONTWRITEBYTECODE: '1' } });
    expect(run).toEqual({ status: 0, output: 'ok\n' });
  });
});
