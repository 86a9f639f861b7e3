/**
 * Numbers that the operations of one write are given while others run beside it, and the operations where they are wanted.
 */
import type { HistoryOperation } from '@shoal/shard-api';
import type { ExecutedWrite, SeqNoRange } from '../contract/shard-history.ts';
import type { ShardWriter } from './shard-writer.ts';
import type { WriteAttempt } from './write-attempt.ts';

export class NumberedOperations {
  private readonly writer: Pick<ShardWriter, 'maxSeqNo' | 'collected'>;
  private readonly operations: HistoryOperation[] | null;
  private readonly ranges: { first: number; last: number }[] = [];
  private repeated = -1;

  constructor(writer: Pick<ShardWriter, 'maxSeqNo' | 'collected'>, collects: boolean) {
    this.writer = writer;
    this.operations = collects ? [] : null;
  }

  /** Executes one operation, at once. */
  during(execute: () => WriteAttempt): WriteAttempt {
    const { writer } = this;
    const before = writer.maxSeqNo;
    writer.collected = this.operations;
    try {
      const attempt = execute();
      // An operation that was done before for the same request has its number already.
      if (writer.maxSeqNo === before && 'kind' in attempt && attempt.kind === 'done' && attempt.result !== 'noop') {
        this.repeated = Math.max(this.repeated, attempt.seqNo);
      }
      return attempt;
    } finally {
      writer.collected = null;
      if (writer.maxSeqNo > before) this.note(before + 1, writer.maxSeqNo);
    }
  }

  private note(first: number, last: number): void {
    const open = this.ranges[this.ranges.length - 1];
    if (open !== undefined && open.last === first - 1) open.last = last;
    else this.ranges.push({ first, last });
  }

  result(): Pick<ExecutedWrite, 'ranges' | 'operations' | 'repeated'> {
    const ranges: readonly SeqNoRange[] = this.ranges;
    return { ranges, operations: this.operations ?? [], repeated: this.repeated };
  }
}
