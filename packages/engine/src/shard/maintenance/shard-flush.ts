/**
 * Flushes of a shard: one after the other, each a commit of one moment, then the translog is cut.
 */
import { asShoalError, assert, ShoalError } from '@shoal/core';
import { type Clock, DiskError, type Log } from '@shoal/runtime';
import type { RecentRun } from '../commit/request-runs.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { CommitHead, ShardStore } from '../commit/shard-store.ts';
import type { HistoryRetention } from '../history/history-retention.ts';
import type { Translog } from '../translog/translog.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';

export interface ShardFlushOptions {
  readonly clock: Clock;
  readonly writer: ShardWriter;
  readonly segments: SegmentSet;
  readonly translog: Translog;
  readonly store: ShardStore;
  readonly retention: HistoryRetention;
  /** How long the history is kept for copies that are away. */
  readonly historyKeptMs: () => number;
  readonly committedSeqNo: number;
  /** Calls `use` when everything written is in finished segments. */
  readonly whenSealed: (use: () => void) => Promise<void> | null;
  /** Makes results of recent writes durable. */
  readonly keepRecentWrites: (writes: readonly RecentRun[]) => Promise<void>;
  /** The disk failed in a way after which nothing may be written. */
  readonly onFailure: (error: ShoalError) => void;
}

/** What a commit is made of; its segments are held. */
interface Moment {
  readonly frozen: Parameters<ShardStore['commit']>[0];
  readonly head: Omit<CommitHead, 'globalCheckpoint'>;
  /** Operations that the writer had executed. */
  readonly operationCount: number;
  /** null: what is on disk of them is all there is. */
  readonly recentWrites: readonly RecentRun[] | null;
  /** Recent writes that are not on disk. */
  readonly unkeptWrites: number;
}

export class ShardFlush {
  private readonly options: ShardFlushOptions;
  private last: Promise<void> = Promise.resolve();
  private committedSeqNo: number;
  /** Operations of the writer that are in the newest commit. */
  private committedOperations = 0;
  private failure: ShoalError | null = null;
  /** Commits written. */
  private total = 0;
  /** Time that writing them took. */
  private timeMs = 0;

  constructor(options: ShardFlushOptions) {
    this.options = options;
    this.committedSeqNo = options.committedSeqNo;
  }

  /**
   * Resolves when everything written before this call is in a commit.
   *
   * @param syncId marker that the commit gets when nothing was written since and it has none; null for none
   */
  run(isForced: boolean, syncId: string | null): Promise<void> {
    const done = this.last.then(() => this.flush(isForced, syncId));
    // The next flush starts whatever became of this one; its caller gets the error.
    this.last = done.catch(() => {});
    return done;
  }

  /** Runs a change while no commit is made. */
  alone(change: () => Promise<void>): Promise<void> {
    const done = this.last.then(change);
    this.last = done.catch(() => {});
    return done;
  }

  /** The shard went back to an older commit; within `alone`. */
  restarted(committedSeqNo: number): void {
    this.committedSeqNo = committedSeqNo;
    // What the commit lacks of the log is committed with the next flush.
    this.committedOperations = -1;
  }

  stats(): { readonly flushTotal: number; readonly flushTimeMs: number } {
    return { flushTotal: this.total, flushTimeMs: Math.round(this.timeMs) };
  }

  /** The flush of a shard that closes. The translog holds what cannot be flushed: the next start replays it. */
  async runLast(log: Log, index: string): Promise<void> {
    await this.run(false, null).catch((error: unknown) => {
      log.warn('flush on close failed', { index, reason: String(error) });
    });
  }

  private async flush(isForced: boolean, syncId: string | null): Promise<void> {
    const { writer, translog, store } = this.options;
    if (this.failure !== null) throw this.failure;
    const needsMarker = syncId !== null && store.syncId === null;
    if (writer.operationCount === this.committedOperations && !isForced && !needsMarker) return;
    await translog.prepareRoll();
    const startMs = this.options.clock.monotonicMs();
    const moment: Moment[] = [];
    await this.options.whenSealed(() => moment.push(this.freeze(syncId)));
    const [frozenNow] = moment;
    assert(frozenNow !== undefined, 'sealed without a moment to commit');
    const { frozen, head } = frozenNow;
    try {
      await translog.sync();
      await this.commit(frozenNow);
    } finally {
      for (const { state } of frozen) state.segment.release();
    }
    assert(head.maxSeqNo >= this.committedSeqNo, `commit of ${head.maxSeqNo} after ${this.committedSeqNo}`);
    this.committedSeqNo = head.maxSeqNo;
    this.committedOperations = frozenNow.operationCount;
    this.total++;
    await this.trim();
    this.timeMs += this.options.clock.monotonicMs() - startMs;
  }

  /** Gives up the operations that no copy will ask for. */
  private async trim(): Promise<void> {
    const { translog, store, retention, clock, historyKeptMs } = this.options;
    const { generation: current, ended } = translog;
    const nowMs = clock.monotonicMs();
    const at = { current, checkpoint: store.keptCheckpoint, nowMs, keptMs: historyKeptMs() };
    await translog.trimBelow(retention.firstGeneration(ended, at));
  }

  /** Nothing waits in here: segments, bits and translog generation are of one moment. */
  private freeze(syncId: string | null): Moment {
    const { writer, segments, translog } = this.options;
    const { max: maxSeqNo, checkpoint: localCheckpoint } = writer.processed;
    translog.roll(this.options.clock.monotonicMs());
    const head = {
      maxSeqNo,
      localCheckpoint,
      nextSegment: writer.nextSegment,
      // What comes after a gap is applied again when the gap is: the commit need not say which of it the segments hold.
      translogGeneration: translog.firstGenerationAbove(localCheckpoint),
      generations: translog.ended,
      trimmedSeqNo: translog.completeAbove,
      syncId,
      deletes: writer.recentDeletes(),
      leases: this.options.retention.leases,
      trims: translog.trims,
    };
    const frozen = segments.states
      .filter((state) => state.liveCount > 0)
      .map((state) => ({ state, live: state.snapshot().bits, liveCount: state.liveCount }));
    assert(
      head.maxSeqNo >= this.committedSeqNo,
      `a flush up to ${head.maxSeqNo} after a commit of ${this.committedSeqNo}`,
    );
    for (const { state } of frozen) state.segment.retain();
    const { unkept: unkeptWrites } = writer.recentWrites;
    const recentWrites = unkeptWrites > 0 ? writer.recentWrites.all() : null;
    return { frozen, head, operationCount: writer.operationCount, recentWrites, unkeptWrites };
  }

  private async commit({ frozen, head, recentWrites, unkeptWrites }: Moment): Promise<void> {
    try {
      // Before the commit and the cut of the translog: what was executed before the moment is durable there already.
      if (recentWrites !== null) {
        await this.options.keepRecentWrites(recentWrites);
        this.options.writer.recentWrites.noteKept(unkeptWrites);
      }
      const { store, retention, translog } = this.options;
      const globalCheckpoint = retention.globalCheckpoint(translog.persisted.checkpoint);
      await store.commit(frozen, { ...head, globalCheckpoint });
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
