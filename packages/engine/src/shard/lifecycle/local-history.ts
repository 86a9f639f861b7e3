/**
 * The numbered operations of an open shard, as the contract shows them.
 */
import type { ShardHistory } from '../contract/shard.ts';
import type { BatchWriter } from '../writing/batch-writer.ts';
import type { LocalShardParts } from './local-shard-parts.ts';

export function localHistory(
  { writer, translog, role }: Pick<LocalShardParts, 'writer' | 'translog' | 'role'>,
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
    apply: (operations, primaryTerm) => batches.apply(operations, primaryTerm),
    lead: (primaryTerm) => batches.lead(primaryTerm),
  };
}
