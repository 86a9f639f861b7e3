/**
 * The numbered operations of an open shard, as the contract shows them.
 */
import type { ShardHistory } from '../contract/shard.ts';
import type { BatchWriter } from '../writing/batch-writer.ts';
import type { LocalShardParts } from './local-shard-parts.ts';

/** Bytes of a batch of changes, which crosses the network in one message. */
const BATCH_BYTES_MAX = 512 * 1024;

export function localHistory(
  { writer, translog, role, retention }: Pick<LocalShardParts, 'writer' | 'translog' | 'role' | 'retention'>,
  batches: BatchWriter,
): ShardHistory {
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
    changes: (from) => translog.read(from, writer.maxSeqNo, BATCH_BYTES_MAX),
    apply: (operations, primaryTerm) => batches.apply(operations, primaryTerm),
    lead: (primaryTerm) => batches.lead(primaryTerm),
  };
}
