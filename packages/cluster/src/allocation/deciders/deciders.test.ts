import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { describe, expect, test } from 'vitest';
import { withFloodStageBlocks } from '../../settings/flood-stage-blocks.ts';
import { updateClusterSettings } from '../../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../../value/cluster-states.test-support.ts';
import { withNodes } from '../../value/cluster-value-model.ts';
import { settled } from '../allocation-steps.test-support.ts';
import { explainAllocation } from '../explain/explain-allocation.ts';
import { reroute } from '../reroute.ts';
import type { DiskUsages } from '../rules/allocation-context.ts';

type Context = ReturnType<typeof testContext>;

const NOTHING_STORED = { find: () => null };
const GIB = 1024 ** 3;
const ALONE = { settings: { number_of_replicas: 0 } };

function zoned(id: string, zone: string): DiscoveryNode {
  return testNode(id, { attributes: { zone } });
}

function cluster(settings: Record<string, unknown>, context: Context, ...nodes: DiscoveryNode[]): ClusterState {
  return updateClusterSettings(clusterOf(...nodes), { persistent: settings, transient: {} }, context);
}

/** Ids of the nodes of the copies, per shard. */
function placed(state: ClusterState, index = 'lib'): readonly (string | null)[] {
  return copiesOf(state, index).map(({ nodeId }) => nodeId);
}

/** Explanations of deciders other than YES, of a replica of `lib` that has no node. */
function refusals(state: ClusterState, context: Context): readonly unknown[] {
  const body = explainAllocation(
    state,
    { shard: { index: 'lib', shard: 0, isPrimary: false }, includeYesDecisions: false },
    context,
  ) as { node_allocation_decisions: readonly { node_id: string; deciders?: readonly Record<string, unknown>[] }[] };
  return body.node_allocation_decisions.flatMap(({ node_id, deciders = [] }) =>
    deciders.map(({ decider, explanation }) => [node_id, decider, explanation]),
  );
}

/** Disks of 100 GiB with so many used, and copies of one GiB. */
function disks(usedGib: Readonly<Record<string, number>>): DiskUsages {
  return {
    of: ({ id }) => {
      const used = usedGib[id];
      return used === undefined ? null : { totalBytes: 100 * GIB, freeBytes: (100 - used) * GIB };
    },
    shardBytes: () => GIB,
  };
}

describe('awareness', () => {
  const attributes = { 'cluster.routing.allocation.awareness.attributes': 'zone' };

  test('puts the copies of a shard into different zones', () => {
    const context = testContext(NOTHING_STORED);
    const state = cluster(attributes, context, zoned('a', '1'), zoned('b', '1'), zoned('c', '2'));
    const lib = settled(withIndex(state, 'lib', { settings: { number_of_replicas: 1 } }, context), context);
    expect(placed(lib)).toEqual(['a', 'c']);
    const two = { indices: ['lib'], settings: { number_of_replicas: 2 }, preserveExisting: false };
    expect(placed(settled(updateIndexSettings(lib, two, context), context))).toEqual(['a', 'c', 'b']);
  });

  test('counts forced zones that are not there, and leaves copies for them', () => {
    const context = testContext(NOTHING_STORED);
    const forced = { ...attributes, 'cluster.routing.allocation.awareness.force.zone.values': '1,2' };
    const state = cluster(forced, context, zoned('a', '1'), zoned('b', '1'), testNode('c'));
    const lib = settled(withIndex(state, 'lib', { settings: { number_of_replicas: 1 } }, context), context);
    expect(placed(lib)).toEqual(['a', null]);
    expect(refusals(lib, context)).toContainEqual([
      'b',
      'awareness',
      'there are [2] copies of this shard and [2] values for attribute [zone] ([1] from nodes in the cluster and [1, 2] from forced awareness) so there may be at most [1] copies of this shard allocated to nodes with each value, but (including this copy) there would be [2] copies allocated to nodes with [node.attr.zone: 1]',
    ]);
    expect(refusals(lib, context)).toContainEqual([
      'c',
      'awareness',
      'node does not contain the awareness attribute [zone]; required attributes cluster setting [cluster.routing.allocation.awareness.attributes=zone]',
    ]);
  });

  test('that is switched on later moves a copy out of the zone that has both', () => {
    const context = testContext(NOTHING_STORED);
    const nodes = [zoned('a', '1'), zoned('b', '1'), zoned('c', '2')];
    const settings = { number_of_replicas: 1, 'routing.allocation.exclude._id': 'c' };
    const both = settled(withIndex(clusterOf(...nodes), 'lib', { settings }, context), context);
    expect(placed(both)).toEqual(['a', 'b']);
    const free = {
      indices: ['lib'],
      settings: { 'index.routing.allocation.exclude._id': null },
      preserveExisting: false,
    };
    const aware = updateClusterSettings(
      settled(updateIndexSettings(both, free, context), context),
      { persistent: attributes, transient: {} },
      context,
    );
    expect(new Set(placed(settled(aware, context)))).toContain('c');
  });
});

describe('limits', () => {
  test('of copies of a node hold for all indices together', () => {
    const context = testContext(NOTHING_STORED);
    const limit = { 'cluster.routing.allocation.total_shards_per_node': 1 };
    const state = withIndex(cluster(limit, context, testNode('a'), testNode('b')), 'one', ALONE, context);
    const lib = settled(withIndex(state, 'lib', { settings: { number_of_replicas: 1 } }, context), context);
    expect([placed(lib, 'one'), placed(lib)]).toEqual([['a'], ['b', null]]);
    expect(refusals(lib, context)[0]).toEqual([
      'a',
      'shards_limit',
      'too many shards [1] allocated to this node, cluster setting [cluster.routing.allocation.total_shards_per_node=1]',
    ]);
  });

  test('that are lowered move what is too much', () => {
    const context = testContext(NOTHING_STORED);
    const settings = { number_of_shards: 2, number_of_replicas: 0, 'routing.allocation.include._id': 'a' };
    const lib = settled(withIndex(clusterOf(testNode('a'), testNode('b')), 'lib', { settings }, context), context);
    expect(placed(lib)).toEqual(['a', 'a']);
    const limited = {
      'index.routing.allocation.include._id': null,
      'index.routing.allocation.total_shards_per_node': 1,
      'index.routing.rebalance.enable': 'none',
    };
    const update = { indices: ['lib'], settings: limited, preserveExisting: false };
    expect(placed(settled(updateIndexSettings(lib, update, context), context))).toEqual(['b', 'a']);
  });
});

test('copies of a shard stay off nodes of one address where that is asked for', () => {
  const context = testContext(NOTHING_STORED);
  const address = (host: string) => ({ address: { host, port: 9300 } });
  const nodes = [
    testNode('a', address('10.0.0.1')),
    testNode('b', address('10.0.0.1')),
    testNode('c', address('10.0.0.2')),
  ];
  const state = cluster({ 'cluster.routing.allocation.same_shard.host': true }, context, ...nodes);
  const settings = { number_of_replicas: 1, 'routing.allocation.exclude._id': 'c' };
  const lib = settled(withIndex(state, 'lib', { settings }, context), context);
  expect(placed(lib)).toEqual(['a', null]);
  expect(refusals(lib, context)).toContainEqual([
    'b',
    'same_shard',
    'a copy of this shard is already allocated to host address [10.0.0.1], on node [a], and [cluster.routing.allocation.same_shard.host] is [true] which forbids more than one node on this host from holding a copy of this shard',
  ]);
});

test('a replica is not put on a node of an older version than its primary has', () => {
  const context = testContext(NOTHING_STORED);
  const nodes = [testNode('a', { version: '0.2.0' }), testNode('b')];
  const lib = settled(withIndex(clusterOf(...nodes), 'lib', { settings: { number_of_replicas: 1 } }, context), context);
  expect(placed(lib)).toEqual(['a', null]);
  expect(refusals(lib, context)).toContainEqual([
    'b',
    'node_version',
    'cannot allocate replica shard to a node with version [0.1.0] since this is older than the primary version [0.2.0]',
  ]);
});

test('a primary goes back to the only node with its documents, whatever filters and settings say', () => {
  const context = testContext(NOTHING_STORED);
  const started = settled(withIndex(clusterOf(testNode('a'), testNode('b')), 'lib', ALONE, context), context);
  const id = copiesOf(started, 'lib')[0]?.allocationId ?? null;
  const gone = withNodes(
    started,
    { joined: [], left: [{ node: testNode('a'), reason: 'disconnected' }], newManager: null },
    context,
  );
  const none = { 'cluster.routing.allocation.enable': 'none', 'cluster.routing.allocation.exclude._id': 'a' };
  const off = updateClusterSettings(gone, { persistent: none, transient: {} }, context);
  const holding = { ...context, stores: { find: ({ nodeId }: { nodeId: string }) => (nodeId === 'a' ? id : null) } };
  const back = withNodes(off, { joined: [testNode('a', { ephemeralId: 'a-2' })], left: [], newManager: null }, holding);
  expect(copiesOf(back, 'lib')[0]).toMatchObject({ state: 'INITIALIZING', nodeId: 'a', allocationId: id });
});

describe('a disk', () => {
  const nodes = [testNode('a'), testNode('b')];
  const withReplica = { settings: { number_of_replicas: 1 } };

  test.each([
    [84, null],
    [
      86,
      'the node is above the low watermark cluster setting [cluster.routing.allocation.disk.watermark.low=85%], having less than the minimum required [15gb] free space, actual free: [14gb]',
    ],
    [null, null],
  ])('with %s percent used, takes a replica or says: %s', (used, refusal) => {
    const context = { ...testContext(NOTHING_STORED), disks: disks({ a: 10, ...(used === null ? {} : { b: used }) }) };
    const lib = settled(withIndex(clusterOf(...nodes), 'lib', withReplica, context), context);
    expect(placed(lib)).toEqual(['a', refusal === null ? 'b' : null]);
    if (refusal !== null) expect(refusals(lib, context)).toContainEqual(['b', 'disk_threshold', refusal]);
  });

  test('above the low watermark still takes a new primary, above the high one none', () => {
    for (const [used, status] of [
      [88, 'STARTED'],
      [91, 'UNASSIGNED'],
    ] as const) {
      const context = { ...testContext(NOTHING_STORED), disks: disks({ a: used }) };
      const settings = { number_of_replicas: 0, 'routing.allocation.include._id': 'a' };
      const lib = settled(withIndex(clusterOf(...nodes), 'lib', { settings }, context), context);
      expect(copiesOf(lib, 'lib')[0]?.state).toBe(status);
    }
  });

  test('of the only data node keeps nothing from it, unless that is asked for', () => {
    const context = { ...testContext(NOTHING_STORED), disks: disks({ a: 94 }) };
    const stateOf = (settings: Readonly<Record<string, unknown>>): string | undefined => {
      const lib = settled(withIndex(cluster(settings, context, testNode('a')), 'lib', ALONE, context), context);
      return copiesOf(lib, 'lib')[0]?.state;
    };
    expect(stateOf({})).toBe('STARTED');
    expect(stateOf({ 'cluster.routing.allocation.disk.watermark.enable_for_single_data_node': true })).toBe(
      'UNASSIGNED',
    );
  });

  test('counts what recoveries that run will write', () => {
    const context = { ...testContext(NOTHING_STORED), disks: disks({ a: 10, b: 84 }) };
    const settings = { number_of_shards: 3, number_of_replicas: 0, 'routing.allocation.include._id': 'a' };
    const many = cluster({ 'cluster.routing.allocation.node_concurrent_recoveries': 9 }, context, ...nodes);
    const lib = settled(withIndex(many, 'lib', { settings }, context), context);
    const more = { number_of_replicas: 1, 'index.routing.allocation.include._id': null };
    const grown = updateIndexSettings(lib, { indices: ['lib'], settings: more, preserveExisting: false }, context);
    // 16 GiB are free: with two copies of 1 GiB on their way, the third would find less than 15.
    const starting = copiesOf(grown, 'lib').filter(({ state }) => state === 'INITIALIZING');
    expect(starting).toHaveLength(2);
  });

  test('above the high watermark gives copies away until it is below', () => {
    const roomy = testContext(NOTHING_STORED);
    const settings = {
      number_of_shards: 4,
      number_of_replicas: 0,
      'routing.allocation.include._id': 'a',
      'routing.rebalance.enable': 'none',
    };
    const lib = settled(withIndex(clusterOf(...nodes), 'lib', { settings }, roomy), roomy);
    const all = { 'index.routing.allocation.include._id': null };
    const free = updateIndexSettings(lib, { indices: ['lib'], settings: all, preserveExisting: false }, roomy);
    const full = { ...testContext(NOTHING_STORED), disks: disks({ a: 91, b: 10 }) };
    const moving = copiesOf(reroute(free, full), 'lib').filter(({ state }) => state === 'RELOCATING');
    expect(moving).toHaveLength(1);
    const shard = { index: 'lib', shard: 0, isPrimary: true };
    expect(explainAllocation(free, { shard, includeYesDecisions: false }, full)).toMatchObject({
      can_remain_on_current_node: 'no',
      can_remain_decisions: [
        {
          decider: 'disk_threshold',
          decision: 'NO',
          explanation:
            'the shard cannot remain on this node because it is above the high watermark cluster setting [cluster.routing.allocation.disk.watermark.high=90%] and there is less than the required [10gb] free space on node, actual free: [9gb]',
        },
      ],
      can_move_to_other_node: 'yes',
      move_explanation: 'shard cannot remain on this node and is force-moved to another node',
      node_allocation_decisions: [{ node_id: 'b', node_decision: 'yes' }],
    });
  });

  test('above the flood stage closes its indices to writes, and below the high watermark opens them', () => {
    const context = testContext(NOTHING_STORED);
    const settings = { number_of_replicas: 0, 'routing.allocation.include._id': 'a' };
    const other = { number_of_replicas: 0, 'routing.allocation.include._id': 'b' };
    const lib = settled(withIndex(clusterOf(...nodes), 'lib', { settings }, context), context);
    const both = settled(withIndex(lib, 'other', { settings: other }, context), context);
    const at = (state: ClusterState, used: number): ClusterState =>
      withFloodStageBlocks(state, { ...context, disks: disks({ a: used, b: 10 }) });
    const flooded = at(both, 96);
    expect([...flooded.blocks.indices.keys()]).toEqual(['lib']);
    expect(flooded.metadata.indices.get('lib')?.settings['index.blocks.read_only_allow_delete']).toBe('true');
    expect(at(flooded, 92)).toBe(flooded);
    const dried = at(flooded, 89);
    expect(dried.blocks.indices.size).toBe(0);
    expect(dried.metadata.indices.get('lib')?.settings).not.toHaveProperty('index.blocks.read_only_allow_delete');
    const off = { 'cluster.routing.allocation.disk.threshold_enabled': false };
    const unwatched = updateClusterSettings(both, { persistent: off, transient: {} }, context);
    expect(at(unwatched, 99)).toBe(unwatched);
  });

  test.each([
    [{ low: '95%' }, 'low disk watermark [95%] more than high disk watermark [90%]'],
    [
      { low: '10gb', high: '20gb', flood_stage: '5gb' },
      'low disk watermark [10gb] less than high disk watermark [20gb]',
    ],
    [{ high: '96%' }, 'high disk watermark [96%] more than flood stage disk watermark [95%]'],
    [
      { low: '10gb' },
      'unable to consistently parse [cluster.routing.allocation.disk.watermark.low=10gb], [cluster.routing.allocation.disk.watermark.high=90%], and [cluster.routing.allocation.disk.watermark.flood_stage=95%] as percentage or bytes',
    ],
    [{ low: 'much' }, 'failed to parse setting'],
    [
      { low: '9gb', high: '8gb', flood_stage: '7gb', 'low.max_headroom': '1gb' },
      '[cluster.routing.allocation.disk.watermark.low.max_headroom] is set, and',
    ],
  ])('refuses watermarks that make no sense: %j', (given, reason) => {
    const prefix = 'cluster.routing.allocation.disk.watermark.';
    const persistent = Object.fromEntries(Object.entries(given).map(([name, value]) => [prefix + name, value]));
    expect(() => updateClusterSettings(clusterOf(testNode('a')), { persistent, transient: {} }, testContext())).toThrow(
      reason,
    );
  });

  test.each([
    [{ low: '0.5', high: '0.9' }, 60],
    [{ low: '50gb', high: '20gb', flood_stage: '10gb' }, 60],
    [{ low: '85%', 'low.max_headroom': '5gb', high: '96%', flood_stage: '97%' }, 96],
  ])('follows watermarks that are set as %j', (given, used) => {
    const prefix = 'cluster.routing.allocation.disk.watermark.';
    const settings = Object.fromEntries(Object.entries(given).map(([name, value]) => [prefix + name, value]));
    for (const [more, node] of [
      [-12, 'b'],
      [0, null],
    ] as const) {
      const context = { ...testContext(NOTHING_STORED), disks: disks({ a: 10, b: used + more }) };
      const state = cluster(settings, context, ...nodes);
      expect(placed(settled(withIndex(state, 'lib', withReplica, context), context))).toEqual(['a', node]);
    }
  });
});
