import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deleteIndices } from '../../metadata/delete-index.ts';
import type { MetadataContext } from '../../metadata/metadata-context.ts';
import { setIndexState } from '../../metadata/open-close-index.ts';
import { updateClusterSettings } from '../../settings/update-cluster-settings.ts';
import { updateIndexSettings } from '../../settings/update-index-settings.ts';
import { clusterOf, testContext, testNode, withIndex } from '../../value/cluster-states.test-support.ts';
import { withNodes } from '../../value/cluster-value-model.ts';
import { started } from '../allocation-steps.test-support.ts';
import { reroute } from '../reroute.ts';
import { RoutingChanges } from '../routing-changes.ts';
import { applyShardFailed, startShard } from '../shard-transitions.ts';
import { CopyIndex, type FollowedCopies } from './copy-index.ts';

type Context = ReturnType<typeof testContext>;

const KINDS = ['create', 'delete', 'replicas', 'close', 'open', 'join', 'leave', 'start', 'startAll', 'fail'] as const;
const RULES = [
  'exclude',
  'include',
  'limit',
  'ofIndex',
  'limitOfIndex',
  'aware',
  'rebalance',
  'fill',
  'empty',
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number] | (typeof RULES)[number];
  readonly n: number;
  /** The state that allocation made is never in force: a dry run, or a cluster manager that lost its office. */
  readonly isDiscarded: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom(...KINDS, ...RULES, 'join', ...Array<'startAll'>(12).fill('startAll')),
    n: fc.nat({ max: 11 }),
    isDiscarded: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  }),
  { minLength: 20, maxLength: 60 },
);

const idOf = (n: number): string => 'abcdef'[n % 6] ?? 'a';
const nodeOf = (n: number, process: number): DiscoveryNode =>
  testNode(idOf(n), { ephemeralId: `${idOf(n)}-${process}`, attributes: { zone: String(n % 2) } });

/** What happens, as the cluster manager computes it. A request that is refused changes nothing. */
function after(state: ClusterState, { kind, n }: Step, at: number, context: Context): ClusterState {
  const names = [...state.metadata.indices.keys()];
  const index = names[n % Math.max(1, names.length)] ?? '';
  const indices = index === '' ? [] : [index];
  const copies = [...state.routing.indices.values()].flat(2);
  const starting = copies.filter((copy) => copy.state === 'INITIALIZING');
  const assigned = copies.filter((copy) => copy.nodeId !== null);
  const ofIndex = (settings: Record<string, string | number | null>): ClusterState =>
    indices.length === 0 ? state : updateIndexSettings(state, { indices, settings, preserveExisting: false }, context);
  const ofCluster = (settings: Record<string, string | number | null>): ClusterState =>
    updateClusterSettings(state, { persistent: settings, transient: {} }, context);
  const prefix = 'cluster.routing.allocation';
  switch (kind) {
    case 'create':
      return withIndex(
        state,
        `i${at}`,
        { settings: { number_of_shards: 1 + (n % 3), number_of_replicas: n % 2 } },
        context,
      );
    case 'delete':
      return deleteIndices(state, indices, context);
    case 'replicas':
      return ofIndex({ 'index.number_of_replicas': n % 3 });
    case 'close':
    case 'open':
      return setIndexState(state, indices, kind, context);
    case 'join':
      return withNodes(state, { joined: [nodeOf(n, at)], left: [], newManager: null }, context);
    case 'leave': {
      const node = state.nodes.get(idOf(1 + (n % 5)));
      return node === undefined
        ? state
        : withNodes(state, { joined: [], left: [{ node, reason: 'disconnected' }], newManager: null }, context);
    }
    case 'start': {
      const copy = starting[n % Math.max(1, starting.length)];
      return copy === undefined ? state : reroute(started(state, copy, context), context);
    }
    case 'startAll':
      return reroute(settledOnce(state), context);
    case 'fail': {
      const copy = assigned[n % Math.max(1, assigned.length)];
      if (copy?.allocationId == null) return state;
      const { index: name, shard, allocationId } = copy;
      const failed = { index: name, shard, allocationId, primaryTerm: 0, markStale: false, reason: 'r' };
      return reroute(applyShardFailed(state, failed, context), context);
    }
    case 'exclude':
      return ofCluster({ [`${prefix}.exclude._id`]: n % 3 === 0 ? null : idOf(n) });
    case 'include':
      return ofIndex({ 'index.routing.allocation.include._id': n % 3 === 0 ? null : `${idOf(n)},a` });
    case 'limit':
      return ofCluster({ [`${prefix}.total_shards_per_node`]: n % 3 === 0 ? null : 1 + n });
    case 'ofIndex':
      return ofIndex({ 'index.routing.allocation.exclude._id': n % 3 === 0 ? null : idOf(n) });
    case 'limitOfIndex':
      return ofIndex({ 'index.routing.allocation.total_shards_per_node': n % 3 === 0 ? null : 1 + (n % 4) });
    case 'aware':
      return ofCluster({ [`${prefix}.awareness.attributes`]: n % 2 === 0 ? null : 'zone' });
    case 'rebalance':
      return ofCluster({ [`${prefix}.allow_rebalance`]: n % 2 === 0 ? null : 'always' });
    case 'fill':
    case 'empty':
      return reroute(state, context);
  }
}

/** What nodes have on their disks, which fill and empty. */
class Disks {
  readonly full = new Set<string>();
  readonly #stores = new Map<string, string>();

  note(state: ClusterState): void {
    for (const { nodeId, indexUuid, shard, allocationId, state: of } of [...state.routing.indices.values()].flat(2)) {
      if (of === 'STARTED') this.#stores.set(`${nodeId}/${indexUuid}/${shard}`, allocationId ?? '');
    }
  }

  /** Another one each time: allocations that are compared see the same, and remember nothing of each other. */
  context(): Context {
    const { full } = this;
    const stores = testContext({
      find: ({ nodeId, indexUuid, shard }) => this.#stores.get(`${nodeId}/${indexUuid}/${shard}`) ?? null,
    });
    const disks: MetadataContext['disks'] = {
      of: ({ id }) => ({ totalBytes: 1e12, freeBytes: full.has(id) ? 9e10 : 9e11 }),
      shardBytes: () => 15e9,
    };
    return { ...stores, disks };
  }
}

/** All that is read of followed copies, but for what is left to look at. */
function shown(copies: FollowedCopies): unknown {
  return {
    total: copies.total,
    unassigned: copies.unassigned(),
    changingDisks: copies.changingDisks(),
    alike: [...copies.alike()].map((names) => [...names].sort().join()).sort(),
  };
}

/** All copies that start have started; no reroute. */
function settledOnce(state: ClusterState): ClusterState {
  const changes = new RoutingChanges(state);
  for (const { index, shard, allocationId, state: of } of [...state.routing.indices.values()].flat(2)) {
    if (of !== 'INITIALIZING') continue;
    const primaryTerm = changes.index(index).primaryTerms[shard] ?? 0;
    startShard(changes, { index, shard, allocationId: allocationId ?? '', primaryTerm });
  }
  return changes.finish();
}

function movingOf(state: ClusterState): readonly string[] {
  return [...state.routing.indices.values()]
    .flat(2)
    .flatMap((copy) => (copy.state === 'RELOCATING' ? [copy.index] : []));
}

describe('an index of copies that follows the states of a cluster', () => {
  test('says what one made for the state alone says, and allocation decides the same by both', () => {
    let moves = 0;
    fc.assert(
      fc.property(steps, (events) => {
        const disks = new Disks();
        const copies = new CopyIndex();
        let state = clusterOf(nodeOf(0, 0), nodeOf(1, 0), nodeOf(2, 0));
        for (const index of ['x', 'y'])
          state = withIndex(state, index, { settings: { number_of_shards: 3 } }, disks.context());
        for (const [at, step] of events.entries()) {
          if (step.kind === 'fill') disks.full.add(idOf(step.n));
          if (step.kind === 'empty') disks.full.clear();
          const ids = (): Pick<Context, 'newAllocationId' | 'newUuid'> => {
            let last = 0;
            const next = (): string => `${at}-${++last}`;
            return { newAllocationId: next, newUuid: next };
          };
          const next = after(state, step, at, { ...disks.context(), ...ids(), copies });
          const simple = after(state, step, at, { ...disks.context(), ...ids() });
          expect(next).toEqual(simple);
          if ([...next.routing.indices.values()].flat(2).some((copy) => copy.state === 'RELOCATING')) moves++;
          if (!step.isDiscarded) state = next;
          disks.note(state);
          expect(shown(copies.follow(state))).toEqual(shown(new CopyIndex().follow(state)));
        }
      }),
      { numRuns: 75 },
    );
    expect(moves).toBeGreaterThan(100);
  });

  test('leaves out of mind what it saw of copies while a move that was not made emptied their disk', () => {
    const disks = new Disks();
    const context = disks.context();
    const settings = {
      number_of_replicas: 0,
      'routing.allocation.include._id': 'a',
      'routing.rebalance.enable': 'none',
    };
    let state = clusterOf(testNode('a'), testNode('b'));
    for (const index of ['x', 'y']) {
      state = withIndex(state, index, { settings }, context);
      state = reroute(settledOnce(state), context);
    }
    disks.full.add('a');
    const free = { 'index.routing.allocation.include._id': null };
    const both = { indices: ['x', 'y'], settings: free, preserveExisting: false };
    // Only the first of the two has to go. It does not: its cluster manager loses its office.
    const open = { ...state, metadata: updateIndexSettings(state, both, disks.context()).metadata };
    expect(movingOf(reroute(open, context))).toEqual(['x']);
    const there = { 'index.routing.allocation.include._id': 'a' };
    const bound = { indices: ['x'], settings: there, preserveExisting: false };
    expect(movingOf(updateIndexSettings(open, bound, context))).toEqual(['y']);
  });

  test('looks at all copies of an index again whose primary came back to more than its node may have', () => {
    const held = new Map<string, string>();
    const context = testContext({ find: ({ nodeId, shard }) => held.get(`${nodeId}/${shard}`) ?? null });
    const settings = { number_of_shards: 2, number_of_replicas: 0, 'routing.allocation.total_shards_per_node': 1 };
    const [a, b, c] = [testNode('a'), testNode('b'), testNode('c')];
    const lib = settledOnce(withIndex(clusterOf(a, b), 'lib', { settings }, context));
    const left = [{ node: b, reason: 'disconnected' }] as const;
    const alone = withNodes(lib, { joined: [c], left, newManager: null }, context);
    expect(reroute(alone, context)).toBe(alone);
    const [lost] = lib.metadata.indices.get('lib')?.inSyncAllocations[1] ?? [];
    held.set('a/1', lost ?? '');
    const copies = [...reroute(alone, context).routing.indices.values()].flat(2);
    expect(copies.map(({ shard, state, nodeId }) => `${shard} ${state} ${nodeId}`)).toEqual([
      '0 RELOCATING a',
      '0 INITIALIZING c',
      '1 INITIALIZING a',
    ]);
  });

  test('is not read for a state that it followed before another one', () => {
    const copies = new CopyIndex();
    const state = withIndex(clusterOf(testNode('a')), 'lib');
    const before = copies.follow(state);
    copies.follow(withIndex(state, 'other'));
    expect(() => before.tallyOf('lib')).toThrow('copies of a state are read after another one was followed');
  });
});
