/**
 * Messages between the copies of a shard: each request with the response that answers it.
 *
 * They are sent to an allocation id, not to a node: a node that holds another copy by now, or none, answers `notHere`.
 */
import type { AllocationId, NodeId } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import type { CommitFile, RetentionLease, SafeCommit } from './recovery-state.ts';

export type CopyRequest<O extends ShardOperation> =
  /**
   * → `copied` once all operations are durable here, as far as it waits for that. Operations that are written now, those that a new primary sends again, and
   * those that a recovery reads; no operations: the global checkpoint alone.
   */
  | {
      readonly kind: 'replicate';
      /** Term of the primary that sends this; operations may be of older ones. */
      readonly term: number;
      readonly globalCheckpoint: number;
      /** By ascending sequence number. */
      readonly operations: readonly O[];
      /** False: `copied` once all operations are executed. */
      readonly waitsForSync: boolean;
      /** End of a resync: operations above this of a term below `term` are dropped. Null in all other requests. */
      readonly trimAbove: number | null;
      /** Leases of the shard; null: as they were told before. */
      readonly leases: ReadonlyMap<NodeId, RetentionLease> | null;
    }
  /** → `taken` or `delayed`. Target to primary: what it has, and what it can build upon. */
  | {
      readonly kind: 'startRecovery';
      readonly term: number;
      readonly target: AllocationId;
      readonly historyUuid: string | null;
      /** First operation that it lacks; null: it needs files. */
      readonly startingSeqNo: number | null;
      /** Files that it has, which need not be sent again. */
      readonly files: readonly CommitFile[];
    }
  /** → `taken`. The shell adds the bytes of the chunk, from the commit that it holds for the target. */
  | { readonly kind: 'recoveryChunk'; readonly term: number; readonly file: string; readonly chunk: number }
  /** → `installed`. All files are there: check them, put them in their places, begin an empty log. */
  | {
      readonly kind: 'installFiles';
      readonly term: number;
      readonly commit: SafeCommit;
      readonly historyUuid: string;
    }
  /** → `copied`. Everything that came before the target was tracked is sent. */
  | { readonly kind: 'finalizeRecovery'; readonly term: number; readonly globalCheckpoint: number }
  /** → `copied`. The target is in sync for its primary, and tells the cluster manager. */
  | { readonly kind: 'endRecovery'; readonly term: number };

export type CopyResponse =
  | {
      readonly kind: 'copied';
      /** Everything up to here is durable on this copy. */
      readonly localCheckpoint: number;
      readonly globalCheckpoint: number;
    }
  | { readonly kind: 'taken' }
  /** The source does not know the target yet: it asks again. */
  | { readonly kind: 'delayed' }
  /** Not sound: a file is not what its checksum says. */
  | { readonly kind: 'installed'; readonly isSound: boolean }
  | { readonly kind: 'refused'; readonly reason: 'termTooOld' | 'notHere'; readonly term: number };
