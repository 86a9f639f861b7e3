/**
 * Partial updates: the document as it is now, merged with what the request brings, indexed again as a whole.
 */
import { ShoalError } from '@shoal/core';
import type { ShardId, WriteOperation } from '@shoal/shard-api';
import { mergeDocument, parseUpdateRequest, writeDocument } from '../../document/update-request.ts';
import { type CurrentVersion, findConflict } from './version-conflicts.ts';
import { isUnfinished, type WriteAttempt } from './write-attempt.ts';

/** What an update needs of the shard it runs on. */
export interface UpdateTarget {
  readonly shard: ShardId;
  /** null: the document is deleted, or never was. */
  readonly current: CurrentVersion | null;
  /** Source and routing of the document that `current` is the version of. The source may be a view. */
  readonly read: () => { readonly source: Uint8Array; readonly routing: string | null };
  readonly index: (operation: Extract<WriteOperation, { kind: 'index' }>) => WriteAttempt;
}

const NO_CONDITIONS = { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' } as const;

/** @throws ShoalError 404 when there is neither a document nor an upsert */
export function executeUpdate(
  { id, routing, conditions, body }: Extract<WriteOperation, { kind: 'update' }>,
  { shard, current, read, index }: UpdateTarget,
): WriteAttempt {
  const request = parseUpdateRequest(body);
  if (current === null) {
    const upsert = request.isDocUpsert ? request.doc : request.upsert;
    if (upsert === null) throw documentMissing(id, shard);
    const source = writeDocument(upsert);
    const outcome = index({ kind: 'index', opType: 'create', id, routing, isAutoId: false, source, conditions });
    return withSource(outcome, request.wantsSource ? source : null);
  }
  const conflict = findConflict({ id, conditions, mustNotExist: false, current }, shard);
  if (conflict !== null) return { kind: 'failed', error: conflict };
  const document = read();
  if (document.source.length === 0) throw sourceMissing(id, shard);
  const merged = mergeDocument(document.source, request.doc ?? {}, request.detectsNoop);
  if (merged === null) {
    const { version, seqNo, primaryTerm } = current;
    const source = request.wantsSource ? document.source.slice() : null;
    return { kind: 'done', result: 'noop', version, seqNo, primaryTerm, source };
  }
  const outcome = index({
    kind: 'index',
    opType: 'index',
    id,
    routing: routing ?? document.routing,
    isAutoId: false,
    source: merged,
    conditions: NO_CONDITIONS,
  });
  return withSource(outcome, request.wantsSource ? merged : null);
}

function withSource(outcome: WriteAttempt, source: Uint8Array | null): WriteAttempt {
  return isUnfinished(outcome) || outcome.kind === 'failed' ? outcome : { ...outcome, source };
}

/** 400: a mapping without `_source` leaves nothing to be updated. */
function sourceMissing(id: string, shard: ShardId): ShoalError {
  return new ShoalError('document_source_missing_exception', 400, `[${id}]: document source missing`, {
    metadata: { index: shard.index, shard: String(shard.number), index_uuid: shard.indexUuid },
  });
}

function documentMissing(id: string, shard: ShardId): ShoalError {
  return new ShoalError('document_missing_exception', 404, `[${id}]: document missing`, {
    metadata: { index: shard.index, shard: String(shard.number), index_uuid: shard.indexUuid },
  });
}
