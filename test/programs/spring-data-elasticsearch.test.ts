/**
 * An application of Spring Data Elasticsearch, whose client is that of version 7: it checks what it sees and ends with "ok".
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';
import { fetchedProgram, runProgram } from './fetched-program.test-support.ts';

const program = fetchedProgram('spring-data-elasticsearch');
const source = fileURLToPath(new URL('spring-data-elasticsearch/Shop.java', import.meta.url));
const classes = mkdtempSync(join(tmpdir(), 'shoal-spring-'));
const TIMEOUT_MS = 180_000;

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await startUp(['--nodes', '2', '--ephemeral', '--no-sample']);
});
afterAll(async () => {
  await cluster?.end();
  rmSync(classes, { recursive: true });
});

describe.skipIf(!program.isHere)(program.title, () => {
  test(
    'Shop.java',
    async () => {
      const jars = join(program.home, 'jars/*');
      const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', classes, '-cp', jars, source]);
      expect(compiled, compiled.output).toMatchObject({ status: 0 });
      const { host } = new URL(cluster.url);
      const run = await runProgram('java', ['-cp', `${classes}:${jars}`, 'Shop', host]);
      expect(run).toEqual({ status: 0, output: 'ok\n' });
    },
    TIMEOUT_MS,
  );
});
