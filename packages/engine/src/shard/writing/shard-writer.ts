/**
 * Executes write operations in memory: versions, sequence numbers, the segment being written, deletes.
 *
 * Synchronous: an operation is done whole or not at all, so that nobody sees one half way. Durability and scheduling are
 * the shard's business; this class only says which operation the translog has to record.
 */

import { assert, isShoalError } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import {
  NO_CONDITIONS,
  type RequestToken,
  type ShardId,
  type WriteConditions,
  type WriteOperation,
} from '@shoal/shard-api';
import type { DocumentParser } from '../../document/document-parser.ts';
import type { ParsedDocument } from '../../document/parsed-document.ts';
import { allDocs } from '../../format/flat-segment.ts';
import { sourceOf } from '../../format/stored/stored-apart.ts';
import type { StoredCodec } from '../../format/stored/stored-block.ts';
import { type AnalyzerLookup, SegmentBuffer } from '../../write/buffer/segment-buffer.ts';
import { type SortedSegment, sealSorted } from '../../write/merge/seal-sorted.ts';
import { newDoc } from '../../write/stored/doc-map.ts';
import type { RecentWrites } from '../commit/recent-writes.ts';
import { type SegmentSet, SegmentState } from '../commit/segment-set.ts';
import { type OperationOrigin, recordBytesMax, type TranslogOperation } from '../translog/translog-record.ts';
import { keptDocument } from './kept-document.ts';
import { MissingMappings } from './missing-mappings.ts';
import { MissingRoom } from './missing-room.ts';
import { RecentDeletes } from './recent-deletes.ts';
import { executeUpdate } from './update-operation.ts';
import { type CurrentVersion, findConflict, nextVersion } from './version-conflicts.ts';
import { isUnfinished, type WriteAttempt } from './write-attempt.ts';

/**
 * The segment being written is finished when it holds this much. That takes several milliseconds a megabyte, during which
 * other writes of the shard wait; smaller segments cost merges, and hold each of their terms again.
 */
const BUFFER_BYTES_MAX = 48 * 1024 * 1024;

/** Size at which it is finished when all shards of the thread together hold more than they should. */
const MEMORY_PRESSURE_BYTES_MIN = 1024 * 1024;

/** Operations between two looks at the buffer's size. */
const CHECK_EVERY = 64;

export interface ShardWriterOptions {
  readonly shard: ShardId;
  readonly clock: Clock;
  readonly segments: SegmentSet;
  readonly analyzers: AnalyzerLookup;
  readonly parser: DocumentParser;
  readonly primaryTerm: number;
  readonly codec: StoredCodec;
  /** First sequence number to give. */
  readonly nextSeqNo: number;
  /** Number of the next segment's name. */
  readonly nextSegment: number;
  /** What the last commit knew. */
  readonly recentWrites: RecentWrites;
  /** A record of so many bytes can be made. */
  readonly hasRoomFor: (recordBytes: number) => boolean;
  /** Records an operation that was executed, for whose record there was room. */
  readonly record: (operation: TranslogOperation) => void;
}

/** Segment and ordinal of a document; `state` is null in the segment being written. */
interface DocumentLocation {
  readonly state: SegmentState | null;
  readonly doc: number;
}

interface Known extends CurrentVersion {
  /** null when deleted. */
  readonly location: DocumentLocation | null;
}

/** A document as it is now, for gets. */
export interface CurrentDocument extends CurrentVersion {
  /** Its bytes in the segment: the source, and what is kept beside it. */
  readonly stored: Uint8Array;
  readonly routing: string | null;
}

/** True for a write that can be done twice without conflict: a document as a whole, whatever is there. */
function isRepeatable(operation: WriteOperation): boolean {
  if (operation.kind !== 'index') return false;
  const { ifSeqNo, version } = operation.conditions;
  const isCreate = operation.opType === 'create' && !operation.isAutoId;
  return !isCreate && ifSeqNo === null && version === null;
}

export class ShardWriter {
  parser: DocumentParser;
  analyzers: AnalyzerLookup;
  gcDeletesMs = 60_000;
  /** Codec of the stored documents of the next segment. */
  codec: StoredCodec;
  /** Something changed that searches do not see yet. */
  hasChanges = false;
  private readonly options: ShardWriterOptions;
  private readonly segments: SegmentSet;
  private buffer: SegmentBuffer;
  private bufferRoutings = new Map<number, string>();
  private readonly deadInBuffer = new Set<number>();
  private deletes = new RecentDeletes();
  readonly recentWrites: RecentWrites;
  /** Origin of the operation that is executed now. */
  private origin: OperationOrigin | null = null;
  private nextSeqNo: number;
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
    this.nextSeqNo = options.nextSeqNo;
    this.nextSegment = options.nextSegment;
    this.codec = options.codec;
    this.buffer = this.newBuffer();
  }

  private newBuffer(): SegmentBuffer {
    const { indexing, pieces, hashSecret } = this.segments.memory;
    return new SegmentBuffer((name, kind) => this.analyzers(name, kind), this.codec, indexing, pieces, hashSecret);
  }

  get maxSeqNo(): number {
    return this.nextSeqNo - 1;
  }

  get memoryBytes(): number {
    return this.buffer.sizeBytes + this.deletes.sizeBytes;
  }

  get bufferedDocs(): number {
    return this.buffer.docCount - this.deadInBuffer.size;
  }

  /**
   * Executes one operation. User's errors come back as results; nothing was done where fields or room for its record are missing.
   *
   * @param token of a request that may be sent twice: what was done for it before is answered and not done again
   * @param position of the operation in the request
   */
  execute(operation: WriteOperation, token: RequestToken | null, position: number): WriteAttempt {
    assert(!this.isSealing, 'a write while the segment being written is finished');
    if (token === null || isRepeatable(operation)) return this.executeNow(operation);
    const name = token.nameOf(position);
    const before = this.recentWrites.find(name);
    if (before !== null) return before;
    this.origin = { token, position };
    try {
      const result = this.executeNow(operation);
      if (isUnfinished(result) || result.kind !== 'done' || result.result === 'noop') return result;
      const { version, seqNo, primaryTerm } = result;
      this.recentWrites.remember({ name, result: result.result, version, seqNo, primaryTerm });
      return result;
    } finally {
      this.origin = null;
    }
  }

  private executeNow(operation: WriteOperation): WriteAttempt {
    try {
      switch (operation.kind) {
        case 'index':
          return this.index(operation);
        case 'delete':
          return this.remove(operation.id, operation.conditions);
        default:
          return this.update(operation);
      }
    } catch (error) {
      if (!isShoalError(error)) throw error;
      return { kind: 'failed', error };
    }
  }

  private index(operation: Extract<WriteOperation, { kind: 'index' }>): WriteAttempt {
    const { id, conditions, source } = operation;
    const parsed = this.parser.parse(id, source, operation.routing, operation.templates ?? null);
    if (parsed.mappingUpdate !== null) return new MissingMappings(parsed.mappingUpdate);
    const current = operation.isAutoId ? null : this.find(id);
    const conflict = findConflict(
      { id, conditions, mustNotExist: operation.opType === 'create', current },
      this.options.shard,
    );
    if (conflict !== null) return { kind: 'failed', error: conflict };
    const version = nextVersion(conditions, current);
    const seqNo = this.nextSeqNo;
    const { primaryTerm } = this.options;
    const { routing } = operation;
    const recorded = { kind: 'index', seqNo, primaryTerm, version, id, routing, source, origin: this.origin } as const;
    const recordBytes = recordBytesMax(recorded);
    if (!this.options.hasRoomFor(recordBytes)) return new MissingRoom(recordBytes);
    this.put(recorded, parsed.document, current);
    this.nextSeqNo++;
    const isNew = current === null || current.isDeleted;
    return { kind: 'done', result: isNew ? 'created' : 'updated', version, seqNo, primaryTerm, source: null };
  }

  private put(
    operation: Extract<TranslogOperation, { kind: 'index' }>,
    document: ParsedDocument,
    current: Known | null,
  ): void {
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
    this.options.record(operation);
    this.hasChanges = true;
  }

  private kill(location: DocumentLocation | null): void {
    if (location === null) return;
    const { state, doc } = location;
    if (state !== null) state.kill(doc);
    else for (let dead = this.buffer.blockStart(doc); dead <= doc; dead++) this.deadInBuffer.add(dead);
  }

  private remove(id: string, conditions: WriteConditions): WriteAttempt {
    const current = this.find(id);
    const conflict = findConflict({ id, conditions, mustNotExist: false, current }, this.options.shard);
    if (conflict !== null) return { kind: 'failed', error: conflict };
    const version = nextVersion(conditions, current);
    const seqNo = this.nextSeqNo;
    const { primaryTerm } = this.options;
    const recorded = { kind: 'delete', seqNo, primaryTerm, version, id, origin: this.origin } as const;
    const recordBytes = recordBytesMax(recorded);
    if (!this.options.hasRoomFor(recordBytes)) return new MissingRoom(recordBytes);
    this.putDelete(recorded, current);
    this.nextSeqNo++;
    const isFound = current !== null && !current.isDeleted;
    return { kind: 'done', result: isFound ? 'deleted' : 'not_found', version, seqNo, primaryTerm, source: null };
  }

  private putDelete(operation: Extract<TranslogOperation, { kind: 'delete' }>, current: Known | null): void {
    assert(current === null || current.seqNo < operation.seqNo, `delete ${operation.seqNo} follows ${current?.seqNo}`);
    this.kill(current?.location ?? null);
    this.deletes.add(operation.id, operation, this.options.clock.monotonicMs());
    this.options.record(operation);
    this.hasChanges = true;
  }

  private update(operation: Extract<WriteOperation, { kind: 'update' }>): WriteAttempt {
    const known = this.find(operation.id);
    const location = known?.location ?? null;
    return executeUpdate(operation, {
      shard: this.options.shard,
      current: location === null ? null : known,
      read: () => {
        assert(location !== null, `document ${operation.id} is read, which is not there`);
        const { stored, routing } = this.read(location);
        return { source: sourceOf(stored), routing };
      },
      index: (whole) => this.index(whole),
      remove: (id) => this.remove(id, NO_CONDITIONS),
      nowMs: () => this.options.clock.wallMs(),
    });
  }

  private find(id: string): Known | null {
    const deleted = this.deletes.get(id);
    if (deleted !== null) return { ...deleted, isDeleted: true, location: null };
    const doc = this.buffer.findDocument(id);
    if (doc >= 0) return { ...this.buffer.meta(doc), isDeleted: false, location: { state: null, doc } };
    const found = this.segments.find(Buffer.from(id, 'utf8'));
    return found === null ? null : { ...found.state.segment.meta(found.doc), isDeleted: false, location: found };
  }

  private read(location: DocumentLocation): Pick<CurrentDocument, 'stored' | 'routing'> {
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

  /** Executes an operation of the translog again after a restart. */
  replay(operation: TranslogOperation): void {
    assert(operation.seqNo >= this.nextSeqNo, `operation ${operation.seqNo} is replayed after ${this.maxSeqNo}`);
    const current = this.find(operation.id);
    if (operation.kind === 'delete') this.putDelete(operation, current);
    else this.put(operation, this.parser.parseAccepted(operation.id, operation.source, operation.routing), current);
    this.nextSeqNo = operation.seqNo + 1;
    if (operation.origin !== null) this.rememberReplayed(operation, operation.origin, current);
  }

  /** The request may come again: its sender heard nothing before this shard was opened. */
  private rememberReplayed(
    operation: TranslogOperation,
    { token, position }: OperationOrigin,
    before: Known | null,
  ): void {
    const { version, seqNo, primaryTerm } = operation;
    const wasThere = before !== null && !before.isDeleted;
    const result =
      operation.kind === 'delete' ? (wasThere ? 'deleted' : 'not_found') : wasThere ? 'updated' : 'created';
    this.recentWrites.remember({ name: token.nameOf(position), result, version, seqNo, primaryTerm });
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
    this.deletes = this.deletes.since(this.options.clock.monotonicMs(), this.gcDeletesMs);
    this.rememberedDeleteBytes = this.deletes.sizeBytes;
  }
}
