/**
 * What the primary knows of every copy, and the global checkpoint that follows: up to it, every copy in sync has everything
 * on disk, and nothing below it ever changes again.
 *
 * The set of copies in sync here holds at least that of the cluster manager: a copy is added here before the manager is
 * asked, and taken out after the manager has committed it.
 */
import { assert } from '@shoal/core';
import type { AllocationId, ShardGroup } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import { UNKNOWN_CHECKPOINT } from '../sequence/seq-no-ranges.ts';
import { withoutKey } from '../sequence/without.ts';

export interface TrackedCopy {
  /** Operations are sent to it. */
  readonly isTracked: boolean;
  /** The global checkpoint does not pass it. */
  readonly isInSync: boolean;
  /** It is to be in sync once it has reached the global checkpoint, which waits for it meanwhile. */
  readonly isCatchingUp: boolean;
  /** Local checkpoint that it told last, of what it has synced; `UNKNOWN_CHECKPOINT` until then. */
  readonly localCheckpoint: number;
  /** Global checkpoint that it is known to know. */
  readonly globalCheckpoint: number;
}

export interface ReplicationTracker {
  readonly local: AllocationId;
  readonly copies: ReadonlyMap<AllocationId, TrackedCopy>;
  /** Never falls. */
  readonly globalCheckpoint: number;
}

const UNTOLD: TrackedCopy = {
  isTracked: true,
  isInSync: true,
  isCatchingUp: false,
  localCheckpoint: UNKNOWN_CHECKPOINT,
  globalCheckpoint: UNKNOWN_CHECKPOINT,
};

/** Tracker of a copy that becomes primary: it knows who is in sync, and nobody's checkpoint. */
export function trackerOfGroup(local: AllocationId, group: ShardGroup, globalCheckpoint: number): ReplicationTracker {
  const copies = new Map<AllocationId, TrackedCopy>();
  for (const [id, copy] of group.copies) {
    if (copy.state === 'started' || id === local) copies.set(id, UNTOLD);
  }
  for (const id of group.inSync) if (!copies.has(id)) copies.set(id, { ...UNTOLD, isTracked: false });
  return { local, copies, globalCheckpoint };
}

/**
 * Takes over a committed group. Copies that are neither assigned nor in sync are out; one that is in sync and not assigned
 * is sent nothing any more, and holds the global checkpoint until it is marked stale.
 */
export function withGroup(tracker: ReplicationTracker, group: ShardGroup): ReplicationTracker {
  const copies = new Map<AllocationId, TrackedCopy>();
  for (const [id, copy] of tracker.copies) {
    if (group.copies.has(id)) copies.set(id, copy);
    else if (group.inSync.has(id)) copies.set(id, { ...copy, isTracked: false });
  }
  return { ...tracker, copies };
}

/** From here on every operation is sent to the copy; what came before it reads from the history. */
export function initiateTracking(tracker: ReplicationTracker, id: AllocationId): ReplicationTracker {
  const known = tracker.copies.get(id);
  assert(known?.isInSync !== true, `copy ${id} is in sync and starts to recover`);
  return withCopy(tracker, id, { ...(known ?? UNTOLD), isTracked: true, isInSync: false });
}

/** Asks for the copy to be in sync: at once when it has reached the global checkpoint, else as soon as it does. */
export function markInSync(tracker: ReplicationTracker, id: AllocationId, rules: ReplicationRules): ReplicationTracker {
  const copy = tracker.copies.get(id);
  assert(copy?.isTracked === true, `copy ${id} is to be in sync and is not tracked`);
  if (!rules.caughtUpBeforeInSync) return withCopy(tracker, id, { ...copy, isInSync: true });
  return settle(withCopy(tracker, id, { ...copy, isCatchingUp: !copy.isInSync }));
}

/** The cluster manager has committed that the copy is out. */
export function removeCopy(tracker: ReplicationTracker, id: AllocationId): ReplicationTracker {
  assert(id !== tracker.local, `the primary ${id} takes itself out`);
  return { ...tracker, copies: withoutKey(tracker.copies, id) };
}

/** A copy tells how far it is. Answers overtake one another: the highest counts. */
export function checkpointsTold(
  tracker: ReplicationTracker,
  id: AllocationId,
  told: { readonly localCheckpoint: number; readonly globalCheckpoint: number },
): ReplicationTracker {
  const copy = tracker.copies.get(id);
  if (copy === undefined) return tracker;
  const localCheckpoint = Math.max(copy.localCheckpoint, told.localCheckpoint);
  const globalCheckpoint = Math.max(copy.globalCheckpoint, told.globalCheckpoint);
  return settle(withCopy(tracker, id, { ...copy, localCheckpoint, globalCheckpoint }));
}

/** Advances the global checkpoint to the lowest local checkpoint of the copies in sync. */
export function advanceGlobalCheckpoint(tracker: ReplicationTracker, rules: ReplicationRules): ReplicationTracker {
  let lowest = Number.MAX_SAFE_INTEGER;
  for (const copy of tracker.copies.values()) {
    if (copy.isCatchingUp) return tracker;
    if (!copy.isInSync) continue;
    if (copy.localCheckpoint === UNKNOWN_CHECKPOINT && !rules.globalCheckpointWaits) continue;
    lowest = Math.min(lowest, copy.localCheckpoint);
  }
  if (lowest === Number.MAX_SAFE_INTEGER || lowest <= tracker.globalCheckpoint) return tracker;
  return { ...tracker, globalCheckpoint: lowest };
}

/** Copies that operations are sent to, without the primary itself. */
export function replicationTargets(tracker: ReplicationTracker): readonly AllocationId[] {
  return [...tracker.copies].filter(([id, copy]) => copy.isTracked && id !== tracker.local).map(([id]) => id);
}

/** Copies that are in sync and get nothing, for they are assigned to no node. */
export function absentInSync(tracker: ReplicationTracker): readonly AllocationId[] {
  return [...tracker.copies].filter(([, copy]) => copy.isInSync && !copy.isTracked).map(([id]) => id);
}

function settle(tracker: ReplicationTracker): ReplicationTracker {
  const reached = [...tracker.copies].filter(
    ([, copy]) => copy.isCatchingUp && copy.localCheckpoint >= tracker.globalCheckpoint,
  );
  return reached.reduce(
    (it, [id, copy]) => withCopy(it, id, { ...copy, isCatchingUp: false, isInSync: true }),
    tracker,
  );
}

function withCopy(tracker: ReplicationTracker, id: AllocationId, copy: TrackedCopy): ReplicationTracker {
  return { ...tracker, copies: new Map(tracker.copies).set(id, copy) };
}
