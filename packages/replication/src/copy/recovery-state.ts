/**
 * A recovery as its two sides keep it. The allocation id names it: a copy recovers once in its life, from one primary.
 */
import type { NodeId } from '../group/shard-group.ts';
import type { SeqNoRange } from '../sequence/seq-no-ranges.ts';

/** A file of a commit. Files are immutable: one name with one checksum is one content. */
export interface CommitFile {
  readonly name: string;
  readonly bytes: number;
  /** Requests that it takes to send it; at least 1. */
  readonly chunks: number;
  readonly checksum: string;
}

/** A commit whose operations all are agreed: none is above the global checkpoint of its time. */
export interface SafeCommit {
  readonly through: number;
  readonly files: readonly CommitFile[];
  /**
   * Names of the requests whose operations are in it, by which the engine knows a repeated one again; null: there are none, or the source
   * is of a version that does not send them.
   */
  readonly recentWrites: Uint8Array | null;
}

/** The source's side, in the primary. */
export interface SourceRecovery {
  readonly node: NodeId;
  readonly step:
    | { readonly kind: 'acquiring' }
    | {
        readonly kind: 'files';
        readonly commit: SafeCommit;
        /** Chunks that are still to be sent, in order. */
        readonly waiting: readonly { readonly file: string; readonly chunk: number }[];
        readonly inFlight: number;
      }
    | { readonly kind: 'installing'; readonly commit: SafeCommit }
    /** The engine looks whether its own files are what they were when they were written. */
    | { readonly kind: 'verifying' }
    /** The history up to where the target was tracked is read, and sent part by part. */
    | {
        readonly kind: 'operations';
        readonly job: number;
        /** Operations that were executed before the target was tracked and were not read yet. */
        readonly unread: readonly SeqNoRange[];
        /** Request with the part that was read last; null while the next one is read. */
        readonly request: number | null;
        readonly isAllRead: boolean;
      }
    | { readonly kind: 'finalizing' }
    /** It has everything but what is on its way; the global checkpoint waits for it. */
    | { readonly kind: 'catchingUp' }
    | { readonly kind: 'ending' };
}

/** The target's side. */
export interface TargetRecovery {
  readonly step: 'asking' | 'files' | 'operations';
  /** First operation it lacks; null when it has nothing to build upon. */
  readonly startingSeqNo: number | null;
}

/** Promise to keep the history of a node's copy, so that it need not be sent as files. */
export interface RetentionLease {
  /** First operation that is kept. */
  readonly retaining: number;
  /** Time since when no copy is assigned to the node; null: one is. */
  readonly awaySinceMs: number | null;
}
