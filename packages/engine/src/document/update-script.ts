/**
 * Scripts of updates: what a script makes of a document, or of the one that is put where there is none.
 *
 * The script sees `ctx`: `_source`, and of a document that is there its `_index`, `_id`, `_version` and `_routing`. What it
 * leaves in `ctx.op` and `ctx._source` decides.
 */
import { illegalArgument, isShoalError, type JsonNode, ShoalError, writeJson } from '@shoal/core';
import {
  fromJsonNode,
  JavaMap,
  paramsOf,
  programOf,
  type ScriptRequest,
  textOf,
  toPlain,
  UPDATE_CONTEXT,
} from '@shoal/script';

/** What the script knows of the document beside its source. */
export interface ScriptedDocument {
  readonly source: JsonNode | null;
  /** null: there is no document, the source is that of the upsert. */
  readonly existing: {
    readonly index: string;
    readonly id: string;
    readonly version: number;
    readonly routing: string | null;
  } | null;
  readonly nowMs: number;
}

export type ScriptedUpdate =
  | { readonly kind: 'index'; readonly source: Uint8Array }
  | { readonly kind: 'delete' }
  | { readonly kind: 'noop' };

/** @throws ShoalError `illegal_argument_exception` (400) with what was wrong with the script as its cause */
export function runUpdateScript(script: ScriptRequest, document: ScriptedDocument): ScriptedUpdate {
  const ctx = contextOf(document);
  try {
    if (script.source === null) throw storedScriptMissing(script);
    programOf(script, UPDATE_CONTEXT).run([paramsOf(script), ctx]);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw new ShoalError('illegal_argument_exception', 400, 'failed to execute script', { causedBy: error });
  }
  const op = textOf(ctx.get('op'));
  const isCreate = document.existing === null;
  // Any word that is not one of these means that nothing is done; of a new document only its creation is asked.
  if (isCreate ? op !== 'create' : op !== 'index' && op !== 'delete') return { kind: 'noop' };
  if (op === 'delete') return { kind: 'delete' };
  const source = ctx.get('_source');
  if (!(source instanceof JavaMap)) {
    throw new ShoalError('class_cast_exception', 400, `[_source] is [${textOf(source)}], which is no object`);
  }
  return { kind: 'index', source: written(source) };
}

function storedScriptMissing({ id }: ScriptRequest): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, `unable to find script [${id}] in cluster state`);
}

function contextOf({ source, existing, nowMs }: ScriptedDocument): JavaMap {
  const ctx = new JavaMap();
  if (existing !== null) {
    ctx.set('_index', existing.index);
    ctx.set('_id', existing.id);
    ctx.set('_version', BigInt(existing.version));
    ctx.set('_routing', existing.routing);
    ctx.set('_type', '_doc');
  }
  ctx.set('_now', BigInt(Math.trunc(nowMs)));
  ctx.set('op', existing === null ? 'create' : 'index');
  ctx.set('_source', source === null ? new JavaMap() : fromJsonNode(source));
  return ctx;
}

function written(source: JavaMap): Uint8Array {
  try {
    return writeJson(toPlain(source));
  } catch (error) {
    // Values that JSON has not, and objects that hold themselves.
    if (error instanceof Error && !isShoalError(error) && 'javaClass' in error) throw illegalArgument(error.message);
    throw error;
  }
}
