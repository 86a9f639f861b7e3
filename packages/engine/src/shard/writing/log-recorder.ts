/**
 * Where an operation goes that was executed: into the log, or nowhere when it came out of the log.
 */
import type { HistoryOperation } from '@shoal/shard-api';
import type { Translog } from '../translog/translog.ts';

export class LogRecorder {
  /** What is executed is in the log already, durable. */
  isReplaying = true;
  private readonly translog: Translog;

  constructor(translog: Translog) {
    this.translog = translog;
  }

  record(operation: HistoryOperation): void {
    if (this.isReplaying) this.translog.persisted.mark(operation.seqNo);
    else this.translog.append(operation);
  }
}
