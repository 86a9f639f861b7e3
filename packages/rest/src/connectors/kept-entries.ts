/**
 * Connectors and their sync jobs as documents of two hidden indices, which a connector service reads as well. A change is made of what is
 * kept at the moment, so that none of another request is lost.
 */
import { type CoordinatorContext, executeGet } from '@shoal/coordinator';
import { isShoalError, parseJson, randomUuid, ShoalError, writeJson } from '@shoal/core';
import { createHiddenIndex, type HiddenIndex, hasIndex, writeKept } from '../kept/kept-documents.ts';
import { isJsonObject, type JsonObject } from '../request/json-body.ts';

/** What is kept in one index. */
export interface EntryKind {
  /** Word for an entry in errors. */
  readonly noun: string;
  readonly index: HiddenIndex;
}

export interface KeptEntry {
  readonly id: string;
  readonly body: JsonObject;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

const UUID_BYTES = 16;
/** Attempts to change an entry that other requests change at the same time. */
const ATTEMPTS_MAX = 8;

export function newEntryId({ runtime }: CoordinatorContext): string {
  return randomUuid(runtime.random.bytes(UUID_BYTES));
}

/** The time as entries have it. */
export function nowText({ runtime }: CoordinatorContext): string {
  return new Date(runtime.clock.wallMs()).toISOString();
}

/** null: there is none. */
export async function findEntry(
  context: CoordinatorContext,
  { index }: EntryKind,
  id: string,
): Promise<KeptEntry | null> {
  if (!hasIndex(context, index.name)) return null;
  const key = { index: index.name, id, routing: null };
  const { document } = await executeGet(context, key, { realtime: true, refresh: false });
  if (document === null || document.source === null) return null;
  const body = parseJson(document.source);
  return { id, body: isJsonObject(body) ? body : {}, seqNo: document.seqNo, primaryTerm: document.primaryTerm };
}

/** @throws resource_not_found_exception */
export async function requiredEntry(context: CoordinatorContext, kind: EntryKind, id: string): Promise<KeptEntry> {
  const kept = await findEntry(context, kind, id);
  if (kept !== null && kept.body.deleted !== true) return kept;
  throw entryNotFound(kind, id);
}

/** `created` or `updated`. */
export async function putEntry(
  context: CoordinatorContext,
  { index }: EntryKind,
  id: string,
  body: JsonObject,
): Promise<string> {
  await createHiddenIndex(context, index);
  return writeKept(context, { action: 'index', index: index.name, id, source: writeJson(body) });
}

/**
 * Changes members of an entry.
 *
 * @param change the members that it sets, out of what is kept; called anew when another request was quicker
 * @throws resource_not_found_exception
 */
export async function changeEntry(
  context: CoordinatorContext,
  kind: EntryKind,
  id: string,
  change: (kept: JsonObject) => JsonObject | Promise<JsonObject>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { body, seqNo, primaryTerm } = await requiredEntry(context, kind, id);
    const source = writeJson({ ...body, ...(await change(body)) });
    const conditions = { ifSeqNo: seqNo, ifPrimaryTerm: primaryTerm, version: null, versionType: 'internal' } as const;
    try {
      await writeKept(context, { action: 'index', index: kind.index.name, id, source, conditions });
      return;
    } catch (error) {
      const isLate = isShoalError(error) && error.type === 'version_conflict_engine_exception';
      if (!isLate || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** @throws resource_not_found_exception */
export async function deleteEntry(context: CoordinatorContext, kind: EntryKind, id: string): Promise<void> {
  if (!hasIndex(context, kind.index.name)) throw entryNotFound(kind, id);
  const result = await writeKept(context, { action: 'delete', index: kind.index.name, id, source: null });
  if (result !== 'deleted') throw entryNotFound(kind, id);
}

function entryNotFound({ noun }: EntryKind, id: string): ShoalError {
  return new ShoalError('resource_not_found_exception', 404, `${noun} [${id}] not found`);
}
