/**
 * Any page of a sorted search equals the sorted file, asked at any node.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type RunningCluster, startUp } from '../support/shoal-process.test-support.ts';

const SAMPLE = fileURLToPath(new URL('../../packages/cli/sample/debian-packages.ndjson.gz', import.meta.url));
const SIZE = 25;

let cluster: RunningCluster;
let names: readonly string[];
beforeAll(async () => {
  cluster = await startUp(['--ephemeral']);
  const lines = gunzipSync(readFileSync(SAMPLE)).toString().trim().split('\n');
  names = lines
    .map((line) => JSON.parse(line).name as string)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
});
afterAll(() => cluster?.end());

async function page(url: string, from: number): Promise<readonly string[]> {
  const { body } = await call(url, 'POST', '/debian-packages/_search', {
    from,
    size: SIZE,
    sort: [{ 'name.keyword': 'asc' }],
    _source: ['name'],
    track_total_hits: true,
  });
  expect(body.hits.total).toEqual({ value: names.length, relation: 'eq' });
  return body.hits.hits.map((hit: { _source: { name: string } }) => hit._source.name);
}

describe('page n of a search sorted by name', () => {
  test('equals the sorted file, first, middle and last, at every node', async () => {
    for (const from of [0, 1, 2_500, names.length - SIZE, names.length - 3, names.length]) {
      for (const url of cluster.http) expect(await page(url, from)).toEqual(names.slice(from, from + SIZE));
    }
  });

  test('beyond the window is refused as Elasticsearch does, and allowed once the window is raised', async () => {
    const path = '/debian-packages/_search';
    const refused = await call(cluster.url, 'POST', path, { from: 10_000, size: 1 });
    expect(refused.status).toBe(400);
    expect(refused.body.error.root_cause[0]).toMatchObject({
      type: 'illegal_argument_exception',
      reason: expect.stringContaining('from + size must be less than or equal to: [10000] but was [10001]'),
    });
    await call(cluster.url, 'PUT', '/debian-packages/_settings', { index: { max_result_window: 100_000 } });
    expect((await call(cluster.url, 'POST', path, { from: 10_000, size: 1 })).status).toBe(200);
  });
});
