import { type ClusterState, type DiscoveryNode, isRelocationTarget, withoutTargets } from '@shoal/cluster-state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../settings/update-index-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { AllocationRound } from './allocation-round.ts';
import { settled, started } from './allocation-steps.test-support.ts';
import { explainAllocation } from './explain/explain-allocation.ts';
import { reroute } from './reroute.ts';

type Context = ReturnType<typeof testContext>;

const NOTHING_STORED = { find: () => null };
const [a, b, c] = [testNode('a'), testNode('b'), testNode('c')];

function join(state: ClusterState, node: DiscoveryNode, context: Context): ClusterState {
  return withNodes(state, { joined: [node], left: [], newManager: null }, context);
}

function counts(state: ClusterState): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { nodeId } of [...state.routing.indices.values()].flat(2)) {
    if (nodeId !== null) found[nodeId] = (found[nodeId] ?? 0) + 1;
  }
  return found;
}

function moving(state: ClusterState): number {
  return [...state.routing.indices.values()].flat(2).filter(({ state: of }) => of === 'RELOCATING').length;
}

function set(state: ClusterState, persistent: Record<string, unknown>, context: Context): ClusterState {
  return updateClusterSettings(state, { persistent, transient: {} }, context);
}

describe('a node that joins', () => {
  test('is given copies, two at a time, until the nodes are in balance', () => {
    const context = testContext(NOTHING_STORED);
    const lib = settled(
      withIndex(clusterOf(a, b), 'lib', { settings: { number_of_shards: 9, number_of_replicas: 0 } }, context),
      context,
    );
    const joined = join(lib, c, context);
    expect(moving(joined)).toBe(2);
    expect(counts(settled(joined, context))).toEqual({ a: 3, b: 3, c: 3 });
  });

  test.each([
    [{ 'cluster.routing.rebalance.enable': 'none' }, 0],
    [{ 'cluster.routing.allocation.cluster_concurrent_rebalance': 1 }, 1],
    [{ 'cluster.routing.allocation.enable': 'none' }, 0],
    [{ 'cluster.routing.allocation.balance.threshold': 10 }, 0],
    [{ 'cluster.routing.allocation.exclude._name': 'name-c' }, 0],
  ])('with %j is given %i', (settings, expected) => {
    const context = testContext(NOTHING_STORED);
    const lib = settled(
      withIndex(clusterOf(a, b), 'lib', { settings: { number_of_shards: 9, number_of_replicas: 0 } }, context),
      context,
    );
    expect(moving(join(set(lib, settings, context), c, context))).toBe(expected);
  });

  test('waits until every copy is active, or every primary, or for nothing', () => {
    const context = testContext(NOTHING_STORED);
    const lib = settled(
      withIndex(clusterOf(a, b), 'lib', { settings: { number_of_shards: 9, number_of_replicas: 0 } }, context),
      context,
    );
    const other = { number_of_replicas: 1, 'routing.allocation.include._id': 'a' };
    const yellow = settled(withIndex(lib, 'other', { settings: other }, context), context);
    const allowed = (value: string): number =>
      moving(join(set(yellow, { 'cluster.routing.allocation.allow_rebalance': value }, context), c, context));
    expect(['indices_all_active', 'indices_primaries_active', 'always'].map(allowed)).toEqual([0, 2, 2]);
    const shard = { index: 'lib', shard: 0, isPrimary: true };
    expect(explainAllocation(join(yellow, c, context), { shard, includeYesDecisions: false }, context)).toMatchObject({
      can_remain_on_current_node: 'yes',
      can_rebalance_cluster: 'no',
      can_rebalance_cluster_decisions: [
        {
          decider: 'cluster_rebalance',
          decision: 'NO',
          explanation:
            'the cluster has unassigned shards and cluster setting [cluster.routing.allocation.allow_rebalance] is set to [indices_all_active]',
        },
      ],
      can_rebalance_to_other_node: 'no',
      rebalance_explanation:
        'rebalancing is not allowed, even though there is at least one node on which the shard can be allocated',
    });
  });

  test('is explained to be better, and what is on its way there to be so', () => {
    const context = testContext(NOTHING_STORED);
    const settings = { number_of_shards: 9, number_of_replicas: 0, 'routing.rebalance.enable': 'none' };
    const lib = settled(withIndex(clusterOf(a, b), 'lib', { settings }, context), context);
    const joined = join(lib, c, context);
    const free = { 'index.routing.rebalance.enable': null };
    const shard = { index: 'lib', shard: 0, isPrimary: true };
    const options = { shard, includeYesDecisions: false };
    const moved = updateIndexSettings(joined, { indices: ['lib'], settings: free, preserveExisting: false }, context);
    expect(explainAllocation(moved, options, context)).toMatchObject({
      current_state: 'relocating',
      explanation:
        'the shard is in the process of relocating from node [name-a] to node [name-c], wait until relocation has completed',
    });
    const still = { ...moved, routing: joined.routing };
    expect(explainAllocation(still, options, context)).toMatchObject({
      can_rebalance_cluster: 'yes',
      can_rebalance_to_other_node: 'yes',
      rebalance_explanation: 'can rebalance shard',
      node_allocation_decisions: [
        { node_id: 'c', node_decision: 'yes', weight_ranking: 1 },
        { node_id: 'b', node_decision: 'worse_balance' },
      ],
    });
    expect(explainAllocation(lib, options, context)).toMatchObject({
      can_rebalance_cluster: 'no',
      can_rebalance_cluster_decisions: [
        {
          decider: 'enable',
          explanation: 'no rebalancing is allowed due to index setting [index.routing.rebalance.enable=none]',
        },
      ],
    });
  });
});

test('a node that is excluded gets empty while its copies go on to serve', () => {
  const context = testContext(NOTHING_STORED);
  const settings = { number_of_shards: 4, number_of_replicas: 1 };
  let state = settled(withIndex(clusterOf(a, b, c), 'lib', { settings }, context), context);
  state = set(state, { 'cluster.routing.allocation.exclude._name': 'name-b' }, context);
  for (let step = 0; counts(state).b !== undefined; step++) {
    expect(step).toBeLessThan(50);
    for (const copies of state.routing.indices.get('lib') ?? []) {
      expect(withoutTargets(copies).every(({ state: of }) => of === 'STARTED' || of === 'RELOCATING')).toBe(true);
    }
    const target = copiesOf(state, 'lib').find(isRelocationTarget);
    if (target !== undefined) state = reroute(started(state, target, context), context);
  }
  expect(counts(settled(state, context))).toEqual({ a: 4, c: 4 });
});

describe('whatever the cluster and its settings', () => {
  const zones = fc.constantFrom('1', '2', '3');
  const scenario = fc.record({
    nodes: fc.array(zones, { minLength: 1, maxLength: 5 }),
    late: fc.array(zones, { maxLength: 3 }),
    indices: fc.array(
      fc.record({
        shards: fc.integer({ min: 1, max: 4 }),
        replicas: fc.integer({ min: 0, max: 2 }),
        excluded: fc.option(fc.constantFrom('a', 'b', 'c'), { freq: 3 }),
        perNode: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
        rebalance: fc.constantFrom('all', 'all', 'all', 'primaries', 'replicas', 'none'),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    isAware: fc.boolean(),
    perNode: fc.option(fc.integer({ min: 2, max: 8 }), { freq: 4 }),
    excluded: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 3 }),
    full: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 4 }),
    allow: fc.constantFrom('always', 'indices_primaries_active', 'indices_all_active'),
    threshold: fc.constantFrom(1, 1.5, 3),
    balance: fc.constantFrom([0.45, 0.55], [1, 0], [0, 1]),
  });

  test('moves end, nothing stands where it may not, and what is out of balance has its reason', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const ids = 'abcdefgh';
        const nodes = [...given.nodes, ...given.late].map((zone, i) =>
          testNode(ids[i] ?? '', { attributes: { zone } }),
        );
        const context: Context = {
          ...testContext(NOTHING_STORED),
          disks: {
            of: ({ id }) => ({ totalBytes: 1e12, freeBytes: id === given.full ? 12e10 : 9e11 }),
            shardBytes: () => 15e9,
          },
        };
        let state = clusterOf(...nodes.slice(0, given.nodes.length));
        given.indices.forEach(({ shards, replicas, rebalance }, i) => {
          const settings = {
            number_of_shards: shards,
            number_of_replicas: replicas,
            'routing.rebalance.enable': rebalance,
          };
          state = withIndex(state, `i${i}`, { settings }, context);
        });
        state = settled(state, context);
        given.indices.forEach(({ excluded, perNode }, i) => {
          const settings = {
            ...(excluded === null ? {} : { 'index.routing.allocation.exclude._id': excluded }),
            ...(perNode === null ? {} : { 'index.routing.allocation.total_shards_per_node': perNode }),
          };
          state = updateIndexSettings(state, { indices: [`i${i}`], settings, preserveExisting: false }, context);
        });
        const prefix = 'cluster.routing.allocation';
        state = set(
          state,
          {
            ...(given.isAware ? { [`${prefix}.awareness.attributes`]: 'zone' } : {}),
            ...(given.perNode === null ? {} : { [`${prefix}.total_shards_per_node`]: given.perNode }),
            ...(given.excluded === null ? {} : { [`${prefix}.exclude._id`]: given.excluded }),
            [`${prefix}.allow_rebalance`]: given.allow,
            [`${prefix}.balance.threshold`]: given.threshold,
            [`${prefix}.balance.shard`]: given.balance[0],
            [`${prefix}.balance.index`]: given.balance[1],
          },
          context,
        );
        for (const node of nodes.slice(given.nodes.length)) state = join(state, node, context);
        state = settled(state, context);
        expect(reroute(state, context)).toBe(state);
        expectInOrder(state, context);
      }),
      { numRuns: 200, seed: 20_261_128 },
    );
  });
});

/** At rest: each copy stands where it may, or nowhere else; each heavier node keeps its copies for a reason. */
function expectInOrder(state: ClusterState, context: Context): void {
  const round = new AllocationRound(state, context);
  for (const copies of [...state.routing.indices.values()].flat()) {
    const held = copies.flatMap(({ nodeId }) => nodeId ?? []);
    expect(new Set(held).size).toBe(held.length);
    for (const copy of copies) {
      const others = round.nodes.filter((node) => node.id !== copy.nodeId && round.verdict(copy, node) === 'YES');
      if (copy.nodeId === null) {
        // A replica without an active primary has nowhere to come from; any other takes what it can get.
        expect(others).toEqual([]);
        continue;
      }
      if (!round.mayRemain(copy)) expect(others).toEqual([]);
      if (round.rebalanceVerdict(copy) !== 'YES') continue;
      const here = round.indexWeight(copy.index, copy.nodeId);
      for (const node of others) {
        if (!round.passesFilters(copy.index, node)) continue;
        expect(here - round.indexWeight(copy.index, node.id)).toBeLessThanOrEqual(round.balanceThreshold + 1e-6);
      }
    }
  }
}
