/**
 * One shard copy of this node on the main thread: where it runs, and what it was last told.
 */

import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import type { PrimaryClaim } from '@shoal/engine';
import type { RecoverySource } from '@shoal/protocol';
import type { ShardRecovery } from '@shoal/shard-api';
import type { ShardKey } from '../calls/worker-calls.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { type Assignment, type Bootstrap, type LocalCopy, type LocalPhase, peerOf, SOURCE_OF } from './shard-plan.ts';

/** How a copy was opened, or is being opened. */
export interface CopyOpening {
  readonly source: RecoverySource;
  /** Wall clock, milliseconds since 1970. */
  readonly startMs: number;
  /** null while the copy is being opened. */
  readonly stopMs: number | null;
  /** null until the engine has read what is on disk. */
  readonly recovery: ShardRecovery | null;
  /** Node of the primary when it began to recover from that; null: it does not. */
  readonly peerNodeId: string | null;
}

/** A copy that begins to be opened. */
export function openingOf(
  bootstrap: Bootstrap,
  assignment: Assignment,
  state: ClusterState,
  startMs: number,
): CopyOpening {
  const peerNodeId = bootstrap === 'peer' ? peerOf(state, assignment) : null;
  return { source: SOURCE_OF[bootstrap], startMs, stopMs: null, recovery: null, peerNodeId };
}

export class LocalShard implements LocalCopy {
  readonly key: ShardKey;
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  /** What the cluster state says; the engine is told in the order of calls. */
  primaryTerm: number;
  isPrimary: boolean;
  /** Null until a worker was found for it, and after that worker ended. */
  worker: WorkerThread | null = null;
  phase: LocalPhase = 'opening';
  /** The metadata whose mapping and settings the engine has. */
  knownMetadata: IndexMetadata;
  /** The settings that the engine has, with the rules of synonym sets. */
  knownSettings: IndexMetadata['settings'];
  /** null until its turn came. */
  opening: CopyOpening | null = null;
  /** It is told which copies its shard has: it is not alone, or was not. */
  hasShell = false;
  /** Why it failed; null unless it did. */
  failure: string | null = null;

  constructor(options: {
    readonly key: ShardKey;
    readonly metadata: IndexMetadata;
    readonly shard: number;
    readonly allocationId: string;
    readonly primaryTerm: number;
    readonly isPrimary: boolean;
  }) {
    this.key = options.key;
    this.index = options.metadata.name;
    this.indexUuid = options.metadata.uuid;
    this.shard = options.shard;
    this.allocationId = options.allocationId;
    this.primaryTerm = options.primaryTerm;
    this.isPrimary = options.isPrimary;
    this.knownMetadata = options.metadata;
    this.knownSettings = options.metadata.settings;
  }

  /** Its index is closed: it runs so that other copies can be made of it, and nobody reads or writes it. Opening the index opens it anew. */
  get isOfClosedIndex(): boolean {
    return this.knownMetadata.state === 'close';
  }

  /** What a write says that is routed here. */
  get claim(): PrimaryClaim {
    const { allocationId, primaryTerm } = this;
    return { allocationId, primaryTerm };
  }
}
