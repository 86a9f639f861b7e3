/**
 * State of one copy of a shard, and what must hold of it after every step.
 *
 * Pure data: the operations themselves are the engine's. The copy knows which it has, which of them are durable, and who has
 * to be told.
 */
import { assert } from '@shoal/core';
import type { AllocationId, NodeId, ShardGroup } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import { NO_OPERATIONS, type SeqNoRange, type SeqNoSet, seqNosThrough } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import type { ReplicationTracker } from '../tracker/replication-tracker.ts';
import type { ClientWrite, CopyEvent, ManagerRequest } from './copy-events.ts';
import type { CopyRequest } from './copy-messages.ts';
import type { CommitFile, RetentionLease, SafeCommit, SourceRecovery, TargetRecovery } from './recovery-state.ts';

/**
 * `opening`: assigned, its group not seen yet. `recovering`: a target, not in sync. `promoting`: primary of its term, permits still closed. `closed`: failed,
 * replaced or removed; the allocation id never comes back but from its disk.
 */
export type CopyPhase = 'opening' | 'recovering' | 'replica' | 'promoting' | 'primary' | 'closed';

export interface CopyState<O extends ShardOperation> {
  readonly allocationId: AllocationId;
  readonly phase: CopyPhase;
  /** Operations are taken in this term. Durable. */
  readonly term: number;
  /** Highest primary term this copy has heard of; primaries of lower ones are refused. */
  readonly knownTerm: number;
  readonly group: ShardGroup | null;
  /** Operations that are executed here. */
  readonly processed: SeqNoSet;
  /** Those that are durable; its checkpoint is the local checkpoint that others are told. */
  readonly persisted: SeqNoSet;
  /** Operations above the last rollback that the log keeps and nobody has confirmed. Sorted, disjoint. */
  readonly unconfirmed: readonly SeqNoRange[];
  /** Highest global checkpoint known here. */
  readonly globalCheckpoint: number;
  readonly nextJob: number;
  /** Work that the engine has not answered yet, by job. */
  readonly jobs: ReadonlyMap<number, Job>;
  readonly nextSync: number;
  /** Executed and not durable yet, by the ascending number of the sync that was asked for then. */
  readonly unsynced: readonly { readonly sync: number; readonly ranges: readonly SeqNoRange[] }[];
  /** Requests of the primary that are answered when these operations are executed, most of them when they are durable. */
  readonly awaitingSync: readonly AwaitingSync[];
  /** Events that wait until no job runs: a new term must not overtake operations of the old one. */
  readonly deferred: readonly CopyEvent<O>[];
  readonly nextRequest: number;
  readonly requests: ReadonlyMap<number, OpenRequest<O>>;
  readonly nextAsk: number;
  readonly asks: ReadonlyMap<number, OpenAsk>;
  /** Lineage of the data; null while there is none. */
  readonly historyUuid: string | null;
  /** First operation that the log is sure to have. */
  readonly historyFrom: number;
  readonly leases: ReadonlyMap<NodeId, RetentionLease>;
  /** Files of the commit that this copy opened from; empty on a copy that opened as primary. */
  readonly storedFiles: readonly CommitFile[];
  /** Time of the last tick, or at which the copy opened. */
  readonly nowMs: number;
  /** Null unless the phase is `recovering`. */
  readonly target: TargetRecovery | null;
  /** Null unless the phase is `promoting` or `primary`. */
  readonly primary: PrimaryState | null;
}

interface AwaitingSync {
  readonly replyTo: string;
  readonly ranges: readonly SeqNoRange[];
  readonly waitsForSync: boolean;
}

/** What the engine was asked for, so that its answer is understood. */
export type Job =
  | { readonly kind: 'execute' | 'lead'; readonly ranges: readonly SeqNoRange[] }
  | {
      readonly kind: 'write';
      readonly ticket: string;
      readonly collects: boolean;
      readonly waitsForSync: boolean;
      /** Null: who is there is looked up when it is executed, as every product does. */
      readonly targets: readonly AllocationId[] | null;
    }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'resync'; readonly last: number }
  | { readonly kind: 'acquire'; readonly target: AllocationId; readonly has: readonly CommitFile[] }
  | { readonly kind: 'verify'; readonly target: AllocationId }
  | { readonly kind: 'recoveryRead'; readonly target: AllocationId }
  | {
      readonly kind: 'install';
      readonly replyTo: string;
      readonly commit: SafeCommit;
      readonly historyUuid: string;
    };

export interface OpenRequest<O extends ShardOperation> {
  readonly to: AllocationId;
  readonly request: CopyRequest<O>;
  /** Write that waits for it; null for a resync or a checkpoint. */
  readonly ticket: string | null;
  /** Times it was sent. */
  readonly attempts: number;
}

export interface OpenAsk {
  readonly request: ManagerRequest;
  /** Read that waits for it. */
  readonly ticket: string | null;
}

export interface PrimaryState {
  readonly tracker: ReplicationTracker;
  readonly writes: ReadonlyMap<string, PendingWrite>;
  /** Confirmed reads by ticket: answered when the global checkpoint has reached this; null: not read yet. */
  readonly reads: ReadonlyMap<string, number | null>;
  /** Copies that the cluster manager is asked to mark stale. */
  readonly failing: ReadonlyMap<AllocationId, 'failed' | 'gone'>;
  /** Copies that recover from this primary. */
  readonly recoveries: ReadonlyMap<AllocationId, SourceRecovery>;
  /** Leases that the other copies were told last. */
  readonly toldLeases: ReadonlyMap<NodeId, RetentionLease> | null;
  /** Null: permits are open. */
  readonly handOff: HandOff | null;
  /** No hand-off begins before this time. */
  readonly handOffFromMs: number;
}

/** Hand-off of a primary to the copy that takes its place; permits are closed meanwhile. */
export interface HandOff {
  readonly target: AllocationId;
  readonly sinceMs: number;
  /** Question to the cluster manager; null: what was executed is not on all copies yet. */
  readonly ask: number | null;
  /** The update is committed, and comes here with the next cluster state. */
  readonly isCommitted: boolean;
  /** Writes that came since, in their order. */
  readonly waiting: readonly ClientWrite[];
}

/** A write that is executed here and not acknowledged yet. */
export interface PendingWrite {
  /** Told again: the global checkpoint must have reached it. */
  readonly repeated: number;
  readonly ranges: readonly SeqNoRange[];
  /** Copies whose answer, or whose committed stale mark, is still to come. */
  readonly waitingFor: ReadonlySet<AllocationId>;
  /** Copies in sync that it was not sent, since they had no node. */
  readonly absent: ReadonlySet<AllocationId>;
  readonly successful: number;
  readonly failed: readonly AllocationId[];
}

/** What a copy finds on its disk when it opens. */
export interface StoredCopy {
  readonly term: number;
  /** Highest that the log or a safe commit knows. */
  readonly globalCheckpoint: number;
  /** Everything in the log and the commit, whether confirmed or not: all of it counts for a copy that becomes primary. */
  readonly operations: SeqNoSet;
  readonly historyUuid: string | null;
  readonly historyFrom: number;
  readonly leases: ReadonlyMap<NodeId, RetentionLease>;
  readonly files: readonly CommitFile[];
}

export const EMPTY_STORE: StoredCopy = {
  term: 0,
  globalCheckpoint: NO_OPERATIONS,
  operations: seqNosThrough(NO_OPERATIONS),
  historyUuid: null,
  historyFrom: 0,
  leases: new Map(),
  files: [],
};

/** @param nowMs time at which it opens, by the clock of its ticks */
export function openCopy<O extends ShardOperation>(
  allocationId: AllocationId,
  stored: StoredCopy,
  nowMs: number,
): CopyState<O> {
  return {
    allocationId,
    phase: 'opening',
    term: stored.term,
    knownTerm: stored.term,
    group: null,
    processed: stored.operations,
    persisted: stored.operations,
    unconfirmed: [],
    globalCheckpoint: stored.globalCheckpoint,
    nextJob: 1,
    jobs: new Map(),
    nextSync: 1,
    unsynced: [],
    awaitingSync: [],
    deferred: [],
    nextRequest: 1,
    requests: new Map(),
    nextAsk: 1,
    asks: new Map(),
    historyUuid: stored.historyUuid,
    historyFrom: stored.historyFrom,
    leases: stored.leases,
    storedFiles: stored.files,
    nowMs,
    target: null,
    primary: null,
  };
}

/** Holds after every step, in production too: a copy that breaks one must stop before it tells anybody. */
export function assertCopy<O extends ShardOperation>(state: CopyState<O>, rules: ReplicationRules): void {
  const { allocationId: id, phase, term, knownTerm, processed, persisted, globalCheckpoint, primary } = state;
  assert(term <= knownTerm, `copy ${id} works in term ${term}, above the highest it knows, ${knownTerm}`);
  assert(
    persisted.checkpoint <= processed.checkpoint,
    `copy ${id} has persisted ${persisted.checkpoint} and executed ${processed.checkpoint}`,
  );
  assert(
    phase === 'opening' ||
      phase === 'recovering' ||
      phase === 'closed' ||
      globalCheckpoint <= persisted.checkpoint ||
      !rules.rollsBack,
    `copy ${id}: global checkpoint ${globalCheckpoint} is above the local one ${persisted.checkpoint}`,
  );
  const isPrimary = phase === 'promoting' || phase === 'primary';
  assert((state.target !== null) === (phase === 'recovering'), `copy ${id} is ${phase} and its part as target is not`);
  assert((primary !== null) === isPrimary, `copy ${id} is ${phase} and its part as primary is ${primary !== null}`);
  if (primary === null) return;
  const { tracker } = primary;
  assert(tracker.globalCheckpoint === globalCheckpoint, `copy ${id} tracks ${tracker.globalCheckpoint}`);
  assert(tracker.copies.has(id), `primary ${id} does not track itself`);
}
