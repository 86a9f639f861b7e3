/**
 * The outermost collectors of a request: every batch of matches is handed to each of them.
 */
import { circuitBreaking, StepMeter, type Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { BreakerAccount } from '../../../memory/request-breaker.ts';
import type { HitCollector, StretchCollector } from '../../walk/match-walk.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { DocBatch } from '../collector/doc-batch.ts';

/** Memory that the aggregations of one request may take on one shard. */
const MEMORY_MAX = 256 * 1024 * 1024;
/** Batches between two looks at the memory. */
const BATCHES_PER_CHECK = 8;

export interface FanAround {
  /** Memory that the request holds beside these collectors. */
  readonly besideBytes: number;
  /** Called every few batches. */
  looked(): void;
}

const ALONE: FanAround = { besideBytes: 0, looked: () => {} };

/** Every batch to every collector; all documents fall in the one bucket of the request. */
export class Fan implements HitCollector, StretchCollector {
  private readonly collectors: readonly BucketCollector[];
  private readonly buckets = new Uint32Array(BATCH_SIZE);
  private readonly batch = new DocBatch();
  private readonly held: BreakerAccount | null;
  private readonly around: FanAround;
  private readonly meter = new StepMeter();
  private batches = 0;

  constructor(collectors: readonly BucketCollector[], held: BreakerAccount | null, around: FanAround = ALONE) {
    this.collectors = collectors;
    this.held = held;
    this.around = around;
  }

  enter(view: SegmentView): void {
    for (const collector of this.collectors) collector.enter(view);
  }

  collect(docs: Uint32Array, _scores: Float32Array, count: number): void {
    this.batch.setList(docs, count);
    this.hand();
  }

  collectStretch(from: number, to: number): void {
    this.batch.setStretch(from, to);
    this.hand();
  }

  get owed(): Steps<void> | null {
    for (const { owed } of this.collectors) if (owed) return owed;
    return null;
  }

  private hand(): void {
    for (const collector of this.collectors) collector.collect(this.batch, this.buckets);
    if (++this.batches % BATCHES_PER_CHECK !== 0) return;
    this.checkMemory();
    this.around.looked();
  }

  private checkMemory(): void {
    let bytes = this.around.besideBytes;
    for (const collector of this.collectors) bytes += collector.memoryBytes;
    this.held?.set(bytes);
    if (bytes <= MEMORY_MAX) return;
    throw circuitBreaking(
      `[request] Data too large, data for [<agg>] would be [${bytes}], which is larger than the limit of [${MEMORY_MAX}]`,
      { wanted: bytes, limit: MEMORY_MAX },
    );
  }

  *leave(): Steps<void> {
    for (const collector of this.collectors) {
      const steps = collector.leave(this.meter);
      if (steps !== null) yield* steps;
    }
    this.checkMemory();
  }
}
