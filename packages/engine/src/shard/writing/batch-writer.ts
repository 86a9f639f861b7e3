/**
 * Executes the operations of one request in slices, and makes them durable before they are acknowledged: those that a primary is
 * asked for, and those that it did, on another copy.
 */
import { asShoalError, assert, type ShoalError } from '@shoal/core';
import type { Cancel, Runtime, ThreadTurns } from '@shoal/runtime';
import type { Mapping, MappingJson, TypedIndexSettings } from '@shoal/schema';
import {
  type HistoryOperation,
  type OperationList,
  PackedResults,
  type RequestToken,
  type ShardId,
  type WriteOperation,
  type WriteOutcome,
} from '@shoal/shard-api';
import type { ShardIdentity } from '../commit/shard-identity.ts';
import type { PrimaryClaim } from '../contract/primary-claim.ts';
import type { ShardCounters } from '../contract/shard-counters.ts';
import type { ExecutedWrite } from '../contract/shard-history.ts';
import type { IndexingSlowLog } from '../slow-log/indexing-slow-log.ts';
import type { Translog } from '../translog/translog.ts';
import { recordBytesMax } from '../translog/translog-record.ts';
import { fillGaps } from './fill-gaps.ts';
import { collectMappingUpdate, refusedUpdate } from './mapping-update.ts';
import { MissingMappings } from './missing-mappings.ts';
import { MissingRoom } from './missing-room.ts';
import { NumberedOperations } from './numbered-operations.ts';
import { writtenBytes } from './operation-bytes.ts';
import { PrimaryOperations } from './primary-operations.ts';
import type { ShardRole } from './shard-role.ts';
import type { ShardSealing } from './shard-sealing.ts';
import type { ShardWriter } from './shard-writer.ts';
import { isUnfinished, type WriteAttempt } from './write-attempt.ts';

/** Operations between two looks at the clock. */
const CHECK_EVERY = 16;
/** Longest time of indexing before searches get their turn. */
const SLICE_MS = 5;

export interface BatchWriterOptions {
  readonly id: ShardId;
  readonly runtime: Pick<Runtime, 'clock' | 'sched' | 'log'>;
  readonly writer: ShardWriter;
  readonly role: ShardRole;
  readonly translog: Translog;
  readonly identity: ShardIdentity;
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
  private readonly primary: PrimaryOperations;
  private cancelSync: Cancel | null = null;

  constructor(options: BatchWriterOptions) {
    this.options = options;
    const { id: shard, runtime, translog } = options;
    const hasRoomFor = (recordBytes: number): boolean => translog.hasRoomFor(recordBytes);
    this.primary = new PrimaryOperations({ ...options, shard, clock: runtime.clock, hasRoomFor });
  }

  /**
   * Executes the operations from `from` on, up to the first whose document has fields that the mapping lacks.
   *
   * @param claim copy that the writes were routed to; null: this one, whatever its term
   */
  write(operations: OperationList, from: number, claim: PrimaryClaim | null): Promise<WriteOutcome> {
    return this.options.role.asPrimary(claim, () => this.writeNow(operations, from));
  }

  /** `write` that resolves when the operations are executed. @param collects they are wanted */
  execute(
    operations: OperationList,
    from: number,
    claim: PrimaryClaim | null,
    collects: boolean,
  ): Promise<ExecutedWrite> {
    const numbered = new NumberedOperations(this.options.writer, collects);
    return this.options.role.asPrimary(claim, async () => {
      const outcome = await this.executeAll(operations, from, numbered);
      return { ...outcome, ...numbered.result() };
    });
  }

  private async writeNow(operations: OperationList, from: number): Promise<WriteOutcome> {
    const outcome = await this.executeAll(operations, from, null);
    const { results } = outcome;
    if (results.hasWritten) {
      await this.makeDurable().catch((error: unknown) => results.failWritten(asShoalError(error)));
    }
    return outcome;
  }

  private async executeAll(
    operations: OperationList,
    from: number,
    numbered: NumberedOperations | null,
  ): Promise<WriteOutcome> {
    assert(from >= 0 && from <= operations.length, `writes from ${from} of ${operations.length}`);
    const shortage = await this.shortage(writtenBytes(operations, from));
    const results = new PackedResults();
    if (shortage !== null) {
      failRest(results, operations.length - from, shortage);
      return { results, mappingUpdate: null };
    }
    const mappingUpdate = await this.timed(operations.length - from, () =>
      this.executeInSlices(operations, from, results, numbered),
    );
    return { results, mappingUpdate };
  }

  /**
   * Executes operations under the numbers that their primary gave them; in any order, and again without effect.
   *
   * @param primaryTerm of the primary that sends them, which need not be the term of any of them
   * @throws ShoalError where the term is over, or the disk or memory has no room; what came before is executed, and can be handed
   *   in again
   */
  apply(operations: readonly HistoryOperation[], primaryTerm: number): Promise<void> {
    return this.options.role.asReplica(primaryTerm, () => this.applyNow(operations));
  }

  /** Leads from now on in the given term: after what runs now, and without holes in the history. */
  lead(primaryTerm: number): Promise<void> {
    const { role, writer, translog, checkWritable } = this.options;
    return role.lead(primaryTerm, async (term) => {
      checkWritable();
      await this.persistTerm(term);
      await fillGaps(writer, translog, term);
    });
  }

  /** Takes part in the given term without leading yet: after what runs now. */
  enterTerm(primaryTerm: number): Promise<void> {
    return this.options.role.enterTerm(primaryTerm, (term) => {
      this.options.checkWritable();
      return this.persistTerm(term);
    });
  }

  private async persistTerm(primaryTerm: number): Promise<void> {
    const { identity } = this.options;
    if (primaryTerm > identity.primaryTerm) await identity.change({ primaryTerm });
  }

  /** Resolves when everything executed so far is durable. */
  async sync(): Promise<void> {
    this.options.checkWritable();
    await this.options.translog.sync();
  }

  private async applyNow(operations: readonly HistoryOperation[]): Promise<void> {
    const bytes = operations.reduce((sum, it) => sum + (it.kind === 'index' ? it.source.length : 0), 0);
    const shortage = await this.shortage(bytes);
    if (shortage !== null) throw shortage;
    const { writer, translog, counters } = this.options;
    const stopped = await this.timed(operations.length, () =>
      this.inSlices({ from: 0, end: operations.length }, (at) => {
        const operation = operations[at] as HistoryOperation;
        const recordBytes = recordBytesMax(operation);
        if (!translog.hasRoomFor(recordBytes)) return new MissingRoom(recordBytes);
        writer.apply(operation);
        if (operation.kind === 'index') counters.indexTotal++;
        else if (operation.kind === 'delete') counters.deleteTotal++;
        return 'next';
      }),
    );
    if (stopped !== null) throw stopped.why;
  }

  private async shortage(bytes: number): Promise<ShoalError | null> {
    const { checkWritable, memoryShortage } = this.options;
    checkWritable();
    const shortage = await memoryShortage(bytes);
    checkWritable();
    return shortage;
  }

  /** Runs what executes so many operations, and counts its time. */
  private async timed<T>(count: number, work: () => Promise<T>): Promise<T> {
    const { runtime, counters, afterWrites } = this.options;
    const startMs = runtime.clock.monotonicMs();
    const deletesBefore = counters.deleteTotal;
    counters.indexCurrent += count;
    try {
      return await work();
    } finally {
      counters.indexCurrent -= count;
      // A clock read for each operation would cost as much as some of them: deletes get their share of the request.
      const tookMs = runtime.clock.monotonicMs() - startMs;
      const deletesMs = (tookMs * (counters.deleteTotal - deletesBefore)) / Math.max(1, count);
      counters.deleteTimeMs += deletesMs;
      counters.indexTimeMs += tookMs - deletesMs;
      afterWrites();
    }
  }

  /** The shard closes: what waits for a sync is synced with the translog's own close. */
  stop(): void {
    this.cancelSync?.();
  }

  /** Mapping update that the next operation waits for; null when all were executed. */
  private async executeInSlices(
    operations: OperationList,
    from: number,
    results: PackedResults,
    numbered: NumberedOperations | null,
  ): Promise<MappingJson | null> {
    const { mapping, settings } = this.options;
    const token = operations.token ?? null;
    const stopped = await this.inSlices({ from, end: operations.length }, (at) => {
      const operation = operations.at(at);
      assert(operation !== undefined, `operation ${at} of ${operations.length} is missing`);
      const outcome =
        numbered === null
          ? this.executeOne(operation, token, at)
          : numbered.during(() => this.executeOne(operation, token, at));
      if (isUnfinished(outcome)) return outcome;
      results.push(outcome);
      return 'next';
    });
    if (stopped === null) return null;
    const { at, why } = stopped;
    if (why instanceof MissingMappings) {
      return collectMappingUpdate(mapping(), { operations, waiting: at, needed: why.update }, settings());
    }
    failRest(results, operations.length - at, why);
    return null;
  }

  /**
   * Executes one operation after the other while others of the thread have their turns; resolves to the one that was not
   * executed, and why: for its record the disk has no room, or `executeAt` said what it waits for. null when all were.
   */
  private async inSlices<Wait = never>(
    { from, end }: { readonly from: number; readonly end: number },
    executeAt: (at: number) => 'next' | MissingRoom | Wait,
  ): Promise<{ readonly at: number; readonly why: ShoalError | Wait } | null> {
    const { runtime, turns, sealing, translog, checkWritable } = this.options;
    const { clock } = runtime;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    let at = from;
    while (at < end) {
      if (at % CHECK_EVERY === CHECK_EVERY - 1 && clock.monotonicMs() > sliceEndMs) {
        await turns.next();
        checkWritable();
        sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
      for (let seal = sealing.beforeWrite(); seal !== null; seal = sealing.beforeWrite()) {
        await seal;
        checkWritable();
        sliceEndMs = clock.monotonicMs() + SLICE_MS;
      }
      const outcome = executeAt(at);
      if (outcome === 'next') {
        at++;
        continue;
      }
      if (!(outcome instanceof MissingRoom)) return { at, why: outcome };
      const shortage = await translog.makeRoom(outcome.recordBytes);
      checkWritable();
      if (shortage !== null) return { at, why: shortage };
    }
    return null;
  }

  private executeOne(operation: WriteOperation, token: RequestToken | null, position: number): WriteAttempt {
    const { primary } = this;
    const { counters, mapping, settings, slowLog } = this.options;
    let outcome = slowLog.isOn
      ? slowLog.during(operation, () => primary.execute(operation, token, position))
      : primary.execute(operation, token, position);
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

  /** Waits until what was executed is durable, where that is asked for. */
  private async makeDurable(): Promise<void> {
    if (this.options.settings().translogDurability === 'async') this.scheduleSync();
    else await this.options.translog.sync();
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
