import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

interface Usage {
  readonly timestamp: number;
  readonly since: number;
  readonly rest_actions?: Readonly<Record<string, number>>;
  readonly aggregations?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

describe('_nodes/usage of two nodes', () => {
  const cluster = new TestCluster();
  let [a, b]: TestNode[] = [];

  beforeAll(async () => {
    a = await cluster.start('a');
    b = await cluster.start('b');
    await call(a, 'GET', '/_cluster/health?wait_for_nodes=2&timeout=20s');
    const mappings = { properties: { k: { type: 'keyword' }, d: { type: 'date' } } };
    await call(a, 'PUT', '/lib', { settings: { number_of_shards: 4 }, mappings });
    const documents = ['x', 'y', 'z'].map((k) => `{"index":{}}\n{"k":"${k}","n":1,"d":"2020-01-01"}\n`);
    await call(a, 'POST', '/lib/_bulk?refresh', documents.join(''));
  }, 60_000);
  afterAll(() => cluster.close());

  const usage = async (path = '/_nodes/usage'): Promise<Readonly<Record<string, Usage>>> => {
    const { status, body } = await call(a!, 'GET', path);
    expect(status).toBe(200);
    return body.nodes;
  };

  /** Aggregations of all nodes added up, as `type:source type`. */
  const aggregationSums = async (): Promise<Readonly<Record<string, number>>> => {
    const sums: Record<string, number> = {};
    for (const { aggregations = {} } of Object.values(await usage('/_nodes/usage/aggregations'))) {
      for (const [type, counts] of Object.entries(aggregations)) {
        for (const [source, count] of Object.entries(counts)) {
          sums[`${type}:${source}`] = (sums[`${type}:${source}`] ?? 0) + count;
        }
      }
    }
    return sums;
  };

  test('counts requests where they are answered, the asking one included', async () => {
    const before = await usage();
    await call(b!, 'GET', '/_cat/nodes?format=json');
    await call(b!, 'GET', '/none/_search');
    await call(b!, 'GET', '/_search?no_such_parameter=1');
    const after = await usage();
    const idOfB = b!.node.cluster.localNode.id;
    const ids = Object.keys(after);
    expect(ids).toHaveLength(2);
    const idOfA = ids.find((id) => id !== idOfB)!;
    const counts = (nodes: typeof after, id: string, name: string): number => nodes[id]?.rest_actions?.[name] ?? 0;
    expect(counts(after, idOfA, 'nodes_usage_action') - counts(before, idOfA, 'nodes_usage_action')).toBe(1);
    expect(after[idOfB]?.rest_actions).toEqual({ cat_nodes_action: 1, search_action: 1 });
    expect(after[idOfA]?.rest_actions).toMatchObject({ create_index_action: 1, bulk_action: 1 });
    expect(after[idOfA]?.timestamp).toBeGreaterThanOrEqual(after[idOfA]?.since ?? Number.NaN);
  });

  test('counts aggregations on each shard, by the values that they are over, also where the answer is cached', async () => {
    const inner = { m: { max: { field: 'd' } }, f: { filter: { match_all: {} } } };
    const aggs = {
      k: { terms: { field: 'k' }, aggs: inner },
      none: { avg: { field: 'none' } },
      g: { missing: { field: 'n' } },
    };
    for (let i = 0; i < 2; i++) {
      const { status } = await call(b!, 'POST', '/lib/_search', { size: 0, aggs });
      expect(status).toBe(200);
    }
    expect(await aggregationSums()).toEqual({
      'terms:bytes': 8,
      'max:date': 8,
      'filter:other': 8,
      'avg:numeric': 8,
      'missing:numeric': 8,
    });
    const refused = await call(b!, 'POST', '/lib/_search', { aggs: { s: { stats: { field: 'k' } } } });
    expect(refused.status).toBe(400);
    expect(Object.keys(await aggregationSums())).not.toContain('stats:bytes');
  });

  test('shows the metrics that are asked for, of the nodes that are asked', async () => {
    const [only, ...others] = Object.values(await usage('/_nodes/b/usage/rest_actions,no_such_metric'));
    expect(others).toEqual([]);
    expect(Object.keys(only ?? {})).toEqual(['timestamp', 'since', 'rest_actions']);
    const both = await call(a!, 'GET', '/_nodes/usage/_all,aggregations');
    expect(both.status).toBe(400);
    expect(both.body.error.reason).toBe(
      'request [/_nodes/usage/_all,aggregations] contains _all and individual metrics [_all,aggregations]',
    );
  });

  test('counts by the types that _nodes tells of each aggregation', async () => {
    const { nodes } = (await call(a!, 'GET', '/_nodes/_local/aggregations')).body;
    const [info] = Object.values<{ aggregations: Record<string, { types: string[] }> }>(nodes);
    expect(info?.aggregations.terms?.types).toEqual(['boolean', 'bytes', 'date', 'ip', 'numeric']);
    expect(info?.aggregations.nested?.types).toEqual(['other']);
    expect(info?.aggregations.derivative).toBeUndefined();
  });
});
