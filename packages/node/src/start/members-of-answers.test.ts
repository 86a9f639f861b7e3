/**
 * Members that clients with types read unasked: those of Java refuse a whole answer for one that is missing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cluster = new TestCluster();
let node: TestNode;

beforeAll(async () => {
  node = await cluster.start('a');
  const analysis = {
    analyzer: { own: { tokenizer: 'standard', filter: ['lowercase', 'few'], char_filter: 'html_strip' } },
    filter: { few: { type: 'stop', stopwords: ['a'] } },
  };
  const properties = {
    title: { type: 'text', analyzer: 'own', fields: { raw: { type: 'keyword' } } },
    note: { type: 'text', analyzer: 'english' },
    place: { properties: { city: { type: 'keyword' } } },
  };
  const settings = { number_of_replicas: 1, analysis };
  await call(node, 'PUT', '/books', { settings, mappings: { properties } });
  await call(node, 'PUT', '/_ingest/pipeline/lower', { processors: [{ lowercase: { field: 'title' } }] });
  await call(node, 'PUT', '/books/_doc/1?refresh=true&pipeline=lower', { title: 'A book' });
});
afterAll(() => cluster.close());

const TEXT = expect.any(String);
const COUNT = expect.any(Number);
const MAP = expect.any(Object);
const ROLES = expect.arrayContaining(['data', 'master']);
const NODE = {
  ...{ name: 'a', ephemeral_id: TEXT, transport_address: TEXT, external_id: TEXT, attributes: MAP, roles: ROLES },
  ...{ version: TEXT, min_index_version: COUNT, max_index_version: COUNT },
};
const DOCS = { count: 1, deleted: 0, total_size_in_bytes: COUNT };
const FIELDDATA = { memory_size_in_bytes: 0, evictions: 0, global_ordinals: { build_time_in_millis: 0 } };

/** The value at a path of an answer; `*` is the only or first member. */
function memberAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    const members = Object(value) as Record<string, unknown>;
    return key === '*' ? Object.values(members)[0] : members[key];
  }, body);
}

test.each([
  ['/books/_search_shards', 'nodes.*', NODE],
  ['/books/_shard_stores?status=all', 'indices.books.shards.0.stores.0.*', NODE],
  ['/_cluster/state/nodes', 'nodes.*', NODE],
  ['/books/_segments', 'indices.books.shards.0.0.segments.*', { num_docs: 1, attributes: {} }],
  ['/books/_stats', '_all.primaries', { docs: DOCS, fielddata: FIELDDATA }],
  ['/_nodes/stats', 'nodes.*.indices', { docs: DOCS, fielddata: FIELDDATA }],
  ['/_cluster/stats', 'indices', { docs: DOCS, fielddata: FIELDDATA }],
  ['/_nodes', 'nodes.*.settings.cluster', { name: TEXT, election: { strategy: TEXT } }],
  ['/_nodes', 'nodes.*.settings', { client: { type: TEXT }, http: { type: TEXT }, transport: { type: TEXT } }],
  ['/_nodes', 'nodes.*.settings.node', { name: 'a', attr: {} }],
  ['/_nodes', 'nodes.*.os', { name: TEXT, pretty_name: TEXT, arch: TEXT, version: TEXT, available_processors: COUNT }],
  ['/_cluster/stats', 'nodes.os', { names: [{ name: TEXT, count: 1 }], pretty_names: [{ count: 1 }] }],
  ['/_cluster/stats', 'nodes.os.mem', { free_in_bytes: COUNT, free_percent: COUNT, used_percent: COUNT }],
  ['/_cluster/stats', 'nodes.jvm', { max_uptime_in_millis: COUNT, mem: { heap_max_in_bytes: COUNT }, threads: COUNT }],
  ['/_cluster/stats', 'nodes.process', { cpu: { percent: COUNT }, open_file_descriptors: { avg: COUNT } }],
  [
    '/_cluster/stats',
    'nodes',
    { discovery_types: {}, packaging_types: [{ flavor: 'default', type: 'tar', count: 1 }] },
  ],
  ['/_nodes', 'nodes.*.jvm', { version: TEXT, vm_name: TEXT, vm_vendor: TEXT, vm_version: TEXT, input_arguments: [] }],
  ['/_nodes', 'nodes.*.jvm.mem', { direct_max_in_bytes: 0, non_heap_init_in_bytes: 0, non_heap_max_in_bytes: 0 }],
  ['/_nodes', 'nodes.*', { component_versions: {}, index_version: COUNT, transport_version: COUNT }],
  ['/_cluster/stats', 'snapshots.current_counts', { snapshots: 0, shard_snapshots: 0, concurrent_operations: 0 }],
  ['/_cluster/stats', 'nodes.count', { total: 1, master: 1, data: 1, data_hot: 0, data_frozen: 0, ml: 0 }],
  ['/_nodes/stats', 'nodes.*.http', { current_open: COUNT, routes: {} }],
  ['/_cluster/stats', 'nodes.indexing_pressure.memory.total', { coordinating_in_bytes: 0, coordinating_rejections: 0 }],
  ['/_info/http', 'http', { current_open: COUNT, routes: {} }],
  ['/_cluster/stats', 'ccs._search', { total: 0, took: { max: 0 } }],
  ['/_cluster/stats', 'indices.mappings.source_modes', { stored: 1 }],
  ['/_health_report', 'indicators.shards_availability.diagnosis.0', { help_url: TEXT }],
  ['/_health_report', 'indicators.shards_capacity.details', { frozen: { max_shards_in_cluster: 0 } }],
  ['/_health_report', 'indicators.master_is_stable.details', { recent_masters: [{ name: 'a' }] }],
  ['/_xpack', 'tagline', TEXT],
])('%s has %s', async (path, member, wanted) => {
  const { status, body } = await call(node, 'GET', path);
  expect(status).toBe(200);
  const found = memberAt(body, member);
  if (typeof wanted === 'object' && !('asymmetricMatch' in wanted)) expect(found).toMatchObject(wanted);
  else expect(found).toEqual(wanted);
});

test('statistics of the cluster add up what processors of each type did', async () => {
  const { ingest, indexing_pressure } = (await call(node, 'GET', '/_cluster/stats')).body.nodes;
  expect(ingest).toMatchObject({ number_of_pipelines: COUNT, processor_stats: { lowercase: { count: 1, failed: 0 } } });
  expect(indexing_pressure.memory.total.primary_in_bytes).toBeGreaterThan(0);
});

test('usage of lifecycle policies tells when phases begin, in milliseconds, and the names of their actions', async () => {
  const phases = { hot: { actions: {} }, delete: { min_age: '7d', actions: { delete: {} } } };
  await call(node, 'PUT', '/_ilm/policy/week', { policy: { phases } });
  const { policy_stats } = (await call(node, 'GET', '/_xpack/usage')).body.ilm;
  expect(policy_stats).toContainEqual({
    phases: { hot: { min_age: 0, actions: [] }, delete: { min_age: 604_800_000, actions: ['delete'] } },
    indices_managed: 0,
  });
});

test('an explanation of an allocation names the roles and attributes of nodes', async () => {
  const ask = async (primary: boolean) =>
    (await call(node, 'POST', '/_cluster/allocation/explain', { index: 'books', shard: 0, primary })).body;
  expect((await ask(true)).current_node).toMatchObject({ attributes: {}, roles: ROLES });
  expect((await ask(false)).node_allocation_decisions[0]).toMatchObject({ node_attributes: {}, roles: ROLES });
});

test('a profile names the shard in parts, and all steps of Lucene', async () => {
  const { body } = await call(node, 'POST', '/books/_search', { profile: true, query: { match: { title: 'book' } } });
  const [shard] = body.profile.shards;
  expect(shard).toMatchObject({ node_id: TEXT, shard_id: 0, index: 'books', cluster: '(local)' });
  expect(shard.searches[0].query[0].breakdown).toMatchObject({ count_weight: 0, count_weight_count: 0 });
});

test('statistics of the cluster count types of fields and of analysis components', async () => {
  const { mappings, analysis } = (await call(node, 'GET', '/_cluster/stats')).body.indices;
  expect(mappings).toMatchObject({
    total_field_count: 5,
    field_types: [
      { name: 'keyword', count: 2, index_count: 1 },
      { name: 'object', count: 1 },
      { name: 'text', count: 2 },
    ],
  });
  expect(analysis).toMatchObject({
    analyzer_types: [{ name: 'custom', count: 1, index_count: 1 }],
    filter_types: [{ name: 'stop', count: 1 }],
    tokenizer_types: [],
    char_filter_types: [],
    built_in_analyzers: [{ name: 'english', count: 1 }],
    built_in_char_filters: [{ name: 'html_strip' }],
    built_in_filters: [{ name: 'lowercase' }],
    built_in_tokenizers: [{ name: 'standard' }],
  });
});
