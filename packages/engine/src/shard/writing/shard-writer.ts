/**
 * Applies the operations of a shard's history in memory: the segment being written, deletes, which numbers were executed.
 *
 * Operations come in any order, and more than once: the highest number of an id decides what its document is, and a number
 * that was executed does nothing again. Synchronous: an operation is done whole or not at all, so that nobody sees one half
 * way. Durability and scheduling are the shard's business; this class only says which operation the translog has to record.
 */

import { assert } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import type { HistoryOperation, OperationOrigin } from '@shoal/shard-api';
import type { DocumentParser } from '../../document/document-parser.ts';
import type { ParsedDocument } from '../../document/parsed-document.ts';
import { allDocs } from '../../format/flat-segment.ts';
import type { StoredCodec } from '../../format/stored/stored-block.ts';
import { type AnalyzerLookup, SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { type SortedSegment, sealSorted } from '../../write/merge/seal-sorted.ts';
import { newDoc } from '../../write/stored/doc-map.ts';
import type { CommittedDelete } from '../commit/commit-file.ts';
import type { RecentWrites } from '../commit/recent-writes.ts';
import { type SegmentSet, SegmentState } from '../commit/segment-set.ts';
import type { LocalCheckpoint } from '../history/local-checkpoint.ts';
import { keptDocument } from './kept-document.ts';
import { RecentDeletes } from './recent-deletes.ts';
import type { CurrentVersion } from './version-conflicts.ts';

/**
 * The segment being written is finished when it holds this much. That takes several milliseconds a megabyte, during which
 * other writes of the shard wait; smaller segments cost merges, and hold each of their terms again.
 */
const BUFFER_BYTES_MAX = 48 * 1024 * 1024;

/** Size at which it is finished when all shards of the thread together hold more than they should. */
const MEMORY_PRESSURE_BYTES_MIN = 1024 * 1024;

/** Deletes that a commit says, the latest ones: the rest are known until the shard is closed. */
const COMMITTED_DELETES_MAX = 20_000;

/** Operations between two looks at the buffer's size. */
const CHECK_EVERY = 64;

export interface ShardWriterOptions {
  readonly clock: Clock;
  readonly segments: SegmentSet;
  readonly analyzers: AnalyzerLookup;
  readonly parser: DocumentParser;
  readonly codec: StoredCodec;
  /** Operations that were executed: those of the commit at first. */
  readonly processed: LocalCheckpoint;
  /** Number of the next segment's name. */
  readonly nextSegment: number;
  /** What the last commit knew. */
  readonly recentWrites: RecentWrites;
  /** Records an operation that was executed, for whose record there was room. */
  readonly record: (operation: HistoryOperation) => void;
}

type IndexOperation = Extract<HistoryOperation, { kind: 'index' }>;
type DeleteOperation = Extract<HistoryOperation, { kind: 'delete' }>;

/** Segment and ordinal of a document; `state` is null in the segment being written. */
interface DocumentLocation {
  readonly state: SegmentState | null;
  readonly doc: number;
}

/** Newest state of an id, and where it is. */
export interface KnownDocument extends CurrentVersion {
  /** null when deleted. */
  readonly location: DocumentLocation | null;
}

/** A document as it is now, for gets. */
export interface CurrentDocument extends CurrentVersion {
  /** Its bytes in the segment: the source, and what is kept beside it. */
  readonly stored: Uint8Array;
  readonly routing: string | null;
}

export class ShardWriter {
  parser: DocumentParser;
  analyzers: AnalyzerLookup;
  gcDeletesMs = 60_000;
  /** Codec of the stored documents of the next segment. */
  codec: StoredCodec;
  /** Something changed that searches do not see yet. */
  hasChanges = false;
  /** Told when `hasChanges` becomes true. */
  onChanges: () => void = () => {};
  private readonly options: ShardWriterOptions;
  private readonly segments: SegmentSet;
  private buffer: SegmentBuffer;
  private bufferRoutings = new Map<number, string>();
  private readonly deadInBuffer = new Set<number>();
  private deletes = new RecentDeletes();
  readonly recentWrites: RecentWrites;
  readonly processed: LocalCheckpoint;
  /** Operations that were executed here, by their records. */
  operationCount = 0;
  /** Gets every operation that is executed; null: nobody wants them. */
  collected: HistoryOperation[] | null = null;
  private sinceCheck = 0;
  private isSealing = false;
  /** Memory of the deletes that outlive a segment: finishing one does not free them. */
  private rememberedDeleteBytes = 0;
  nextSegment: number;

  constructor(options: ShardWriterOptions) {
    this.options = options;
    this.recentWrites = options.recentWrites;
    this.segments = options.segments;
    this.parser = options.parser;
    this.analyzers = options.analyzers;
    this.processed = options.processed;
    this.nextSegment = options.nextSegment;
    this.codec = options.codec;
    this.buffer = this.newBuffer();
  }

  private newBuffer(): SegmentBuffer {
    const { indexing, pieces, hashSecret } = this.segments.memory;
    return new SegmentBuffer((name, kind) => this.analyzers(name, kind), this.codec, indexing, pieces, hashSecret);
  }

  get maxSeqNo(): number {
    return this.processed.max;
  }

  get memoryBytes(): number {
    return this.buffer.sizeBytes + this.deletes.sizeBytes;
  }

  get bufferedDocs(): number {
    return this.buffer.docCount - this.deadInBuffer.size;
  }

  /**
   * Executes an operation under the number that it has: of another copy, or of the translog. The mapping has every field that
   * its document was indexed with.
   */
  apply(operation: HistoryOperation): void {
    if (this.processed.has(operation.seqNo)) return;
    if (operation.kind === 'noop') {
      this.executed(operation);
      return;
    }
    const current = this.find(operation.id);
    if (current !== null && current.seqNo >= operation.seqNo) this.executed(operation);
    else if (operation.kind === 'delete') this.putDelete(operation, current);
    else this.put(operation, this.parser.parseAccepted(operation.id, operation.source, operation.routing), current);
    if (operation.origin !== null) this.rememberOrigin(operation, operation.origin, current);
  }

  private executed(operation: HistoryOperation): void {
    this.options.record(operation);
    this.processed.mark(operation.seqNo);
    this.operationCount++;
    if (this.collected !== null) this.collected.push(operation);
  }

  /** Adds the document of an operation that is newer than `current`, the newest state of its id. */
  put(operation: IndexOperation, document: ParsedDocument, current: KnownDocument | null): void {
    assert(!this.isSealing, 'a write while the segment being written is finished');
    const { id, routing, source, version, seqNo, primaryTerm } = operation;
    let location = current?.location ?? null;
    if (!this.buffer.hasRoomFor(source.length)) {
      this.seal();
      // The document that is replaced may stand in the segment that was just finished.
      if (location?.state === null) location = this.find(id)?.location ?? null;
    }
    assert(!this.isSealing, `document ${id} is added while the segment being written is finished`);
    assert(current === null || current.seqNo < seqNo, `operation ${seqNo} replaces ${current?.seqNo}`);
    const first = this.buffer.docCount;
    let ordinal: number;
    try {
      const kept = keptDocument(this.parser.mapping, source);
      ordinal = this.buffer.add(id, routing, kept, { version, seqNo, primaryTerm }, document);
    } catch (error) {
      // The ordinals are taken: a document that failed half way is never seen.
      for (let taken = first; taken < this.buffer.docCount; taken++) {
        this.deadInBuffer.add(taken);
        this.buffer.forget(id, taken, location?.state === null ? location.doc : -1);
      }
      throw error;
    }
    this.kill(location);
    if (routing !== null) this.bufferRoutings.set(ordinal, routing);
    this.deletes.remove(id);
    this.executed(operation);
    this.changed();
  }

  private changed(): void {
    if (this.hasChanges) return;
    this.hasChanges = true;
    this.onChanges();
  }

  private kill(location: DocumentLocation | null): void {
    if (location === null) return;
    const { state, doc } = location;
    if (state !== null) state.kill(doc);
    else for (let dead = this.buffer.blockStart(doc); dead <= doc; dead++) this.deadInBuffer.add(dead);
  }

  /** Deletes the document of an operation that is newer than `current`, the newest state of its id. */
  putDelete(operation: DeleteOperation, current: KnownDocument | null): void {
    assert(!this.isSealing, 'a delete while the segment being written is finished');
    assert(current === null || current.seqNo < operation.seqNo, `delete ${operation.seqNo} follows ${current?.seqNo}`);
    this.kill(current?.location ?? null);
    this.deletes.add(operation.id, operation, this.options.clock.monotonicMs());
    this.executed(operation);
    this.changed();
  }

  /** The newest state of an id; null when nothing is known of it. */
  find(id: string): KnownDocument | null {
    const deleted = this.deletes.get(id);
    if (deleted !== null) return { ...deleted, isDeleted: true, location: null };
    const doc = this.buffer.findDocument(id);
    if (doc >= 0) return { ...this.buffer.meta(doc), isDeleted: false, location: { state: null, doc } };
    const found = this.segments.find(Buffer.from(id, 'utf8'));
    return found === null ? null : { ...found.state.segment.meta(found.doc), isDeleted: false, location: found };
  }

  /** Its bytes may be a view. */
  read(location: DocumentLocation): Pick<CurrentDocument, 'stored' | 'routing'> {
    const { state, doc } = location;
    if (state === null) return { stored: this.buffer.document(doc), routing: this.bufferRoutings.get(doc) ?? null };
    return { stored: state.segment.document(doc), routing: state.segment.routing(doc) };
  }

  /** The newest state of a document, searchable or not. Its bytes may be a view. */
  get(id: string): CurrentDocument | null {
    const known = this.find(id);
    if (known === null || known.location === null) return null;
    const { version, seqNo, primaryTerm, isDeleted } = known;
    return { version, seqNo, primaryTerm, isDeleted, ...this.read(known.location) };
  }

  /** The request may come again, to this copy: its sender may have heard nothing. */
  private rememberOrigin(
    operation: IndexOperation | DeleteOperation,
    { token, position, result: known }: OperationOrigin,
    before: KnownDocument | null,
  ): void {
    const { version, seqNo, primaryTerm } = operation;
    const wasThere = before !== null && !before.isDeleted;
    // Records without the answer are of a log whose numbers are in order: the state before is that before the operation.
    const guessed =
      operation.kind === 'delete' ? (wasThere ? 'deleted' : 'not_found') : wasThere ? 'updated' : 'created';
    const result = known ?? guessed;
    this.recentWrites.remember({ token, position, result, version, seqNo, primaryTerm });
  }

  /** Documents that were deleted lately, for a commit. */
  recentDeletes(): readonly CommittedDelete[] {
    const { clock } = this.options;
    const shiftMs = clock.wallMs() - clock.monotonicMs();
    const skipped = Math.max(0, this.deletes.count - COMMITTED_DELETES_MAX);
    return [...this.deletes.entries()].slice(skipped).map(({ timeMs, ...entry }) => {
      return { ...entry, deletedMs: timeMs + shiftMs };
    });
  }

  /** What the commit knew that was opened; before anything is applied. */
  rememberDeletes(deletes: readonly CommittedDelete[]): void {
    const { clock } = this.options;
    const shiftMs = clock.wallMs() - clock.monotonicMs();
    // A clock that was set back makes none of them young for ever.
    for (const { id, deletedMs, ...meta } of deletes) {
      this.deletes.add(id, meta, Math.min(deletedMs - shiftMs, clock.monotonicMs()));
    }
  }

  /** What the segment being written holds, roughly. */
  get unsealedBytes(): number {
    return this.memoryBytes - this.rememberedDeleteBytes;
  }

  /** The segment being written has grown to its limit; looks every few operations only. */
  isFull(): boolean {
    if (++this.sinceCheck < CHECK_EVERY) return false;
    this.sinceCheck = 0;
    const bytes = this.unsealedBytes;
    return (
      bytes > BUFFER_BYTES_MAX ||
      (bytes > MEMORY_PRESSURE_BYTES_MIN && this.segments.memory.indexing?.isUnderPressure === true)
    );
  }

  /** Begins again over a commit of these checkpoints; what it held is gone. */
  restart(checkpoint: number, max: number): void {
    assert(!this.isSealing, 'begun again while the segment being written is finished');
    this.buffer.release();
    this.buffer = this.newBuffer();
    this.deadInBuffer.clear();
    this.bufferRoutings = new Map();
    this.deletes = new RecentDeletes();
    this.rememberedDeleteBytes = 0;
    this.processed.restart(checkpoint, max);
  }

  /** Nothing is written any more: what was not finished is in the translog. */
  close(): void {
    this.buffer.release();
  }

  /** Finishes the segment being written, at once. */
  seal(): void {
    const steps = this.sealInSteps();
    while (steps.next().done !== true);
  }

  /** Finishes the segment being written, with a yield every millisecond or so. Nothing may be written until the end, but everything can be read. */
  *sealInSteps(): Generator<void, void> {
    assert(!this.isSealing, 'the segment being written is finished twice');
    const { buffer } = this;
    if (buffer.docCount > this.deadInBuffer.size) {
      const name = `_${(this.nextSegment++).toString(36)}`;
      this.isSealing = true;
      let sorted: SortedSegment;
      try {
        sorted = yield* sealSorted(buffer, name, this.segments, this.codec);
      } finally {
        this.isSealing = false;
      }
      const { segment, docMap } = sorted;
      assert(segment.docCount === buffer.docCount, `${buffer.docCount} documents became ${segment.docCount}`);
      const live = this.deadInBuffer.size === 0 ? null : allDocs(segment.docCount);
      const state = new SegmentState(segment, live);
      for (const doc of this.deadInBuffer) state.kill(newDoc(docMap, doc));
      assert(state.liveCount > 0, `segment ${name} is added without live documents`);
      this.segments.add(state);
    }
    if (buffer.docCount > 0) {
      buffer.release();
      this.buffer = this.newBuffer();
    }
    this.deadInBuffer.clear();
    this.bufferRoutings = new Map();
    const { checkpoint } = this.processed;
    this.deletes = this.deletes.since(this.options.clock.monotonicMs(), this.gcDeletesMs, checkpoint);
    this.rememberedDeleteBytes = this.deletes.sizeBytes;
  }
}
