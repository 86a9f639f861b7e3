import {
  type ClusterState,
  isRelocationTarget,
  type ShardRouting,
  targetOf,
  withoutTargets,
} from '@shoal/cluster-state';
import { isShoalError } from '@shoal/core';
import {
  ALL_RULES,
  assignPrimary,
  assignReplica,
  cancelMove,
  copyFailed,
  copyStarted,
  type GroupChange,
  handOver,
  nodeLeft,
  type ShardGroup,
  startMove,
} from '@shoal/replication';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNeverStarted } from '../reading/resize-source.ts';
import { shardGroup } from '../reading/shard-group.ts';
import { clusterOf, copiesOf, testContext, testNode, withIndex } from '../value/cluster-states.test-support.ts';
import { withNodes } from '../value/cluster-value-model.ts';
import { moveRefusal, startRelocation } from './relocation.ts';
import { reroute } from './reroute.ts';
import { applyRerouteCommands } from './reroute-commands.ts';
import { RoutingChanges } from './routing-changes.ts';
import { applyShardFailed, applyShardStarted, dropCopiesOf, handOverPrimary } from './shard-transitions.ts';

const INDEX = 'lib';
const NODES = ['a', 'b', 'c', 'd'];

type Step =
  | { readonly kind: 'leave' | 'join'; readonly node: string }
  | { readonly kind: 'start'; readonly at: number; readonly isLate: boolean }
  | {
      readonly kind: 'fail';
      /** Place in the list of copies and of ids in sync. */
      readonly at: number;
      readonly term: 'own' | 'current' | 'older';
      readonly markStale: boolean;
    }
  | { readonly kind: 'move'; readonly at: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'handOver'; readonly isLate: boolean };

const node = fc.constantFrom(...NODES);
const at = fc.nat({ max: 11 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('leave' as const, 'join' as const), node }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), at, isLate: fc.boolean() }) },
  fc.record({
    kind: fc.constant('fail' as const),
    at,
    term: fc.constantFrom('own' as const, 'current' as const, 'older' as const),
    markStale: fc.boolean(),
  }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), at }) },
  fc.constant({ kind: 'cancel' as const }),
  fc.record({ kind: fc.constant('handOver' as const), isLate: fc.boolean() }),
);

/** A cluster with one shard, and the copies that lie on its disks. */
class World {
  state: ClusterState;
  nowMs = 1_000;
  readonly #disks = new Map<string, string>();
  readonly #base = testContext({ find: ({ nodeId }) => this.#disks.get(nodeId) ?? null });
  #processes = 1;

  constructor(replicas: number) {
    const settings = { number_of_replicas: replicas, 'index.unassigned.node_left.delayed_timeout': '0' };
    this.state = withIndex(clusterOf(...NODES.map((id) => testNode(id))), INDEX, { settings }, this.#base);
  }

  get context(): ReturnType<typeof testContext> {
    return { ...this.#base, nowMs: this.nowMs };
  }

  group(): ShardGroup | null {
    return shardGroup(this.state, INDEX, 0);
  }

  copies(): readonly ShardRouting[] {
    return copiesOf(this.state, INDEX);
  }

  term(): number {
    return this.state.metadata.indices.get(INDEX)?.primaryTerms[0] ?? 0;
  }

  inSync(): readonly string[] {
    return this.state.metadata.indices.get(INDEX)?.inSyncAllocations[0] ?? [];
  }

  join(id: string): void {
    const joined = [testNode(id, { ephemeralId: `${id}-${++this.#processes}` })];
    this.state = withNodes(this.state, { joined, left: [], newManager: null }, this.context);
  }

  /** What the disks have: a copy takes over whatever its node had of the shard. */
  settle(): void {
    for (const { nodeId, allocationId } of this.copies()) {
      if (nodeId !== null && allocationId !== null) this.#disks.set(nodeId, allocationId);
    }
  }
}

test('whatever happens to a shard, its copies in the cluster state are those of the replication model', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), (replicas, steps) => {
      const world = new World(replicas);
      for (const event of steps) {
        const before = world.group();
        const expected = takeStep(world, event, before);
        if (before !== null && !isBeginning(world.state)) expect(plain(world.group())).toEqual(plain(expected));
        const unassigned = world.group();
        const term = world.term();
        // Waits between the tries of a copy are over.
        world.nowMs += 600_000;
        world.state = reroute(world.state, world.context);
        if (unassigned !== null && !isBeginning(world.state)) {
          expect(plain(world.group())).toEqual(plain(assignedLike(unassigned, world.group())));
        }
        expect(world.term()).toBeGreaterThanOrEqual(term);
        world.settle();
      }
    }),
    { numRuns: 250 },
  );
});

test('histories of the property meet what it is about', () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, minLength: 20 }), (steps) => {
      const world = new World(2);
      for (const event of steps) {
        const before = world.group();
        takeStep(world, event, before);
        const after = world.group();
        if (before?.primary != null && after?.primary != null && before.primary !== after.primary) met.add('promoted');
        if (before?.primary != null && after?.primary === null) met.add('red');
        if (after !== null && after.inSync.size === 3) met.add('all in sync');
        if (before !== null && after !== null && after.inSync.size < before.inSync.size) met.add('stale');
        world.nowMs += 600_000;
        world.state = reroute(world.state, world.context);
        if (event.kind === 'handOver' && after !== null && after.primaryTerm > (before?.primaryTerm ?? 0))
          met.add('moved');
        if (event.kind === 'start' && targetsOf(before).some((id) => after?.copies.get(id)?.state === 'started')) {
          met.add('replica moved');
        }
        if (after?.primary === null && world.group()?.primary != null) met.add('returned');
        world.settle();
      }
    }),
    { numRuns: 80 },
  );
  expect([...met].sort()).toEqual(['all in sync', 'moved', 'promoted', 'red', 'replica moved', 'returned', 'stale']);
});

/** Does the step to the state, without a reroute, and answers the group that the model has after it. */
function takeStep(world: World, event: Step, before: ShardGroup | null): ShardGroup | null {
  switch (event.kind) {
    case 'leave': {
      const gone = world.state.nodes.get(event.node);
      if (gone === undefined || world.state.nodes.size === 1) return before;
      const nodes = new Map(world.state.nodes);
      nodes.delete(event.node);
      const options = { nowMs: world.nowMs, reason: 'NODE_LEFT' } as const;
      world.state = dropCopiesOf({ ...world.state, nodes }, [gone], options);
      return before === null ? null : changed(before, nodeLeft(before, event.node, ALL_RULES));
    }
    case 'join':
      if (!world.state.nodes.has(event.node)) world.join(event.node);
      // Joining reroutes at once, so that the model has nothing to say to it here.
      return world.group();
    case 'start':
      return start(world, event, before);
    case 'fail':
      return fail(world, event, before);
    case 'move':
      return move(world, event, before);
    case 'cancel':
      return cancel(world, before);
    case 'handOver':
      return takeOver(world, event, before);
  }
}

function move(world: World, event: Extract<Step, { kind: 'move' }>, before: ShardGroup | null): ShardGroup | null {
  const changes = new RoutingChanges(world.state);
  const movable = world.copies().filter((it) => moveRefusal(changes, it) === null);
  const free = [...world.state.nodes.keys()].filter((id) => world.copies().every(({ nodeId }) => nodeId !== id));
  const copy = movable[event.at % movable.length];
  const nodeId = free[event.at % free.length];
  if (copy === undefined || nodeId === undefined) return before;
  const allocationId = world.context.newAllocationId();
  startRelocation(changes, copy, { nodeId, allocationId });
  world.state = changes.finish();
  if (before === null) return null;
  const started = { allocationId, node: nodeId, replaces: copy.allocationId ?? '' };
  const change = startMove(before, started, ALL_RULES);
  expect(change.kind).toBe('changed');
  return changed(before, change);
}

function cancel(world: World, before: ShardGroup | null): ShardGroup | null {
  const source = world.copies().find(({ state }) => state === 'RELOCATING');
  if (source === undefined) return before;
  const target = targetOf(source, world.copies());
  const { index, shard } = source;
  const command = { kind: 'cancel', index, shard, node: target?.nodeId ?? '', allowPrimary: false } as const;
  world.state = applyRerouteCommands(world.state, [command], false, world.context).state;
  return before === null ? null : changed(before, cancelMove(before, target?.allocationId ?? '', ALL_RULES));
}

function takeOver(
  world: World,
  event: Extract<Step, { kind: 'handOver' }>,
  before: ShardGroup | null,
): ShardGroup | null {
  const [primary] = world.copies();
  const target = world.copies().find(isRelocationTarget);
  const primaryTerm = event.isLate ? world.term() - 1 : world.term();
  const at = { allocationId: primary?.allocationId ?? '', primaryTerm, target: target?.allocationId ?? 'none' };
  const change = before === null ? null : handOver(before, at, ALL_RULES);
  try {
    world.state = handOverPrimary(world.state, { index: INDEX, shard: 0, ...at }, world.context);
    expect(change?.kind).not.toBe('refused');
  } catch (error) {
    expect(change?.kind).not.toBe('changed');
    const isLate = change?.kind === 'refused' && change.reason === 'noLongerPrimary';
    if (change !== null) expect(isShoalError(error) && error.status).toBe(isLate ? 500 : 409);
  }
  return before === null || change === null ? null : changed(before, change);
}

function start(world: World, event: Extract<Step, { kind: 'start' }>, before: ShardGroup | null): ShardGroup | null {
  const copy = world.copies()[event.at % world.copies().length];
  const allocationId = copy?.allocationId ?? 'of an assignment that is over';
  const primaryTerm = event.isLate ? world.term() - 1 : world.term();
  const inSyncBefore = world.inSync();
  world.state = applyShardStarted(world.state, { index: INDEX, shard: 0, allocationId, primaryTerm });
  if (before === null) return null;
  let model = changed(before, copyStarted(before, { allocationId, primaryTerm }, ALL_RULES));
  // Copies of earlier assignments leave a set that has more ids than the shard has copies: stale marks, as a write would set them.
  const assigned = new Set(world.copies().map((other) => other.allocationId));
  const wanted = withoutTargets(world.copies()).length;
  if (model.inSync.size > wanted) {
    for (const id of inSyncBefore) {
      if (assigned.has(id) || model.inSync.size <= wanted) continue;
      const failure = { allocationId: id, primaryTerm: model.primaryTerm, markStale: true };
      model = changed(model, copyFailed(model, failure, ALL_RULES));
    }
  }
  return model;
}

function fail(world: World, event: Extract<Step, { kind: 'fail' }>, before: ShardGroup | null): ShardGroup | null {
  const ids = [...new Set([...world.copies().map((copy) => copy.allocationId), ...world.inSync()])];
  const allocationId = ids[event.at % ids.length] ?? 'of an assignment that is over';
  const primaryTerm = event.term === 'own' ? 0 : event.term === 'current' ? world.term() : world.term() + 1;
  const markStale = event.markStale && event.term !== 'own';
  const failed = { index: INDEX, shard: 0, allocationId, primaryTerm, markStale, reason: 'r' };
  let isRefused = false;
  try {
    world.state = applyShardFailed(world.state, failed, world.context);
  } catch (error) {
    expect(error).toMatchObject({ type: 'no_longer_primary_shard_exception' });
    isRefused = true;
  }
  if (before === null) return null;
  const change = copyFailed(before, { allocationId, primaryTerm, markStale }, ALL_RULES);
  if (change.kind === 'refused' && change.reason === 'lastInSync' && before.copies.has(allocationId)) {
    // The last copy in sync that fails loses its node and keeps its mark.
    return changed(before, copyFailed(before, { allocationId, primaryTerm, markStale: false }, ALL_RULES));
  }
  if (!isBeginning(world.state)) expect(isRefused).toBe(change.kind === 'refused');
  return changed(before, change);
}

/** The model's group after the assignments that the state shows: each must be one that it allows. */
function assignedLike(before: ShardGroup, after: ShardGroup | null): ShardGroup {
  let group = before;
  for (const [allocationId, copy] of after?.copies ?? []) {
    if (group.copies.has(allocationId)) continue;
    const assigned = { allocationId, node: copy.node };
    const isPrimary = after?.primary === allocationId;
    const change = isPrimary ? assignPrimary(group, assigned, ALL_RULES) : assignReplica(group, assigned, ALL_RULES);
    expect(change).toMatchObject({ kind: 'changed' });
    group = changed(group, change);
  }
  return group;
}

function targetsOf(group: ShardGroup | null): readonly string[] {
  return [...(group?.copies ?? [])].flatMap(([id, { replaces }]) => (replaces === null ? [] : [id]));
}

function changed(before: ShardGroup, change: GroupChange): ShardGroup {
  return change.kind === 'changed' ? change.group : before;
}

/** A shard that never started has no history to keep: the model begins with its first primary. */
function isBeginning(state: ClusterState): boolean {
  const primary = copiesOf(state, INDEX)[0];
  return primary === undefined || isNeverStarted(primary);
}

function plain(group: ShardGroup | null): unknown {
  if (group === null) return null;
  const copies = [...group.copies].map(([id, copy]) => [id, copy] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return { primaryTerm: group.primaryTerm, primary: group.primary, inSync: [...group.inSync].sort(), copies };
}
