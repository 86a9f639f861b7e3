/**
 * What happens to a copy of a shard, and what it wants done: the contract with the shell that owns the engine, the sockets
 * and the way to the cluster manager.
 *
 * The shell performs effects in their order; one that names durability is durable before the next one starts. Work of the
 * engine (`execute`, `rollback`, `confirm`, `readHistory`) is a job: jobs are performed in the order of their numbers and each
 * is answered by one event. A shell that ends a copy drops its jobs.
 */
import type { AllocationId, NodeId, ShardGroup } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import type { CopyRequest, CopyResponse } from './copy-messages.ts';
import type { RetentionLease, SafeCommit } from './recovery-state.ts';

export type CopyEvent<D> =
  /** A committed cluster state was applied here. Older ones than the last are ignored. */
  | { readonly kind: 'groupChanged'; readonly group: ShardGroup }
  /**
   * A client's write. Its conditions were checked in the same turn against everything that is numbered before it: from here on
   * it has a sequence number. `ticket` is the shell's name for it, which `reply` repeats.
   */
  | {
      readonly kind: 'write';
      readonly ticket: string;
      readonly documents: readonly D[];
      /** `wait_for_active_shards`: checked before anything is executed, and no promise of durability. */
      readonly activeCopiesMin: number;
    }
  /** A read that must see every acknowledged write and nothing that may still be lost; answered by `readNow`, then `reply`. */
  | { readonly kind: 'confirmedRead'; readonly ticket: string }
  /**
   * The engine has executed a job and appended it to its log. `operations`: as they are now, versions filled in; `failed`:
   * sequence numbers whose document the engine refused by itself, which it has not appended.
   */
  | {
      readonly kind: 'executed';
      readonly job: number;
      readonly operations: readonly ShardOperation<D>[];
      readonly failed: readonly number[];
    }
  /** The log is durable including every job up to this one. */
  | { readonly kind: 'synced'; readonly throughJob: number }
  | { readonly kind: 'historyRead'; readonly job: number; readonly operations: readonly ShardOperation<D>[] }
  | { readonly kind: 'request'; readonly replyTo: string; readonly request: CopyRequest<D> }
  | { readonly kind: 'response'; readonly requestId: number; readonly response: CopyResponse }
  /** No answer: the connection broke, or the time is up. It may have been executed. */
  | { readonly kind: 'requestFailed'; readonly requestId: number }
  /** The delay of `sendLater` is over. */
  | { readonly kind: 'sendNow'; readonly requestId: number }
  | { readonly kind: 'managerAnswered'; readonly ask: number; readonly answer: ManagerAnswer }
  /** Now and then, by a clock that never goes back: copies that are behind are told, leases renewed. */
  | { readonly kind: 'tick'; readonly nowMs: number }
  | { readonly kind: 'commitAcquired'; readonly job: number; readonly commit: SafeCommit }
  | { readonly kind: 'commitVerified'; readonly job: number; readonly isSound: boolean }
  | { readonly kind: 'filesInstalled'; readonly job: number; readonly isSound: boolean }
  /** The engine or its disk failed: nothing that this copy holds can be trusted to be durable. */
  | { readonly kind: 'engineFailed'; readonly reason: string };

export type ManagerRequest =
  | {
      readonly kind: 'copyFailed';
      readonly allocationId: AllocationId;
      /** 0: this copy failed by itself. */
      readonly primaryTerm: number;
      readonly markStale: boolean;
    }
  | { readonly kind: 'copyStarted'; readonly allocationId: AllocationId; readonly primaryTerm: number }
  /** Is the primary of this term still the primary: answered from a state that is in force after the question came. */
  | { readonly kind: 'confirmPrimary'; readonly allocationId: AllocationId; readonly primaryTerm: number };

/** `done`: committed, or already so. `unavailable`: no cluster manager answered; nothing is known. */
export type ManagerAnswer = 'done' | 'noLongerPrimary' | 'unavailable';

export type ReplyOutcome<D> =
  | {
      readonly kind: 'acknowledged';
      /** Each document as it was executed; those that the engine refused alone are no-ops. */
      readonly operations: readonly ShardOperation<D>[];
      /** Copies that have it, and those that were marked stale for it. */
      readonly successful: number;
      readonly failed: readonly AllocationId[];
    }
  | { readonly kind: 'readConfirmed' }
  /** Nothing was done: this copy is not primary, or not yet. The caller may try again with a newer cluster state. */
  | { readonly kind: 'notPrimary' }
  | { readonly kind: 'notEnoughActiveCopies'; readonly active: number; readonly wanted: number }
  /** It may or may not take effect, now or later. */
  | { readonly kind: 'unknown' };

export type CopyEffect<D> =
  | { readonly kind: 'persistTerm'; readonly term: number }
  /** Kept with the log, with its next sync at the latest. */
  | { readonly kind: 'keepGlobalCheckpoint'; readonly globalCheckpoint: number }
  /** Executes and appends. `primary`: versions are given by the engine; `replica`: documents change only by newer operations. */
  | {
      readonly kind: 'execute';
      readonly job: number;
      readonly origin: 'primary' | 'replica';
      readonly operations: readonly ShardOperation<D>[];
    }
  /** Documents as they were at `to`, which a commit and the log still give; the log keeps what is above unless `drops`. */
  | { readonly kind: 'rollback'; readonly job: number; readonly to: number; readonly drops: boolean }
  /** Executes what the log kept above the last rollback and what nothing has replaced. */
  | { readonly kind: 'confirm'; readonly job: number }
  /** Drops operations above this from the log whose term is lower. */
  | { readonly kind: 'trim'; readonly above: number; readonly belowTerm: number }
  /** A new lineage of the data begins here; durable. */
  | { readonly kind: 'beginHistory'; readonly historyUuid: string }
  /** Kept with the log, with its next sync at the latest. */
  | { readonly kind: 'keepLeases'; readonly leases: ReadonlyMap<NodeId, RetentionLease> }
  /**
   * The log keeps operations from here on, and those above its commits. `commitThrough`: a commit that holds nothing above
   * this is kept, for recoveries and rollbacks.
   */
  | { readonly kind: 'retain'; readonly from: number; readonly commitThrough: number }
  /** Holds the newest safe commit until the recovery of the target is over, and the log above it until the next `retain`. */
  | { readonly kind: 'acquireCommit'; readonly job: number; readonly target: AllocationId }
  /** Reads all files of the commit held for the target again, and compares them with their checksums. */
  | { readonly kind: 'verifyCommit'; readonly job: number; readonly target: AllocationId }
  /** Keeps the bytes that came with this request in a temporary file. */
  | { readonly kind: 'keepChunk'; readonly replyTo: string; readonly file: string; readonly chunk: number }
  /** Checks the files of the commit, renames them into place, deletes strangers, opens an empty log after them. */
  | {
      readonly kind: 'installFiles';
      readonly job: number;
      readonly commit: SafeCommit;
      readonly historyUuid: string;
      readonly verifies: boolean;
    }
  /** Asks for a sync of the log; several may share one. */
  | { readonly kind: 'sync' }
  | { readonly kind: 'readHistory'; readonly job: number; readonly first: number; readonly last: number }
  | {
      readonly kind: 'send';
      readonly requestId: number;
      readonly to: AllocationId;
      readonly request: CopyRequest<D>;
    }
  | { readonly kind: 'sendLater'; readonly requestId: number; readonly delayMs: number }
  | { readonly kind: 'answer'; readonly replyTo: string; readonly response: CopyResponse }
  | { readonly kind: 'askManager'; readonly ask: number; readonly request: ManagerRequest }
  /** Reads for the ticket now, and keeps what was read until its `reply`. */
  | { readonly kind: 'readNow'; readonly ticket: string }
  | { readonly kind: 'reply'; readonly ticket: string; readonly outcome: ReplyOutcome<D> }
  /** This copy does nothing any more. What is on its disk stays. */
  | { readonly kind: 'closed'; readonly reason: string };
