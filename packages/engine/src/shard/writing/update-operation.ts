/**
 * Partial updates: the document as it is now, merged with what the request brings or changed by its script, indexed again as
 * a whole.
 */
import { ANY_TOKENS, JsonTokens, parseJsonTree, ShoalError } from '@shoal/core';
import type { ScriptRequest } from '@shoal/script';
import { NO_CONDITIONS, type ShardId, type WriteOperation } from '@shoal/shard-api';
import { mergeDocument, parseUpdateRequest, type UpdateRequest, writeDocument } from '../../document/update-request.ts';
import { runUpdateScript, type ScriptedUpdate } from '../../document/update-script.ts';
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
  readonly remove: (id: string) => WriteAttempt;
  /** Milliseconds since 1970, for scripts. */
  readonly nowMs: () => number;
}

type UpdateOperation = Extract<WriteOperation, { kind: 'update' }>;

/** Version, and number of the cluster manager's term, of a document that is not there. */
const NO_VERSION = -1;
const NO_TERM = 0;
const NO_SEQ_NO = -2;

/** @throws ShoalError 404 when there is neither a document nor an upsert */
export function executeUpdate(operation: UpdateOperation, target: UpdateTarget): WriteAttempt {
  const { id, routing, conditions, body } = operation;
  const { shard, current, read, index } = target;
  const request = parseUpdateRequest(body);
  const { script } = request;
  if (current === null) {
    const upsert = request.isDocUpsert ? request.doc : request.upsert;
    if (upsert === null) throw documentMissing(id, shard);
    const source =
      script !== null && request.isScriptedUpsert ? scriptedUpsert(script, request, target) : writeDocument(upsert);
    if (source === null) {
      const { version, seqNo, primaryTerm } = { version: NO_VERSION, seqNo: NO_SEQ_NO, primaryTerm: NO_TERM };
      return { kind: 'done', result: 'noop', version, seqNo, primaryTerm, source: null };
    }
    const outcome = index({ kind: 'index', opType: 'create', id, routing, isAutoId: false, source, conditions });
    return withSource(outcome, request.wantsSource ? source : null);
  }
  const conflict = findConflict({ id, conditions, mustNotExist: false, current }, shard);
  if (conflict !== null) return { kind: 'failed', error: conflict };
  const document = read();
  if (document.source.length === 0) throw sourceMissing(id, shard);
  const update =
    script === null ? null : scriptedUpdate(script, operation, target, { ...document, version: current.version });
  if (update?.kind === 'delete')
    return withSource(target.remove(id), request.wantsSource ? document.source.slice() : null);
  const merged =
    update === null
      ? mergeDocument(document.source, request.doc ?? {}, request.detectsNoop)
      : update.kind === 'index'
        ? update.source
        : null;
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

/** The document that a script makes of the upsert; null: none. */
function scriptedUpsert(script: ScriptRequest, request: UpdateRequest, target: UpdateTarget): Uint8Array | null {
  const made = runUpdateScript(script, { source: request.upsertTree, existing: null, nowMs: target.nowMs() });
  return made.kind === 'index' ? made.source : null;
}

function scriptedUpdate(
  script: ScriptRequest,
  { id }: UpdateOperation,
  { shard, nowMs }: UpdateTarget,
  document: { readonly source: Uint8Array; readonly routing: string | null; readonly version: number },
): ScriptedUpdate {
  const { routing, version } = document;
  const source = parseJsonTree(document.source, { tokens: new JsonTokens(ANY_TOKENS) });
  return runUpdateScript(script, { source, existing: { index: shard.index, id, version, routing }, nowMs: nowMs() });
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
