/**
 * Operations as the primary executes them: it checks what the request asks of the document's state, gives the operation its
 * version and its sequence number, and applies it as every other copy does.
 *
 * Whatever can refuse an operation is asked before it has a number: the numbers have no holes.
 */
import { assert, isShoalError } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import {
  type HistoryOperation,
  NO_CONDITIONS,
  type OperationOrigin,
  type RequestToken,
  type ShardId,
  type WriteConditions,
  type WriteOperation,
} from '@shoal/shard-api';
import { sourceOf } from '../../format/stored/stored-apart.ts';
import { recordBytesMax } from '../translog/translog-record.ts';
import { MissingMappings } from './missing-mappings.ts';
import { MissingRoom } from './missing-room.ts';
import type { ShardWriter } from './shard-writer.ts';
import { executeUpdate } from './update-operation.ts';
import { findConflict, nextVersion } from './version-conflicts.ts';
import { isUnfinished, type WriteAttempt } from './write-attempt.ts';

export interface PrimaryOperationsOptions {
  readonly shard: ShardId;
  readonly clock: Clock;
  readonly writer: ShardWriter;
  readonly role: { readonly primaryTerm: number };
  /** A record of so many bytes can be made. */
  readonly hasRoomFor: (recordBytes: number) => boolean;
}

export class PrimaryOperations {
  private readonly options: PrimaryOperationsOptions;
  private readonly writer: ShardWriter;
  /** Request of the operation that is executed now, and its position there; null: nobody asks for it again. */
  private token: RequestToken | null = null;
  private position = 0;

  constructor(options: PrimaryOperationsOptions) {
    this.options = options;
    this.writer = options.writer;
  }

  /**
   * Executes one operation. User's errors come back as results; nothing was done where fields or room for its record are missing.
   *
   * @param token of a request that may be sent twice: what was done for it before is answered and not done again
   * @param position of the operation in the request
   */
  execute(operation: WriteOperation, token: RequestToken | null, position: number): WriteAttempt {
    if (token === null) return this.executeNow(operation);
    const { recentWrites } = this.writer;
    const before = recentWrites.find(token, position);
    if (before !== null) return before;
    this.token = token;
    this.position = position;
    try {
      const result = this.executeNow(operation);
      if (isUnfinished(result) || result.kind !== 'done' || result.result === 'noop') return result;
      const { version, seqNo, primaryTerm } = result;
      recentWrites.remember({ token, position, result: result.result, version, seqNo, primaryTerm });
      return result;
    } finally {
      this.token = null;
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
    const { writer } = this;
    const { id, conditions, source } = operation;
    const parsed = writer.parser.parse(id, source, operation.routing, operation.templates ?? null);
    if (parsed.mappingUpdate !== null) return new MissingMappings(parsed.mappingUpdate);
    const current = operation.isAutoId ? null : writer.find(id);
    const conflict = findConflict(
      { id, conditions, mustNotExist: operation.opType === 'create', current },
      this.options.shard,
    );
    if (conflict !== null) return { kind: 'failed', error: conflict };
    const version = nextVersion(conditions, current);
    const seqNo = this.nextSeqNo();
    const { primaryTerm } = this.options.role;
    const { routing } = operation;
    const result = current === null || current.isDeleted ? 'created' : 'updated';
    const origin = this.originOf(result);
    const recorded = { kind: 'index', seqNo, primaryTerm, version, id, routing, source, origin } as const;
    const missing = this.missingRoom(recorded);
    if (missing !== null) return missing;
    writer.put(recorded, parsed.document, current);
    return { kind: 'done', result, version, seqNo, primaryTerm, source: null };
  }

  private remove(id: string, conditions: WriteConditions): WriteAttempt {
    const { writer } = this;
    const current = writer.find(id);
    const conflict = findConflict({ id, conditions, mustNotExist: false, current }, this.options.shard);
    if (conflict !== null) return { kind: 'failed', error: conflict };
    const version = nextVersion(conditions, current);
    const seqNo = this.nextSeqNo();
    const { primaryTerm } = this.options.role;
    const result = current !== null && !current.isDeleted ? 'deleted' : 'not_found';
    const origin = this.originOf(result);
    const recorded = { kind: 'delete', seqNo, primaryTerm, version, id, origin } as const;
    const missing = this.missingRoom(recorded);
    if (missing !== null) return missing;
    writer.putDelete(recorded, current);
    return { kind: 'done', result, version, seqNo, primaryTerm, source: null };
  }

  private update(operation: Extract<WriteOperation, { kind: 'update' }>): WriteAttempt {
    const known = this.writer.find(operation.id);
    const location = known?.location ?? null;
    return executeUpdate(operation, {
      shard: this.options.shard,
      current: location === null ? null : known,
      read: () => {
        assert(location !== null, `document ${operation.id} is read, which is not there`);
        const { stored, routing } = this.writer.read(location);
        return { source: sourceOf(stored), routing };
      },
      index: (whole) => this.index(whole),
      remove: (id) => this.remove(id, NO_CONDITIONS),
      nowMs: () => this.options.clock.wallMs(),
    });
  }

  private originOf(result: NonNullable<OperationOrigin['result']>): OperationOrigin | null {
    const { token, position } = this;
    return token === null ? null : { token, position, result };
  }

  private nextSeqNo(): number {
    const { checkpoint, max } = this.writer.processed;
    assert(checkpoint === max, `a primary gives the number ${max + 1} after a gap behind ${checkpoint}`);
    return max + 1;
  }

  private missingRoom(operation: HistoryOperation): MissingRoom | null {
    const recordBytes = recordBytesMax(operation);
    return this.options.hasRoomFor(recordBytes) ? null : new MissingRoom(recordBytes);
  }
}
