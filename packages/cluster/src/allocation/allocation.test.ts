import type { ClusterState } from '@shoal/cluster-state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setIndexState } from '../metadata/open-close-index.ts';
import { updateClusterSettings } from '../settings/update-cluster-settings.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { waitsOfCopies } from './allocation-delay.ts';
import { explainAllocation } from './explain/explain-allocation.ts';
import { reroute } from './reroute.ts';
import type { ShardStores } from './rules/allocation-context.ts';
import { applyShardFailed, applyShardStarted, resetFailedAllocations } from './shard-transitions.ts';

const [a, b, c] = [testNode('a'), testNode('b'), testNode('c')];

/** Every copy that waits for its data node reports that it started. */
function startAll(state: ClusterState): ClusterState {
  let next = state;
  for (const copy of [...next.routing.indices.values()].flat(2)) {
    if (copy.state !== 'INITIALIZING' || copy.allocationId === null) continue;
    const primaryTerm = next.metadata.indices.get(copy.index)?.primaryTerms[copy.shard] ?? 0;
    const { index, shard, allocationId } = copy;
    next = reroute(applyShardStarted(next, { index, shard, allocationId, primaryTerm }), testContext());
  }
  return next;
}

function leave(state: ClusterState, id: string): ClusterState {
  const node = state.nodes.get(id);
  if (node === undefined) return state;
  return withNodes(state, { joined: [], left: [{ node, reason: 'disconnected' }], newManager: null }, testContext());
}

function join(state: ClusterState, id: string, ephemeralId: string, stores?: ShardStores): ClusterState {
  const joined = [testNode(id, { ephemeralId })];
  return withNodes(state, { joined, left: [], newManager: null }, testContext(stores));
}

describe('new primaries', () => {
  test('are spread over the data nodes, the same way every time', () => {
    const state = withIndex(clusterOf(a, b, c), 'lib', { settings: { number_of_shards: 6, number_of_replicas: 0 } });
    expect(copiesOf(state, 'lib').map((copy) => copy.nodeId)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    const alone = { settings: { number_of_replicas: 0 } };
    const second = withIndex(withIndex(clusterOf(a, b, c), 'x', alone), 'y', alone);
    expect([...copiesOf(second, 'x'), ...copiesOf(second, 'y')].map((copy) => copy.nodeId)).toEqual(['a', 'b']);
  });

  test('never go to nodes without the data role, and wait when there is no other', () => {
    const coordinator = testNode('z', { roles: [] });
    const state = withIndex(clusterOf(coordinator), 'lib');
    expect(copiesOf(state, 'lib')[0]?.state).toBe('UNASSIGNED');
    const joined = join(state, 'b', 'b-1');
    expect(copiesOf(joined, 'lib')[0]).toMatchObject({ state: 'INITIALIZING', nodeId: 'b' });
  });

  test('obey filters and the enable setting', () => {
    const settings = { number_of_shards: 2, number_of_replicas: 0, 'index.routing.allocation.require._name': 'name-c' };
    const state = withIndex(clusterOf(a, b, c), 'lib', { settings });
    expect(copiesOf(state, 'lib').map((copy) => copy.nodeId)).toEqual(['c', 'c']);
    const none = { persistent: { 'cluster.routing.allocation.enable': 'none' }, transient: {} };
    const off = withIndex(updateClusterSettings(clusterOf(a), none, testContext()), 'lib');
    expect(copiesOf(off, 'lib')[0]?.unassigned?.allocationStatus).toBe('deciders_no');
    const body = explainAllocation(off, { shard: null, includeYesDecisions: false }, testContext());
    expect(body).toMatchObject({
      index: 'lib',
      can_allocate: 'no',
      node_allocation_decisions: [
        {
          node_id: 'a',
          node_decision: 'no',
          deciders: [
            {
              decider: 'enable',
              decision: 'NO',
              explanation: 'no allocations are allowed due to cluster setting [cluster.routing.allocation.enable=none]',
            },
          ],
        },
      ],
    });
  });
});

test('a shard of a closed index is assigned to the node that holds it, and lost with that node', () => {
  const open = startAll(withIndex(clusterOf(a, b), 'lib', { settings: { number_of_replicas: 0 } }));
  const held = copiesOf(open, 'lib')[0]?.allocationId ?? '';
  const stores: ShardStores = { find: ({ nodeId }) => (nodeId === 'a' ? held : null) };
  const closing = setIndexState(open, ['lib'], 'close', testContext(stores));
  expect(copiesOf(closing, 'lib')[0]).toMatchObject({
    state: 'INITIALIZING',
    nodeId: 'a',
    allocationId: held,
    unassigned: { reason: 'INDEX_CLOSED' },
  });
  const closed = startAll(closing);
  const shard = { index: 'lib', shard: 0, isPrimary: true };
  expect(explainAllocation(closed, { shard, includeYesDecisions: false }, testContext())).toMatchObject({
    current_state: 'started',
    current_node: { id: 'a' },
  });
  expect(copiesOf(leave(closed, 'a'), 'lib')[0]).toMatchObject({ state: 'UNASSIGNED' });
});

describe('a primary whose node left', () => {
  const settings = { number_of_shards: 2, number_of_replicas: 0 };
  const started = startAll(withIndex(clusterOf(a, b), 'lib', { settings }));
  const gone = leave(started, 'b');
  const lost = copiesOf(gone, 'lib')[1];

  test('is unassigned with the reason and waits for its documents', () => {
    expect(lost).toMatchObject({ state: 'UNASSIGNED', recoverySource: 'EXISTING_STORE' });
    expect(lost?.unassigned).toMatchObject({ reason: 'NODE_LEFT', details: 'node_left [b]', lastNodeId: 'b' });
    expect(lost?.unassigned?.allocationStatus).toBe('fetching_shard_data');
  });

  test('does not go to a node with another copy or none', () => {
    const context = testContext({ find: ({ nodeId }) => (nodeId === 'a' ? 'stale-copy' : null) });
    const state = reroute(gone, context);
    expect(copiesOf(state, 'lib')[1]?.unassigned?.allocationStatus).toBe('no_valid_shard_copy');
    expect(explainAllocation(state, { shard: null, includeYesDecisions: false }, context)).toMatchObject({
      can_allocate: 'no_valid_shard_copy',
      node_allocation_decisions: [{ node_id: 'a', store: { in_sync: false, allocation_id: 'stale-copy' } }],
    });
  });

  test('goes back to its in-sync copy with the same allocation id in the next term', () => {
    const id = started.metadata.indices.get('lib')?.inSyncAllocations[1]?.[0] ?? '';
    const stores: ShardStores = { find: ({ nodeId, shard }) => (nodeId === 'b' && shard === 1 ? id : null) };
    const back = join(gone, 'b', 'b-2', stores);
    expect(copiesOf(back, 'lib')[1]).toMatchObject({ state: 'INITIALIZING', nodeId: 'b', allocationId: id });
    expect(back.metadata.indices.get('lib')?.primaryTerms).toEqual([1, 2]);
    expect(back.metadata.indices.get('lib')?.inSyncAllocations[1]).toEqual([id]);
  });
});

describe('a copy that fails to start', () => {
  function failOnce(state: ClusterState, nowMs: number): ClusterState {
    const copy = copiesOf(state, 'lib')[0];
    expect(copy?.state).toBe('INITIALIZING');
    const failed = { index: 'lib', shard: 0, allocationId: copy?.allocationId ?? '', primaryTerm: 0 };
    const context = { ...testContext(), nowMs };
    return reroute(applyShardFailed(state, { ...failed, markStale: false, reason: 'disk is full' }, context), context);
  }

  function waitsLeft(state: ClusterState, nowMs: number): readonly number[] {
    return [...waitsOfCopies(state, nowMs).values()];
  }

  test('is tried again five times with growing waits between them, then left alone until a node joins', () => {
    let nowMs = 10_000;
    let state = failOnce(withIndex(clusterOf(a), 'lib'), nowMs);
    const waits: number[] = [];
    for (let [wait] = waitsLeft(state, nowMs); wait !== undefined; [wait] = waitsLeft(state, nowMs)) {
      waits.push(wait);
      expect(copiesOf(state, 'lib')[0]?.unassigned?.allocationStatus).toBe('deciders_throttled');
      expect(reroute(state, { ...testContext(), nowMs: nowMs + wait - 1 })).toBe(state);
      nowMs += wait;
      state = failOnce(reroute(state, { ...testContext(), nowMs }), nowMs);
    }
    expect(waits).toEqual([500, 2_000, 8_000, 32_000]);
    const given = copiesOf(state, 'lib')[0];
    expect(given).toMatchObject({ state: 'UNASSIGNED', unassigned: { failedAllocations: 5 } });
    const body = explainAllocation(state, { shard: null, includeYesDecisions: false }, testContext());
    expect(JSON.stringify(body)).toContain('exceeded the maximum number of retries [5]');
    expect(copiesOf(join(state, 'b', 'b-1'), 'lib')[0]?.state).toBe('INITIALIZING');
    const retried = reroute(resetFailedAllocations(state), { ...testContext(), nowMs });
    expect(copiesOf(retried, 'lib')[0]?.state).toBe('INITIALIZING');
  });

  test('says when it is tried again', () => {
    const state = failOnce(withIndex(clusterOf(a), 'lib'), 10_000);
    const context = { ...testContext(), nowMs: 10_100 };
    expect(explainAllocation(state, { shard: null, includeYesDecisions: false }, context)).toMatchObject({
      can_allocate: 'throttled',
      allocate_explanation: 'cannot allocate because the last attempt failed: the next one begins in [400ms]',
    });
  });

  test('is not held back by the time of a clock that is ahead', () => {
    const state = failOnce(withIndex(clusterOf(a), 'lib'), 99_000_000);
    expect(copiesOf(reroute(state, testContext()), 'lib')[0]?.state).toBe('INITIALIZING');
  });

  test('reported by a primary of an older term is refused', () => {
    const state = startAll(withIndex(clusterOf(a), 'lib'));
    const failed = { index: 'lib', shard: 0, allocationId: 'x', primaryTerm: 9, markStale: true, reason: 'r' };
    expect(() => applyShardFailed(state, failed, testContext())).toThrow(/did not match current primary term \[1\]/);
  });
});

describe('whatever nodes and copies do', () => {
  type Step = { readonly kind: 'leave' | 'join' | 'start' | 'fail' | 'create'; readonly n: number };
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom('leave', 'join', 'start', 'fail', 'create'),
      n: fc.nat({ max: 5 }),
    }),
    { maxLength: 40 },
  );

  test('a started primary only ever comes back as a copy of its in-sync set, and terms never fall', () => {
    fc.assert(
      fc.property(steps, (events) => {
        const disks = new Map<string, string>();
        const stores: ShardStores = {
          find: (at) => disks.get(`${at.nodeId}/${at.indexUuid}/${at.shard}`) ?? null,
        };
        const context = testContext(stores);
        let state = clusterOf(a, b, c);
        let process = 1;
        for (const { kind, n } of events) {
          const before = state;
          const id = ['a', 'b', 'c', 'd', 'e', 'f'][n] ?? 'a';
          const copies = [...state.routing.indices.values()].flat(2);
          const copy = copies[n % Math.max(1, copies.length)];
          if (kind === 'leave') state = leave(state, id);
          if (kind === 'join') {
            const joined = [testNode(id, { ephemeralId: `p${++process}` })];
            state = withNodes(state, { joined, left: [], newManager: null }, context);
          }
          if (kind === 'create' && !state.metadata.indices.has(id)) {
            state = withIndex(state, id, { settings: { number_of_shards: 1 + (n % 3) } }, context);
          }
          if (copy?.allocationId != null && copy.nodeId !== null) {
            const { index, shard, allocationId } = copy;
            const primaryTerm = state.metadata.indices.get(index)?.primaryTerms[shard] ?? 0;
            if (kind === 'start') {
              disks.set(`${copy.nodeId}/${copy.indexUuid}/${shard}`, allocationId);
              state = reroute(applyShardStarted(state, { index, shard, allocationId, primaryTerm }), context);
            } else if (kind === 'fail') {
              const failed = { index, shard, allocationId, primaryTerm: 0, markStale: false, reason: 'r' };
              state = reroute(applyShardFailed(state, failed, context), context);
            }
          }
          expectSound(before, state);
        }
      }),
      { numRuns: 150 },
    );
  });
});

function expectSound(before: ClusterState, state: ClusterState): void {
  for (const copy of [...state.routing.indices.values()].flat(2)) {
    const index = state.metadata.indices.get(copy.index);
    const inSync = index?.inSyncAllocations[copy.shard] ?? [];
    const wasInSync = before.metadata.indices.get(copy.index)?.inSyncAllocations[copy.shard] ?? [];
    if (wasInSync.length > 0) expect(inSync.length).toBeGreaterThan(0);
    if (copy.nodeId !== null) expect(state.nodes.has(copy.nodeId)).toBe(true);
    if (copy.state === 'STARTED') expect(inSync).toContain(copy.allocationId);
    if (copy.state === 'INITIALIZING' && copy.recoverySource === 'EXISTING_STORE') {
      expect(inSync).toContain(copy.allocationId);
    }
    const term = before.metadata.indices.get(copy.index)?.primaryTerms[copy.shard] ?? 0;
    expect(index?.primaryTerms[copy.shard]).toBeGreaterThanOrEqual(term);
  }
}
