/**
 * A copy goes back to what is agreed, and may later take up again what it had beyond.
 *
 * What it has above the point may differ from its new primary's history. It stays in the log, where later operations replace it
 * one by one: should this copy lead before all of them came, what is left counts. So a rollback gives up the commits that hold
 * more than what is agreed; from the one that is left and the log a start makes all there was, with what was replaced since.
 */
import { assert } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { RecentRun } from '../commit/request-runs.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { ShardStore } from '../commit/shard-store.ts';
import type { LogTrim } from '../history/generation-trims.ts';
import type { HistoryRetention } from '../history/history-retention.ts';
import type { Translog } from '../translog/translog.ts';
import type { LogRecorder } from '../writing/log-recorder.ts';
import type { ShardRole } from '../writing/shard-role.ts';
import type { ShardSealing } from '../writing/shard-sealing.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';
import type { SegmentMerging } from './segment-merging.ts';
import type { ShardFlush } from './shard-flush.ts';

/** Bytes of the log that are executed again between two looks at what else there is to do. */
const BATCH_BYTES_MAX = 512 * 1024;

export interface HistoryResetOptions {
  readonly runtime: Pick<Runtime, 'clock'>;
  readonly role: ShardRole;
  readonly writer: ShardWriter;
  readonly recorder: LogRecorder;
  readonly segments: SegmentSet;
  readonly store: ShardStore;
  readonly retention: HistoryRetention;
  readonly translog: Translog;
  readonly sealing: ShardSealing;
  readonly merging: SegmentMerging;
  readonly flushes: ShardFlush;
  readonly keepRecentWrites: (writes: readonly RecentRun[]) => Promise<void>;
  /** Throws when the shard is closed or has failed. */
  readonly checkWritable: () => void;
  /** Documents are others now, for searches too. */
  readonly onReset: () => void;
  /** It failed half way: what is in memory and what is on disk may be two things. */
  readonly onFailure: (error: unknown) => void;
}

export class HistoryReset {
  private readonly options: HistoryResetOptions;

  constructor(options: HistoryResetOptions) {
    this.options = options;
  }

  /**
   * Documents are as they were at `to`; resolves when no start brings back what was executed above it in place of what comes.
   *
   * @param to all operations up to it are here
   * @param drops the log loses what is above
   */
  rollback(to: number, drops: boolean): Promise<void> {
    return this.alone(async () => {
      const { writer, translog, segments, store } = this.options;
      await this.beginGeneration(null);
      // Before the documents go: an answer must not outlive its operation.
      writer.recentWrites.forgetAbove(to);
      await this.options.keepRecentWrites(writer.recentWrites.all());
      writer.recentWrites.noteKept(writer.recentWrites.unkept);
      const commit = await store.restart(to, this.head(to));
      // Not before no commit has it: what a commit holds and the log has not would be neither here nor gone.
      if (drops) await this.beginGeneration({ above: to, belowTerm: Number.MAX_SAFE_INTEGER });
      const states = await store.loadSegments(commit, segments.memory);
      segments.close();
      writer.restart(commit.localCheckpoint, commit.maxSeqNo);
      writer.rememberDeletes(commit.deletes);
      translog.persisted.restart(commit.localCheckpoint, commit.maxSeqNo);
      for (const state of states) segments.add(state);
      this.options.flushes.restarted(commit.maxSeqNo);
      await this.execute(commit.localCheckpoint + 1, to);
      const { checkpoint, max } = writer.processed;
      assert(checkpoint === to && max === to, `went back to ${to}, and is at ${checkpoint} of ${max}`);
      this.publish();
    });
  }

  /** What the commit to go back to says of the log, which went on since. */
  private head(to: number): Parameters<ShardStore['restart']>[1] {
    const { writer, translog, store, retention } = this.options;
    return {
      globalCheckpoint: Math.min(to, retention.globalCheckpoint(to)),
      translogGeneration: translog.firstGenerationAbove(store.checkpointThrough(to)),
      generations: translog.ended,
      trimmedSeqNo: translog.completeAbove,
      nextSegment: writer.nextSegment,
      leases: retention.leases,
      trims: translog.trims,
    };
  }

  /** Executes what the log kept above the last rollback, where nothing else came and no trim dropped it. It is durable. */
  confirm(): Promise<void> {
    return this.alone(async () => {
      const { writer, translog } = this.options;
      await this.execute(writer.processed.checkpoint + 1, translog.highestSeqNo);
      this.publish();
    });
  }

  /** The log loses what is above a number and of a term below another one; nothing of it is executed. Durable when it resolves. */
  trim(trim: LogTrim): Promise<void> {
    return this.options.flushes.alone(() => {
      this.options.checkWritable();
      return this.beginGeneration(trim);
    });
  }

  private async beginGeneration(trim: LogTrim | null): Promise<void> {
    const { translog, runtime } = this.options;
    await translog.prepareRoll();
    translog.roll(runtime.clock.monotonicMs());
    if (trim !== null) translog.trim(trim);
    await translog.sync();
  }

  /** While nothing is written, merged or committed. */
  private alone(change: () => Promise<void>): Promise<void> {
    const { role, merging, flushes, sealing, checkWritable } = this.options;
    return role.alone(async () => {
      checkWritable();
      await merging.pause();
      try {
        await flushes.alone(async () => {
          await sealing.idle();
          checkWritable();
          await change();
        });
      } catch (error) {
        this.options.onFailure(error);
        throw error;
      } finally {
        merging.resume();
      }
    });
  }

  /** Operations of the log that are not executed; their records stay where they are. */
  private async execute(from: number, to: number): Promise<void> {
    const { writer, recorder, translog, sealing } = this.options;
    if (from > to) return;
    for await (const batch of translog.read(from, to, BATCH_BYTES_MAX)) {
      recorder.isReplaying = true;
      try {
        for (const operation of batch) {
          writer.apply(operation);
          for (let seal = sealing.beforeWrite(); seal !== null; seal = sealing.beforeWrite()) await seal;
        }
      } finally {
        recorder.isReplaying = false;
      }
    }
  }

  private publish(): void {
    const { writer, segments } = this.options;
    writer.seal();
    writer.hasChanges = false;
    segments.publish();
    this.options.onReset();
  }
}
