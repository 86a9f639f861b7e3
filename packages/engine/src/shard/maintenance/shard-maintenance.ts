/**
 * Maintenance of a shard: merges, a check of the segments it opened, and flushes when the translog or the segments without a
 * file have grown.
 */
import type { ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { TypedIndexSettings } from '@shoal/schema';
import type { ShardId } from '@shoal/shard-api';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { Translog } from '../translog/translog.ts';
import type { ShardWriter } from '../writing/shard-writer.ts';
import { SegmentCheck } from './segment-check.ts';
import type { SegmentMerging } from './segment-merging.ts';

/** Stored documents of a shard that wait in memory for a flush. */
const STORED_BYTES_MAX = 32 * 1024 * 1024;
/** Garbage of segments that triggers a collection, in bytes. */
const GARBAGE_BYTES = 24 * 1024 * 1024;
/** Between two flushes that the size of memory asks for: one that failed is not tried with every write. */
const FLUSH_PAUSE_MS = 1_000;

export interface ShardMaintenanceOptions {
  readonly runtime: Pick<Runtime, 'clock' | 'sched' | 'log' | 'machine'>;
  readonly id: ShardId;
  readonly segments: SegmentSet;
  readonly translog: Translog;
  readonly writer: Pick<ShardWriter, 'recentWrites'>;
  readonly merging: SegmentMerging;
  readonly settings: () => TypedIndexSettings;
  readonly flush: () => Promise<void>;
  /** The shard is closed or has failed. */
  readonly isOver: () => boolean;
}

export class ShardMaintenance {
  private readonly options: ShardMaintenanceOptions;
  private readonly check: SegmentCheck;
  /** Flushes done because the translog or memory had grown. */
  flushesDone = 0;
  private isFlushing = false;
  private nextFlushMs = Number.NEGATIVE_INFINITY;

  constructor(options: ShardMaintenanceOptions) {
    this.options = options;
    this.check = new SegmentCheck(options.segments, options.runtime.sched);
  }

  /** The shard closes. */
  stop(): void {
    this.check.stop();
  }

  /** Once in a while. Failures are logged here, their owner. */
  run(): void {
    if (this.options.isOver()) return;
    this.merge();
    this.flushWhenDue();
    const { segments, writer, runtime } = this.options;
    segments.memory.pieces?.trim();
    writer.recentWrites.forgetOld(runtime.clock.monotonicMs());
    this.collectWhenDue();
  }

  private merge(): void {
    const { merging, id, runtime } = this.options;
    const wasWaiting = merging.isWaiting;
    merging
      .run()
      .then(() => {
        if (merging.isWaiting && !wasWaiting)
          runtime.log.warn('merges wait for room on the disk', { index: id.index, shard: id.number });
      })
      .catch((error: unknown) => this.warn('merge', error));
  }

  /** Collects buffers that merges and flushes dropped, which would stay until the thread's own objects need room. */
  private collectWhenDue(): void {
    const { segments, runtime } = this.options;
    if (segments.memory.hasReleased(GARBAGE_BYTES)) runtime.machine.collectGarbage?.();
  }

  /** After each batch: memory must not wait for the clock. */
  afterWrites(): void {
    if (!this.options.isOver()) this.flushWhenDue();
  }

  /** null when there is room, if need be after a flush: of what files have, memory gives up what it must. */
  async memoryShortage(bytes: number): Promise<ShoalError | null> {
    const { segments, flush } = this.options;
    const shortage = segments.memory.shortage(bytes);
    if (shortage === null || segments.unwrittenBytes === 0) return shortage;
    await flush().catch((error: unknown) => this.warn('flush', error));
    return segments.memory.shortage(bytes);
  }

  private flushWhenDue(): void {
    const { segments, translog, settings, flush, runtime } = this.options;
    const { clock } = runtime;
    const isDue =
      translog.sizeBytes > settings().translogFlushThresholdBytes ||
      segments.storedInMemoryBytes > STORED_BYTES_MAX ||
      segments.unwrittenBytes > segments.memory.unwrittenBytesMax;
    if (!isDue || this.isFlushing || clock.monotonicMs() < this.nextFlushMs) return;
    this.isFlushing = true;
    this.nextFlushMs = clock.monotonicMs() + FLUSH_PAUSE_MS;
    flush()
      .then(() => {
        this.flushesDone++;
      })
      .catch((error: unknown) => this.warn('flush', error))
      .finally(() => {
        this.isFlushing = false;
      });
  }

  private warn(what: string, error: unknown): void {
    const { id, runtime } = this.options;
    runtime.log.warn(`${what} failed`, { index: id.index, shard: id.number, reason: String(error) });
  }
}
