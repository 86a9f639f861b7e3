/**
 * Documents that a `percolate` query names by their id (`{"percolate": {"field": …, "index": …, "id": …}}`): fetched once, before
 * any shard is asked, and put in their place.
 */
import { ANY_TOKENS, illegalArgument, parseJson, ShoalError, writeJson } from '@shoal/core';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { executeGet } from '../../documents/execute-get.ts';
import { type JsonObject, objectsNamed, withOthers } from './named-objects.ts';

/** Documents that one request may name. */
const DOCUMENTS_MAX = 256;
const QUERY = 'percolate';
const QUERY_BYTES = Buffer.from(`"${QUERY}"`);

interface NamedDocument {
  readonly index: string;
  readonly id: string;
  readonly routing: string | null;
}

/** The body as it was when it has none of these. @throws ShoalError 404 for a document that is not there */
export async function withPercolatedDocuments(
  context: CoordinatorContext,
  body: Uint8Array | null,
): Promise<Uint8Array | null> {
  if (body === null) return null;
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(QUERY_BYTES)) return body;
  const root = parseJson(body);
  const found = objectsNamed(root, QUERY).flatMap((query) => {
    const named = namedDocument(query);
    return named === null ? [] : [{ query, named }];
  });
  if (found.length === 0) return body;
  if (found.length > DOCUMENTS_MAX) throw illegalArgument(`more than ${DOCUMENTS_MAX} documents to percolate`);
  const documents = new Map<string, unknown>();
  const queries = new Map<unknown, unknown>();
  for (const { query, named } of found) {
    const key = keyOf(named);
    if (!documents.has(key)) documents.set(key, await fetchDocument(context, named));
    // Which copy is read changes no answer: `preference` goes. A `version` stays, and is refused.
    const { index: _index, id: _id, routing: _routing, preference: _preference, ...rest } = query;
    queries.set(query, { ...rest, document: documents.get(key) });
  }
  return writeJson(withOthers(root, queries));
}

/** null for a query that has its documents with it, or is none. */
function namedDocument(query: JsonObject): NamedDocument | null {
  const { index, id, routing, document, documents } = query;
  if (document !== undefined || documents !== undefined) return null;
  if (typeof index !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return null;
  return { index, id: String(id), routing: typeof routing === 'string' ? routing : null };
}

function keyOf({ index, id, routing }: NamedDocument): string {
  return JSON.stringify([index, id, routing]);
}

async function fetchDocument(context: CoordinatorContext, { index, id, routing }: NamedDocument): Promise<unknown> {
  const { document } = await executeGet(context, { index, id, routing }, { realtime: true, refresh: false });
  if (document === null) {
    const reason = `indexed document [${index}/${id}] couldn't be found`;
    throw new ShoalError('resource_not_found_exception', 404, reason);
  }
  if (document.source === null) throw illegalArgument(`indexed document [${index}/${id}] source disabled`);
  return parseJson(document.source, ANY_TOKENS);
}
