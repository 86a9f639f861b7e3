/**
 * Flushes of a shard: one after the other, each a commit of one moment, then the translog is cut.
 */
import { asShoalError, ShoalError } from '@shoal/core';
import { DiskError } from '@shoal/runtime';
import type { Translog } from '../translog/translog.ts';
import type { SegmentSet } from './segment-set.ts';
import type { ShardStore } from './shard-store.ts';
import type { ShardWriter } from './shard-writer.ts';

export interface ShardFlushOptions {
  readonly writer: ShardWriter;
  readonly segments: SegmentSet;
  readonly translog: Translog;
  readonly store: ShardStore;
  readonly committedSeqNo: number;
  /** The disk failed in a way after which nothing may be written. */
  readonly onFailure: (error: ShoalError) => void;
}

export class ShardFlush {
  private readonly options: ShardFlushOptions;
  private last: Promise<void> = Promise.resolve();
  private committedSeqNo: number;
  private failure: ShoalError | null = null;
  /** Commits written. */
  total = 0;

  constructor(options: ShardFlushOptions) {
    this.options = options;
    this.committedSeqNo = options.committedSeqNo;
  }

  /** Resolves when everything written before this call is in a commit. */
  run(isForced: boolean): Promise<void> {
    const done = this.last.then(() => this.flush(isForced));
    // The next flush starts whatever became of this one; its caller gets the error.
    this.last = done.catch(() => {});
    return done;
  }

  private async flush(isForced: boolean): Promise<void> {
    const { writer, segments, translog } = this.options;
    if (this.failure !== null) throw this.failure;
    if (writer.maxSeqNo === this.committedSeqNo && !isForced) return;
    const shortage = await translog.ready();
    if (shortage !== null) throw shortage;
    // From here to `roll` nothing may wait: segments, bits and translog generation must be of one moment.
    writer.seal();
    const head = {
      maxSeqNo: writer.maxSeqNo,
      nextSegment: writer.nextSegment,
      translogGeneration: translog.roll(),
    };
    const frozen = segments.states
      .filter((state) => state.liveCount > 0)
      .map((state) => ({ state, live: state.snapshot().bits, liveCount: state.liveCount }));
    for (const { state } of frozen) state.segment.retain();
    try {
      await translog.sync();
      await this.commit(frozen, head);
    } finally {
      for (const { state } of frozen) state.segment.release();
    }
    this.committedSeqNo = head.maxSeqNo;
    this.total++;
    await translog.trimBelow(head.translogGeneration);
  }

  private async commit(...commit: Parameters<ShardStore['commit']>): Promise<void> {
    try {
      await this.options.store.commit(...commit);
    } catch (error) {
      throw this.commitFailed(error);
    }
  }

  /** A full disk costs nothing but the flush: the translog still holds everything. Anything else ends the shard. */
  private commitFailed(error: unknown): ShoalError {
    const isShortage = error instanceof DiskError && error.kind === 'full';
    const shown = new ShoalError('flush_failed_engine_exception', isShortage ? 503 : 500, 'Flush failed', {
      causedBy: asShoalError(error),
    });
    if (!isShortage) {
      this.failure = shown;
      this.options.onFailure(shown);
    }
    return shown;
  }
}
