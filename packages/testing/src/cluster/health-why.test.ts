/** `_cluster/health/_why` of whole clusters: real nodes under virtual time, whose findings are followed to the letter. */
import { afterEach, describe, expect, test } from 'vitest';
import type { ShoalCluster } from './shoal-cluster.ts';
import { startCluster } from './start-cluster.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Body = any;

let cluster: ShoalCluster;

async function start(nodes: number, settings: Record<string, unknown> = {}): Promise<void> {
  cluster = await startCluster({ nodes, seed: 7, settings, refreshesBeforeSearch: false });
}

afterEach(() => cluster.close());

async function call(method: string, path: string, body?: object, at = 0): Promise<Body> {
  const node = cluster.nodes.filter(({ isAlive }) => isAlive)[at]!;
  const response = await node.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return response.json();
}

const why = (query = '', at = 0): Promise<Body> => call('GET', `/_cluster/health/_why${query}`, undefined, at);

async function create(index: string, settings: object): Promise<void> {
  await call('PUT', `/${index}?wait_for_active_shards=0`, { settings });
  await call('GET', '/_cluster/health?wait_for_no_initializing_shards=true&timeout=30s');
}

/** Does what the first mend of each finding says, until there is none; the causes in the order in which they were mended. */
async function follow(): Promise<readonly string[]> {
  const causes: string[] = [];
  for (let step = 0; step < 10; step++) {
    const answer = await why();
    const finding = (answer.findings ?? [{ ...answer, mends: [] }]).find(({ status }: Body) => status !== 'green');
    if (finding === undefined) return causes;
    const [mend] = finding.mends;
    if (mend.kind !== 'wait' && causes.at(-1) !== finding.cause) causes.push(finding.cause);
    if (mend.kind === 'at_node') {
      for (const [position, node] of cluster.nodes.entries()) if (!node.isAlive) await cluster.restart(position);
    } else await call(mend.method, mend.path, mend.body);
    await call('GET', '/_cluster/health?wait_for_status=green&timeout=20s');
  }
  throw new Error(`not mended by what it says: ${JSON.stringify(await why())}\n${cluster.log.slice(-25).join('\n')}`);
}

interface Case {
  readonly name: string;
  readonly nodes: number;
  readonly settings?: Record<string, unknown>;
  readonly seed: () => Promise<void>;
  readonly causes: readonly string[];
  /** Status after the first mends; default: green. Further ones follow from what they uncover. */
  readonly after?: string;
}

const ONE = { number_of_shards: 1, number_of_replicas: 1 };
const ALONE = { number_of_shards: 1, number_of_replicas: 0 };

/** Position of the node of the first copy of that kind. */
async function holder(index: string, kind: 'p' | 'r'): Promise<number> {
  const rows = await call('GET', `/_cat/shards/${index}?format=json&h=prirep,node`);
  const { node } = rows.find(({ prirep }: Body) => prirep === kind);
  return cluster.nodes.findIndex(({ name }) => name === node);
}

const CASES: readonly Case[] = [
  {
    name: 'more replicas than nodes',
    nodes: 2,
    seed: () => create('lib', { ...ONE, number_of_replicas: 3 }),
    causes: ['too_many_copies'],
  },
  {
    name: 'allocation switched off by the file of the nodes',
    nodes: 2,
    settings: { 'cluster.routing.allocation.enable': 'none' },
    seed: () => create('lib', ONE),
    causes: ['allocation_disabled'],
  },
  {
    name: 'allocation switched off by a request, and a filter of the index',
    nodes: 2,
    seed: async () => {
      await call('PUT', '/_cluster/settings', { persistent: { 'cluster.routing.allocation.enable': 'primaries' } });
      await create('lib', { ...ONE, 'routing.allocation.require._name': 'nobody' });
    },
    causes: ['filtered', 'allocation_disabled'],
    after: 'yellow',
  },
  {
    name: 'the node of the only copy gone',
    nodes: 3,
    seed: async () => {
      await create('lib', ALONE);
      await call('PUT', '/lib/_doc/1', { n: 1 });
      cluster.kill(await holder('lib', 'p'));
      await cluster.advance('1m');
    },
    causes: ['primary_lost'],
  },
  {
    name: 'the node of a replica gone, which others could stand in for',
    nodes: 3,
    seed: async () => {
      await create('lib', ONE);
      cluster.kill(await holder('lib', 'r'));
      await cluster.advance('10s');
    },
    causes: ['delayed'],
  },
  {
    name: 'as many copies on each node as the index allows',
    nodes: 2,
    seed: () => create('lib', { ...ONE, number_of_shards: 2, 'routing.allocation.total_shards_per_node': 1 }),
    causes: ['shards_limit'],
  },
  {
    name: 'a backing index of a data stream with more replicas than nodes',
    nodes: 2,
    seed: async () => {
      const template = { settings: { number_of_replicas: 2 } };
      await call('PUT', '/_index_template/logs', { index_patterns: ['logs-*'], data_stream: {}, template });
      await call('PUT', '/_data_stream/logs-a');
      await call('GET', '/_cluster/health?wait_for_no_initializing_shards=true&timeout=30s');
    },
    causes: ['too_many_copies'],
  },
  {
    name: 'a read-only cluster with a yellow index',
    nodes: 1,
    seed: async () => {
      await create('lib', ONE);
      await call('PUT', '/_cluster/settings', { persistent: { 'cluster.blocks.read_only': true } });
    },
    causes: ['cluster_block', 'too_many_copies'],
  },
  {
    name: 'an index that a full disk made read-only',
    nodes: 1,
    seed: () => create('lib', { ...ALONE, 'blocks.read_only_allow_delete': true }),
    causes: ['full_disk_block'],
  },
  {
    name: 'no recovery allowed at all',
    nodes: 2,
    seed: async () => {
      await call('PUT', '/_cluster/settings', {
        transient: { 'cluster.routing.allocation.node_concurrent_recoveries': 0 },
      });
      await create('lib', ONE);
    },
    causes: ['throttled'],
  },
];

describe('what a cluster says of itself', () => {
  test.each(CASES)('names the cause, and its commands mend it: $name', { timeout: 60_000 }, async (one) => {
    await start(one.nodes, one.settings);
    await one.seed();
    const { status } = await call('GET', '/_cluster/health');
    const before = await why('?dry_run=true', one.nodes > 1 ? 1 : 0);
    expect(before.status === 'green' ? `green, health ${status}` : 'not green').toBe('not green');
    // All first mends together.
    expect(before.after?.status, JSON.stringify(before)).toBe(one.after ?? 'green');
    expect(await follow()).toEqual(one.causes);
    expect((await call('GET', '/_cluster/health')).status).toBe('green');
    expect((await why()).status).toBe('green');
  });

  test('without a quorum is told by the node that is left, which names those to start', {
    timeout: 60_000,
  }, async () => {
    await start(3);
    await create('lib', ALONE);
    const names = cluster.nodes.map(({ name }) => name);
    cluster.kill(0);
    cluster.kill(2);
    await cluster.advance('1m');
    const { status, cluster_manager: manager, findings } = await why('?dry_run=true');
    expect([status, manager, findings[0].cause]).toEqual(['red', null, 'no_quorum']);
    expect(findings[0].reason).toContain('2 of the 3 voting nodes must reach each other, and this node reaches 1');
    for (const name of [names[0], names[2]]) expect(findings[0].reason).toContain(`${name} at ${name}:9300`);
    expect(findings[0].mends).toHaveLength(2);
    expect(findings.map(({ cause }: Body) => cause)).toContain('node_unreachable');
    await cluster.restart(0);
    await cluster.restart(2);
    // The first node up may answer by what it knew before.
    for (let second = 0; second < 60 && (await why()).status !== 'green'; second++) await cluster.advance('1s');
    expect(await why()).toMatchObject({ status: 'green', findings: [] });
  });

  test('is asked about some indices alone', { timeout: 60_000 }, async () => {
    await start(1);
    await create('good', ALONE);
    await create('bad', ONE);
    expect((await why('/good')).status).toBe('green');
    expect((await why('/b*')).findings).toMatchObject([{ indices: ['bad'], status: 'yellow', shard_copies: 1 }]);
    expect(await why('/nosuch')).toMatchObject({ status: 404, error: { type: 'index_not_found_exception' } });
    expect(await why('?nosuch=1')).toMatchObject({ status: 400 });
  });
});
