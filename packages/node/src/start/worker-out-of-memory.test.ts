import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const MEBIBYTE = 1024 * 1024;
const DOCS = 3_000;
/** Values of a search that none of these workers can hold as objects, and that is just not refused for its length. */
const VALUES = 990_000;
const folder = mkdtempSync(join(tmpdir(), 'shoal-memory-'));
const cluster = new TestCluster();

afterEach(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const byScore = { query: { match: { text: 'common w7' } }, size: 5, sort: ['_score', 'n'] };

async function hits(node: TestNode): Promise<unknown> {
  const { body } = await call(node, 'POST', '/books/_search', byScore);
  return body.hits.hits.map((hit: { _id: string; sort: unknown }) => [hit._id, hit.sort]);
}

/** Real threads, each with little room for objects; the segments of their shards stand beside it, in memory of the kernels. */
test('a worker that runs out of memory fails its shards, not the node: they come back with all that they had', async () => {
  const log = createRecordingLog();
  const runtime = createNodeRuntime({ log, diskRoot: folder, workerHeapBytesMax: 64 * MEBIBYTE });
  const node = await cluster.start('one', { runtime, settings: { 'node.workers': 2 } });
  await call(node, 'PUT', '/books', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  await call(node, 'PUT', '/others', { settings: { number_of_shards: 1, number_of_replicas: 0 } });
  const lines = Array.from({ length: DOCS }, (_, n) => {
    const id = String(n);
    return `${JSON.stringify({ index: { _id: id } })}\n${JSON.stringify({ n, text: `common w${n % 11}` })}\n`;
  });
  for (const index of ['books', 'others']) {
    expect((await call(node, 'POST', `/${index}/_bulk?refresh=true`, lines.join(''))).body.errors).toBe(false);
  }
  await call(node, 'POST', '/_flush');
  const before = await hits(node);
  const values = Array.from({ length: VALUES }, (_, i) => `id-${i}`);
  const fatal = await call(node, 'POST', '/books/_search', { query: { ids: { values } } });
  expect(fatal.status).toBeGreaterThanOrEqual(400);
  const ended = log.lines.filter(({ message }) => message === 'shard worker ended');
  expect(ended.map(({ fields }) => fields)).toEqual([
    { worker: expect.any(Number), shards: 1, reason: expect.stringContaining('out of memory') },
  ]);
  // The other worker has not noticed.
  expect((await call(node, 'GET', '/others/_count')).body.count).toBe(DOCS);
  expect((await call(node, 'PUT', '/others/_doc/new', { n: 1 })).status).toBe(201);
  const health = await call(node, 'GET', '/_cluster/health?wait_for_status=green&timeout=20s');
  expect(health.body).toMatchObject({ status: 'green', timed_out: false });
  expect(await hits(node)).toEqual(before);
  expect((await call(node, 'GET', '/books/_count')).body.count).toBe(DOCS);
  const written = await call(node, 'PUT', '/books/_doc/new?refresh=true', { n: 1, text: 'common' });
  expect(written.status).toBe(201);
  expect((await call(node, 'GET', '/books/_count')).body.count).toBe(DOCS + 1);
});
