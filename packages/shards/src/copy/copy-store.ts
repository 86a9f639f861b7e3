/**
 * What the shell of a copy needs of its store: the engine of the shard, and while none is open, the folder that files of a recovery
 * come into.
 */
import type { ExecutedWrite, PrimaryClaim } from '@shoal/engine';
import type { RetentionLease, SafeCommit, StoredCopy } from '@shoal/replication';
import type { HistoryOperation, OperationList } from '@shoal/shard-api';

export interface CopyStore {
  /** What is there before the first effect. */
  stored(): Promise<StoredCopy>;
  /** Highest number in use. */
  readonly maxSeqNo: number;
  /** Executes operations of a client under the permit of a primary. */
  write(operations: OperationList, from: number, claim: PrimaryClaim | null, collects: boolean): Promise<ExecutedWrite>;
  /** Executes operations of the primary of a term. */
  apply(operations: readonly HistoryOperation[], primaryTerm: number): Promise<void>;
  /** Everything executed before the call is durable when it resolves. */
  sync(): Promise<void>;
  /** Searches see everything executed before the call when it resolves. */
  refresh(): Promise<void>;
  enterTerm(primaryTerm: number): Promise<void>;
  lead(primaryTerm: number): Promise<void>;
  rollback(to: number, drops: boolean): Promise<void>;
  confirm(): Promise<void>;
  trim(above: number, belowTerm: number): Promise<void>;
  beginHistory(historyUuid: string): Promise<void>;
  keepGlobalCheckpoint(globalCheckpoint: number): void;
  keepLeases(leases: ReadonlyMap<string, RetentionLease>): void;
  retain(from: number, commitThrough: number): void;
  /** Operations of these numbers, in batches. */
  changes(first: number, last: number): AsyncGenerator<readonly HistoryOperation[], void>;
  /** Holds the newest safe commit for a target; null while there is none. */
  acquireCommit(target: string): Promise<SafeCommit | null>;
  verifyCommit(target: string): Promise<boolean>;
  readChunk(target: string, file: string, chunk: number): Promise<Uint8Array>;
  releaseCommit(target: string): void;
  /** Keeps bytes of a file that is sent here; the engine is shut from the first of them on. */
  keepChunk(file: string, chunk: number, bytes: Uint8Array): Promise<void>;
  /** @returns false when a file is not what it should be: then nothing is changed */
  installFiles(commit: SafeCommit, historyUuid: string): Promise<boolean>;
  /** The copy recovers no more. */
  recovered(): void;
}
