/**
 * What happens to a copy of a shard, and what it wants done: the contract with the shell that owns the engine, the sockets
 * and the way to the cluster manager.
 *
 * The shell performs effects in their order; one that names durability is durable before the next one starts. Work of the
 * engine is a job, which an event answers. `write` jobs may run beside each other; `execute`, `rollback`, `confirm` and `lead`
 * run alone, in the order of their effects, `trim` among them. A shell that ends a copy drops its jobs.
 */
import type { AllocationId, NodeId, ShardGroup } from '../group/shard-group.ts';
import type { SeqNoRange } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import type { CopyRequest, CopyResponse } from './copy-messages.ts';
import type { RetentionLease, SafeCommit } from './recovery-state.ts';

/** A client's write, which the shell keeps under `ticket` until its `reply`. */
export interface ClientWrite {
  readonly kind: 'write';
  readonly ticket: string;
  /** `wait_for_active_shards`: checked before anything is executed, and no promise of durability. */
  readonly activeCopiesMin: number;
  /** False: it is acknowledged when every copy has executed it, and may be lost with all of them. */
  readonly waitsForSync: boolean;
}

export type CopyEvent<O extends ShardOperation> =
  /** A committed cluster state was applied here. Older ones than the last are ignored. */
  | { readonly kind: 'groupChanged'; readonly group: ShardGroup }
  | ClientWrite
  /** A read that must see every acknowledged write and nothing that may still be lost; answered by `readNow`, then `reply`. */
  | { readonly kind: 'confirmedRead'; readonly ticket: string }
  /** `readNow` was done. `maxSeqNo`: highest number that the engine had given or executed by then. */
  | { readonly kind: 'wasRead'; readonly ticket: string; readonly maxSeqNo: number }
  /** The engine has executed a job and appended it to its log. */
  | {
      readonly kind: 'executed';
      readonly job: number;
      /** Numbers that a `write` was given: documents that the engine refused have none. Empty for all other jobs. */
      readonly ranges: readonly SeqNoRange[];
      /** Operations of these numbers, ascending, where the effect said `collects`; else empty. */
      readonly operations: readonly O[];
      /**
       * Highest number of an operation that was executed for this request before, whose answer it is given again; -1: none.
       * It may still be on its way to other copies.
       */
      readonly repeated: number;
    }
  /** Everything that was executed before the effect `sync` of this number is durable. */
  | { readonly kind: 'synced'; readonly through: number }
  /** Part of what `readHistory` asked for, ascending; parts come in any order. After one that is not the last: `readMore`. */
  | {
      readonly kind: 'historyRead';
      readonly job: number;
      readonly operations: readonly O[];
      readonly isLast: boolean;
    }
  | { readonly kind: 'request'; readonly replyTo: string; readonly request: CopyRequest<O> }
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
  /** The primary of this term executes nothing any more, and all that it executed is on its target, which is to lead. */
  | {
      readonly kind: 'handOver';
      readonly allocationId: AllocationId;
      readonly primaryTerm: number;
      readonly target: AllocationId;
    }
  /** Is the primary of this term still the primary: answered from a state that is in force after the question came. */
  | { readonly kind: 'confirmPrimary'; readonly allocationId: AllocationId; readonly primaryTerm: number };

/**
 * `done`: committed, or already so. `unavailable`: no cluster manager answered, or one whose state does not allow it yet; nothing
 * is known.
 */
export type ManagerAnswer = 'done' | 'noLongerPrimary' | 'unavailable';

export type ReplyOutcome =
  | {
      readonly kind: 'acknowledged';
      /** Copies that have it. */
      readonly successful: number;
      /** Copies that were sent it, lack it, and are marked stale. */
      readonly failed: readonly AllocationId[];
    }
  | { readonly kind: 'readConfirmed' }
  /** Nothing was done: this copy is not primary, or not yet. The caller may try again with a newer cluster state. */
  | { readonly kind: 'notPrimary' }
  | { readonly kind: 'notEnoughActiveCopies'; readonly active: number; readonly wanted: number }
  /** It may or may not take effect, now or later. */
  | { readonly kind: 'unknown' };

export type CopyEffect<O extends ShardOperation> =
  | { readonly kind: 'persistTerm'; readonly term: number }
  /** Kept with the log, with its next sync at the latest. */
  | { readonly kind: 'keepGlobalCheckpoint'; readonly globalCheckpoint: number }
  /**
   * Executes the write of the ticket and appends it. The engine checks its conditions and gives its numbers, in the term of
   * `lead`. `collects`: `executed` must have the operations, for there are copies that they may have to be sent to.
   */
  | { readonly kind: 'write'; readonly job: number; readonly ticket: string; readonly collects: boolean }
  /** Executes and appends what a primary sent: a document changes only by a newer operation. */
  | { readonly kind: 'execute'; readonly job: number; readonly operations: readonly O[] }
  /** Documents as they were at `to`, which a commit and the log still give; the log keeps what is above unless `drops`. */
  | { readonly kind: 'rollback'; readonly job: number; readonly to: number; readonly drops: boolean }
  /** Executes what the log kept above the last rollback and what nothing has replaced. */
  | { readonly kind: 'confirm'; readonly job: number }
  /** Fills every number up to the highest that has no operation with a no-op of this term; gives numbers in it from then on. */
  | { readonly kind: 'lead'; readonly job: number; readonly term: number }
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
  /** Asks for a sync of the log; several may share one, which answers the highest number. */
  | { readonly kind: 'sync'; readonly number: number }
  /** Reads operations of the log in parts. */
  | { readonly kind: 'readHistory'; readonly job: number; readonly first: number; readonly last: number }
  /** The next part. */
  | { readonly kind: 'readMore'; readonly job: number }
  /** Nobody wants the rest. */
  | { readonly kind: 'endRead'; readonly job: number }
  | {
      readonly kind: 'send';
      readonly requestId: number;
      readonly to: AllocationId;
      readonly request: CopyRequest<O>;
    }
  | { readonly kind: 'sendLater'; readonly requestId: number; readonly delayMs: number }
  | { readonly kind: 'answer'; readonly replyTo: string; readonly response: CopyResponse }
  | { readonly kind: 'askManager'; readonly ask: number; readonly request: ManagerRequest }
  /** Reads for the ticket now, and keeps what was read until its `reply`. */
  | { readonly kind: 'readNow'; readonly ticket: string }
  | { readonly kind: 'reply'; readonly ticket: string; readonly outcome: ReplyOutcome }
  /** This copy does nothing any more. What is on its disk stays. */
  | { readonly kind: 'closed'; readonly reason: string };
