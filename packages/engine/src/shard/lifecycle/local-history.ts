/**
 * The numbered operations of an open shard, as the contract shows them.
 */
import type { ShardHistory } from '../contract/shard-history.ts';
import type { BatchWriter } from '../writing/batch-writer.ts';
import type { LocalShardParts } from './local-shard-parts.ts';

/** Bytes of a batch of changes, which crosses the network in one message. */
const BATCH_BYTES_MAX = 512 * 1024;

export function localHistory(
  parts: Pick<LocalShardParts, 'writer' | 'translog' | 'role' | 'retention' | 'identity'>,
  batches: BatchWriter,
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
    changes: (from) => translog.read(from, writer.maxSeqNo, BATCH_BYTES_MAX),
    write: (operations, from, claim, collects) => batches.execute(operations, from, claim, collects),
    apply: (operations, primaryTerm) => batches.apply(operations, primaryTerm),
    sync: () => batches.sync(),
    enterTerm: (primaryTerm) => batches.enterTerm(primaryTerm),
    lead: (primaryTerm) => batches.lead(primaryTerm),
    beginHistory: (historyUuid) => identity.change({ historyUuid }),
  };
}
