/**
 * Documents that a `percolate` query names by their id (`{"percolate": {"field": …, "index": …, "id": …}}`): fetched once, before
 * any shard is asked, and put in their place.
 */
import { ANY_TOKENS, illegalArgument, parseJson, ShoalError, writeJson } from '@shoal/core';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { executeGet } from '../../documents/execute-get.ts';

/** Documents that one request may name. */
const DOCUMENTS_MAX = 256;
const PERCOLATE = Buffer.from('"percolate"');

type JsonObject = Readonly<Record<string, unknown>>;

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
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(PERCOLATE)) return body;
  const root = parseJson(body);
  const found: NamedDocument[] = [];
  collectNamed(root, found);
  if (found.length === 0) return body;
  if (found.length > DOCUMENTS_MAX) throw illegalArgument(`more than ${DOCUMENTS_MAX} documents to percolate`);
  const documents = new Map<string, unknown>();
  for (const named of found) {
    const key = keyOf(named);
    if (!documents.has(key)) documents.set(key, await fetchDocument(context, named));
  }
  return writeJson(replaced(root, documents));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

function collectNamed(value: unknown, into: NamedDocument[]): void {
  if (Array.isArray(value)) for (const item of value) collectNamed(item, into);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const named = name === 'percolate' && isObject(inner) ? namedDocument(inner) : null;
      if (named === null) collectNamed(inner, into);
      else into.push(named);
    }
  }
}

function replaced(value: unknown, documents: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, documents));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const named = name === 'percolate' && isObject(inner) ? namedDocument(inner) : null;
    if (named === null || !isObject(inner)) return [name, replaced(inner, documents)];
    // Which copy is read changes no answer: `preference` goes. A `version` stays, and is refused.
    const { index: _index, id: _id, routing: _routing, preference: _preference, ...rest } = inner;
    return [name, { ...rest, document: documents.get(keyOf(named)) }];
  });
  return Object.fromEntries(entries);
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
