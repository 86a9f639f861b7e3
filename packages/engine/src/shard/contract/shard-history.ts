/**
 * The numbered operations of a shard, for whoever keeps its copies the same.
 *
 * What runs beside what: writes run beside each other and beside syncs; everything that changes who leads, or what is there,
 * waits until none runs and lets none begin meanwhile.
 */
import type { HistoryOperation, OperationList, WriteOutcome } from '@shoal/shard-api';
import type { HistoryNeeds } from '../history/history-retention.ts';
import type { HistoryLease } from '../history/history-state.ts';
import type { PrimaryClaim } from './primary-claim.ts';

/** Sequence numbers `first`..`last`, both included. */
export interface SeqNoRange {
  readonly first: number;
  readonly last: number;
}

/** Operations of a copy: every number up to `checkpoint`, and those of `above`, which ascend and do not touch. */
export interface SeqNos {
  readonly checkpoint: number;
  readonly above: readonly SeqNoRange[];
}

/** A write that is executed and need not be durable yet. */
export interface ExecutedWrite extends WriteOutcome {
  /** Numbers that its operations were given, ascending. */
  readonly ranges: readonly SeqNoRange[];
  /** The operations of these numbers, ascending; empty unless they were asked for. */
  readonly operations: readonly HistoryOperation[];
  /** Highest number of an operation that was done for the same request before, and is answered again; -1: none. */
  readonly repeated: number;
}

export interface ShardHistory {
  /** Every operation up to here was executed, or stands for one that was. */
  readonly processedCheckpoint: number;
  /** Every operation up to here is on disk. */
  readonly persistedCheckpoint: number;
  /** Highest number in use; -1: none. */
  readonly maxSeqNo: number;
  /** Operations that are executed here; right after the shard was opened all that is on its disk. */
  readonly executed: SeqNos;
  /** Term of the primary that this copy is or follows. Durable. */
  readonly primaryTerm: number;
  /** Lineage of the data. Durable. */
  readonly historyUuid: string;
  /** Every copy that may lead has the operations up to here, as far as this one knows. */
  readonly globalCheckpoint: number;
  /** Promises to keep the history for copies, by node, as they were kept last. */
  readonly leases: ReadonlyMap<string, HistoryLease>;
  /** Every operation from here on can be read. */
  readonly completeFrom: number;
  /** What the other copies need, whenever it changes; null: there are none. */
  retain(needs: HistoryNeeds | null): void;
  /** Kept with the log, with its next sync at the latest, which comes by itself. */
  keepGlobalCheckpoint(globalCheckpoint: number): void;
  /** Kept as the global checkpoint is. */
  keepLeases(leases: ReadonlyMap<string, HistoryLease>): void;
  /**
   * Operations from `from` to `to`, or the highest number of now, in ascending batches of about 512 KB that come in any order. What
   * is read stays on disk until the last batch was taken.
   *
   * @param from at least `completeFrom`
   * @throws translog_corrupted_exception for damage
   */
  changes(from: number, to?: number): AsyncGenerator<readonly HistoryOperation[], void>;
  /**
   * `Shard.write` without its wait: resolves when the operations are executed. A sync that begins later makes them durable.
   *
   * @param collects the operations are wanted
   * @throws as `Shard.write`
   */
  write(operations: OperationList, from: number, claim: PrimaryClaim | null, collects: boolean): Promise<ExecutedWrite>;
  /**
   * Executes operations under the numbers that their primary gave them, in any order; one that was executed does nothing again.
   * Resolves when they are executed. The mapping must have every field that the primary's had when it executed them.
   *
   * @param primaryTerm of the primary that sends them: at least that of each of them
   * @throws illegal_state_exception when the copy knows a newer term
   */
  apply(operations: readonly HistoryOperation[], primaryTerm: number): Promise<void>;
  /** Resolves when everything that was executed before the call is durable; where it rejects the shard has failed. */
  sync(): Promise<void>;
  /**
   * Follows the primary of a term, or gets ready to be it: from here on nothing of an older term is executed, and nothing that a
   * client asks for until `lead`. Durable when it resolves.
   *
   * @throws illegal_state_exception when the copy knows a newer term
   */
  enterTerm(primaryTerm: number): Promise<void>;
  /**
   * Leads the shard from now on in a term that is not lower: writes that run end in the old one, later ones have the new one.
   * Numbers that this copy lacks are taken for operations that do nothing. Durable when it resolves.
   *
   * @throws illegal_state_exception when the copy knows a newer term
   */
  lead(primaryTerm: number): Promise<void>;
  /**
   * Documents are as they were at `to`, up to which every operation is here. What is above stays in the log unless `drops`, and is
   * replaced by what is applied from now on. When it resolves no start brings it back in place of that; until then all of it may
   * come back, as executed.
   */
  rollback(to: number, drops: boolean): Promise<void>;
  /** Executes what the log kept above the last rollback and what nothing replaced or trimmed. Durable. */
  confirm(): Promise<void>;
  /** Drops operations above a number from the log whose term is lower than this; none of them is executed. Durable when it resolves. */
  trim(above: number, belowTerm: number): Promise<void>;
  /** A new lineage of the data begins here: its numbers name other operations than those of the old one. Durable when it resolves. */
  beginHistory(historyUuid: string): Promise<void>;
}
