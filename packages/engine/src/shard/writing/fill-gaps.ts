/**
 * Numbers that no operation came under when their primary went: whoever leads the shard next takes them for operations that do
 * nothing, so that its history has no holes.
 */
import { assert } from '@shoal/core';
import type { Translog } from '../translog/translog.ts';
import { recordBytesMax } from '../translog/translog-record.ts';
import type { ShardWriter } from './shard-writer.ts';

/**
 * Fills every gap below the highest number, durably.
 *
 * @throws ShoalError where the translog cannot be written
 */
export async function fillGaps(writer: ShardWriter, translog: Translog, primaryTerm: number): Promise<void> {
  for (const seqNo of writer.processed.gaps()) {
    const noop = { kind: 'noop', seqNo, primaryTerm, reason: 'filling gaps' } as const;
    const shortage = await translog.makeRoom(recordBytesMax(noop));
    if (shortage !== null) throw shortage;
    writer.apply(noop);
  }
  await translog.sync();
  const { checkpoint, max } = translog.persisted;
  assert(checkpoint === max && max === writer.maxSeqNo, `filled up to ${checkpoint} of ${max} and ${writer.maxSeqNo}`);
}
