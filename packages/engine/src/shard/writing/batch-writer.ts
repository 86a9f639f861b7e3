/**
 * Executes the operations of one request in slices, and makes them durable before they are acknowledged.
 */
import { asShoalError, assert, type ShoalError } from '@shoal/core';
import type { Cancel, Runtime, ThreadTurns } from '@shoal/runtime';
import type { Mapping, MappingJson, TypedIndexSettings } from '@shoal/schema';
import {
  type OperationList,
  PackedResults,
  type RequestToken,
  type ShardId,
  type WriteOperation,
  type WriteOutcome,
} from '@shoal/shard-api';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { IndexingSlowLog } from '../slow-log/indexing-slow-log.ts';
import type { Translog } from '../translog/translog.ts';
import { collectMappingUpdate, refusedUpdate } from './mapping-update.ts';
import { MissingMappings } from './missing-mappings.ts';
import { MissingRoom } from './missing-room.ts';
import { writtenBytes } from './operation-bytes.ts';
import type { ShardSealing } from './shard-sealing.ts';
import type { ShardWriter } from './shard-writer.ts';
import type { WriteAttempt } from './write-attempt.ts';

/** Operations between two looks at the clock. */
const CHECK_EVERY = 16;
/** Longest time of indexing before searches get their turn. */
const SLICE_MS = 10;

export interface BatchWriterOptions {
  readonly id: ShardId;
  readonly runtime: Pick<Runtime, 'clock' | 'sched' | 'log'>;
  readonly writer: ShardWriter;
  readonly translog: Translog;
  readonly sealing: ShardSealing;
  /** Turns of the thread that owns the shard. */
  readonly turns: ThreadTurns;
  readonly counters: ShardCounters;
  readonly slowLog: IndexingSlowLog;
  readonly settings: () => TypedIndexSettings;
  readonly mapping: () => Mapping;
  /** Throws when the shard is closed or has failed. */
  readonly checkWritable: () => void;
  /** Why so many bytes more cannot be written; null when they can. */
  readonly memoryShortage: (bytes: number) => Promise<ShoalError | null>;
  /** Called when operations were executed, before they are durable. */
  readonly afterWrites: () => void;
}

export class BatchWriter {
  private readonly options: BatchWriterOptions;
  private cancelSync: Cancel | null = null;

  constructor(options: BatchWriterOptions) {
    this.options = options;
  }

  /** Executes the operations from `from` on, up to the first whose document has fields that the mapping lacks. */
  async write(operations: OperationList, from: number): Promise<WriteOutcome> {
    const { runtime, counters, afterWrites, checkWritable, memoryShortage } = this.options;
    assert(from >= 0 && from <= operations.length, `writes from ${from} of ${operations.length}`);
    checkWritable();
    const shortage = await memoryShortage(writtenBytes(operations, from));
    checkWritable();
    const results = new PackedResults();
    if (shortage !== null) {
      failRest(results, operations.length - from, shortage);
      return { results, mappingUpdate: null };
    }
    const startMs = runtime.clock.monotonicMs();
    const deletesBefore = counters.deleteTotal;
    counters.indexCurrent += operations.length - from;
    let mappingUpdate: MappingJson | null;
    try {
      mappingUpdate = await this.execute(operations, from, results);
    } finally {
      counters.indexCurrent -= operations.length - from;
      // A clock read for each operation would cost as much as some of them: deletes get their share of the request.
      const tookMs = runtime.clock.monotonicMs() - startMs;
      const deletesMs = (tookMs * (counters.deleteTotal - deletesBefore)) / Math.max(1, results.length);
      counters.deleteTimeMs += deletesMs;
      counters.indexTimeMs += tookMs - deletesMs;
    }
    afterWrites();
    await this.makeDurable(results);
    return { results, mappingUpdate };
  }

  /** The shard closes: what waits for a sync is synced with the translog's own close. */
  stop(): void {
    this.cancelSync?.();
  }

  /** Mapping update that the next operation waits for; null when all were executed. */
  private async execute(operations: OperationList, from: number, results: PackedResults): Promise<MappingJson | null> {
    const { runtime, turns, sealing, translog, checkWritable, mapping, settings } = this.options;
    const { clock } = runtime;
    const token = operations.token ?? null;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    let i = from;
    while (i < operations.length) {
      if (i % CHECK_EVERY === CHECK_EVERY - 1 && clock.monotonicMs() > sliceEndMs) {
        await turns.next();
        checkWritable();
        sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
      for (let seal = sealing.beforeWrite(); seal !== null; seal = sealing.beforeWrite()) {
        await seal;
        checkWritable();
        sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
      const operation = operations.at(i);
      assert(operation !== undefined, `operation ${i} of ${operations.length} is missing`);
      const outcome = this.executeOne(operation, token, i);
      if (outcome instanceof MissingMappings) {
        const remaining = { operations, waiting: i, needed: outcome.update };
        return collectMappingUpdate(mapping(), remaining, settings());
      }
      if (outcome instanceof MissingRoom) {
        const shortage = await translog.makeRoom(outcome.recordBytes);
        checkWritable();
        if (shortage === null) continue;
        failRest(results, operations.length - i, shortage);
        return null;
      }
      results.push(outcome);
      i++;
    }
    return null;
  }

  private executeOne(operation: WriteOperation, token: RequestToken | null, position: number): WriteAttempt {
    const { writer, counters, mapping, settings, slowLog } = this.options;
    let outcome = slowLog.isOn
      ? slowLog.during(operation, () => writer.execute(operation, token, position))
      : writer.execute(operation, token, position);
    if (outcome instanceof MissingMappings) {
      const conflict = refusedUpdate(mapping(), outcome.update, settings());
      if (conflict === null) return outcome;
      outcome = { kind: 'failed', error: conflict };
    }
    if (outcome instanceof MissingRoom) return outcome;
    if (outcome.kind === 'failed') counters.indexFailed++;
    else if (operation.kind === 'delete') counters.deleteTotal++;
    else if (outcome.result === 'noop') counters.noopTotal++;
    else counters.indexTotal++;
    return outcome;
  }

  /** Waits until the results are durable; they become failures where they could not be made so. */
  private async makeDurable(results: PackedResults): Promise<void> {
    if (!results.hasWritten) return;
    if (this.options.settings().translogDurability === 'async') {
      this.scheduleSync();
      return;
    }
    try {
      await this.options.translog.sync();
    } catch (error) {
      results.failWritten(asShoalError(error));
    }
  }

  private scheduleSync(): void {
    const { runtime, settings, translog, id } = this.options;
    this.cancelSync ??= runtime.sched.after(settings().translogSyncIntervalMs, () => {
      this.cancelSync = null;
      translog.sync().catch((error: unknown) => {
        // It has ended the shard already.
        runtime.log.warn('translog sync failed', { index: id.index, reason: String(error) });
      });
    });
  }
}

function failRest(results: PackedResults, count: number, error: ShoalError): void {
  for (let n = 0; n < count; n++) results.push({ kind: 'failed', error });
}
