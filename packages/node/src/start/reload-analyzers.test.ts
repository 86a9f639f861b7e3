import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const NAMES = ['one', 'two'] as const;
const cluster = new TestCluster();
let root = '';
let nodes: readonly TestNode[] = [];

const synonyms = (node: string, text: string): Promise<void> => writeFile(join(root, node, 'synonyms.txt'), text);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'shoal-analyzers-'));
  const started: TestNode[] = [];
  for (const name of NAMES) {
    await mkdir(join(root, name));
    await synonyms(name, 'tea, chai\n');
    const runtime = createNodeRuntime({ log: createSilentLog(), configRoot: join(root, name) });
    started.push(await cluster.start(name, { runtime }));
  }
  nodes = started;
  await call(first(), 'GET', '/_cluster/health?wait_for_nodes=2');
  const body = {
    settings: {
      number_of_shards: 4,
      number_of_replicas: 0,
      analysis: {
        filter: { mine: { type: 'synonym_graph', synonyms_path: 'synonyms.txt', updateable: true } },
        analyzer: { searched: { tokenizer: 'standard', filter: ['mine'] } },
      },
    },
    mappings: { properties: { t: { type: 'text', analyzer: 'standard', search_analyzer: 'searched' } } },
  };
  const created = await call(first(), 'PUT', '/drinks?wait_for_active_shards=all', body);
  expect(created.body).toMatchObject({ acknowledged: true, shards_acknowledged: true });
  for (const word of ['tea', 'chai', 'cha', 'oolong', 'tea', 'chai', 'cha', 'oolong']) {
    await call(first(), 'POST', '/drinks/_doc', { t: word });
  }
  await call(first(), 'POST', '/drinks/_refresh');
});

afterAll(async () => {
  await cluster.close();
  await rm(root, { recursive: true, force: true });
});

function first(): TestNode {
  const [node] = nodes;
  if (node === undefined) throw new Error('no node');
  return node;
}

async function found(): Promise<readonly string[]> {
  const { body } = await call(first(), 'POST', '/drinks/_search?size=20', { query: { match: { t: 'tea' } } });
  return [...new Set<string>(body.hits.hits.map((hit: { _source: { t: string } }) => hit._source.t))].sort();
}

const reload = (index = 'drinks') => call(first(), 'POST', `/${index}/_reload_search_analyzers`);

describe('search analyzers with synonyms in a file', () => {
  test('stay as they are when the file changes, also behind a change of other settings', async () => {
    expect(await found()).toEqual(['chai', 'tea']);
    for (const name of NAMES) await synonyms(name, 'tea, cha\n');
    await call(first(), 'PUT', '/drinks/_settings', { refresh_interval: '5s' });
    expect(await found()).toEqual(['chai', 'tea']);
  });

  test('are made anew on all nodes when they are told to', async () => {
    const { status, body } = await reload();
    expect(status).toBe(200);
    const ids = nodes.map(({ node }) => node.cluster.localNode.id).sort();
    expect(body._shards).toEqual({ total: 2, successful: 2, failed: 0 });
    const [details] = body.reload_details;
    expect({ ...details, reloaded_node_ids: [...details.reloaded_node_ids].sort() }).toEqual({
      index: 'drinks',
      reloaded_analyzers: ['searched'],
      reloaded_node_ids: ids,
    });
    expect(await found()).toEqual(['cha', 'tea']);
  });

  test('stay on a node whose file is gone, which is told', async () => {
    for (const name of NAMES) await synonyms(name, 'tea, oolong\n');
    await rm(join(root, 'two', 'synonyms.txt'));
    const { body } = await reload();
    expect(body._shards).toMatchObject({ total: 2, successful: 1, failed: 1 });
    expect(body._shards.failures[0].reason.reason).toContain('IOException while reading synonyms_path_path');
    expect(body.reload_details[0].reloaded_node_ids).toHaveLength(1);
    expect(await found()).toContain('tea');
  });

  test('are those of indices that there are', async () => {
    expect((await reload('none')).status).toBe(404);
    expect((await reload('none*')).body).toMatchObject({ _shards: { total: 0 }, reload_details: [] });
  });
});
