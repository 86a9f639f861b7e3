/**
 * What an open shard has for other copies, as the contract shows it: its numbered operations, and the files of its commits.
 */
import type { ShoalError } from '@shoal/core';
import type { HistoryOperation } from '@shoal/shard-api';
import type { ShardHistory } from '../contract/shard-history.ts';
import type { HistoryReset } from '../maintenance/history-reset.ts';
import { CommitSource } from '../recovery/commit-source.ts';
import type { ShardCommits } from '../recovery/shard-commits.ts';
import type { BatchWriter } from '../writing/batch-writer.ts';
import type { LocalShardParts } from './local-shard-parts.ts';

/** Bytes of a batch of changes, which crosses the network in one message. */
const BATCH_BYTES_MAX = 512 * 1024;

export function localHistory(
  parts: Pick<LocalShardParts, 'writer' | 'translog' | 'role' | 'retention' | 'identity'>,
  batches: BatchWriter,
  reset: HistoryReset,
): ShardHistory {
  const { writer, translog, role, retention, identity } = parts;
  return {
    get processedCheckpoint() {
      return writer.processed.checkpoint;
    },
    get persistedCheckpoint() {
      return translog.persisted.checkpoint;
    },
    get maxSeqNo() {
      return writer.maxSeqNo;
    },
    get executed() {
      return { checkpoint: writer.processed.checkpoint, above: writer.processed.above() };
    },
    get historyUuid() {
      return identity.historyUuid;
    },
    get primaryTerm() {
      return role.primaryTerm;
    },
    get globalCheckpoint() {
      return retention.globalCheckpoint(translog.persisted.checkpoint);
    },
    get completeFrom() {
      return translog.completeAbove + 1;
    },
    retain: (needs) => retention.update(needs),
    get leases() {
      return retention.leases;
    },
    keepGlobalCheckpoint: (globalCheckpoint) => {
      retention.noteGlobalCheckpoint(globalCheckpoint);
      translog.state.note({ globalCheckpoint, leases: retention.leases });
    },
    keepLeases: (leases) => {
      retention.leases = leases;
      const globalCheckpoint = retention.globalCheckpoint(translog.persisted.checkpoint);
      translog.state.note({ globalCheckpoint, leases });
    },
    changes: (from, to = writer.maxSeqNo) => inOrder(translog.read(from, to, BATCH_BYTES_MAX)),
    write: (operations, from, claim, collects) => batches.execute(operations, from, claim, collects),
    apply: (operations, primaryTerm) => batches.apply(operations, primaryTerm),
    sync: () => batches.sync(),
    enterTerm: (primaryTerm) => batches.enterTerm(primaryTerm),
    lead: (primaryTerm) => batches.lead(primaryTerm),
    rollback: (to, drops) => reset.rollback(to, drops),
    confirm: () => reset.confirm(),
    trim: (above, belowTerm) => reset.trim({ above, belowTerm }),
    beginHistory: (historyUuid) => identity.change({ historyUuid }),
  };
}

async function* inOrder(
  batches: AsyncGenerator<readonly HistoryOperation[], void>,
): AsyncGenerator<readonly HistoryOperation[], void> {
  for await (const batch of batches) yield batch.toSorted((a, b) => a.seqNo - b.seqNo);
}

export function commitsForCopies(parts: LocalShardParts, onDamage: (error: ShoalError) => void): ShardCommits {
  const { runtime, path, store, turns, recoveryPace: pace, retention, translog, writer } = parts;
  const { recentWrites } = writer;
  const globalCheckpoint = (): number => retention.globalCheckpoint(translog.persisted.checkpoint);
  return new CommitSource({ disk: runtime.disk, path, store, recentWrites, turns, pace, globalCheckpoint, onDamage });
}
