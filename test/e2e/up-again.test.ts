/**
 * `shoal up` on data of an earlier run, and stopped before it is up.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { call, type RunningCluster, shoalBinary, startUp } from '../support/shoal-process.test-support.ts';

let cluster: RunningCluster | null = null;
const folder = mkdtempSync(join(tmpdir(), 'shoal-again-'));
afterEach(async () => {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
});

test('a cluster with copies that no node may have comes up again with its documents', async () => {
  const args = ['--nodes', '1', '--no-sample', '--data', folder];
  cluster = await startUp(args);
  await call(cluster.url, 'PUT', '/kept', { settings: { number_of_replicas: 1 } });
  expect((await call(cluster.url, 'PUT', '/kept/_doc/1', { n: 1 })).status).toBe(201);
  await cluster.end();

  cluster = await startUp(args);
  expect((await call(cluster.url, 'GET', '/_cluster/health')).body).toMatchObject({
    status: 'yellow',
    unassigned_shards: 1,
  });
  expect((await call(cluster.url, 'GET', '/kept/_doc/1')).body._source).toEqual({ n: 1 });
});

test('Ctrl-C before the cluster is up ends everything at once', async () => {
  const up = spawn(
    process.execPath,
    [shoalBinary, 'up', '--ephemeral', '--http-port', '0', '--transport-port', '0', '--verbose'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  endWithTests(up);
  // The first line of a node: its process runs, the cluster does not. The stream stays open, as a terminal does.
  await new Promise<void>((resolve) => {
    let output = '';
    up.stderr.on('data', (chunk) => {
      if ((output += chunk).includes('node starts')) resolve();
    });
  });
  const closed = once(up, 'close');
  up.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
});
