/**
 * Shapes that stand in another document (`{"geo_shape": {"place": {"indexed_shape": {"index": …, "id": …, "path": …}}}}`): fetched
 * once, before any shard is asked, and put in their place.
 */
import { ANY_TOKENS, illegalArgument, isObject, parseJson, ShoalError, writeJson } from '@shoal/core';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { executeGet } from '../../documents/execute-get.ts';
import { type JsonObject, objectsNamed, withOthers } from './named-objects.ts';

/** Documents that one request may take shapes from. */
const DOCUMENTS_MAX = 256;
const QUERIES: readonly string[] = ['geo_shape', 'shape'];
const MEMBER = Buffer.from('"indexed_shape"');
/** Index and path of a shape that is named by its id alone. */
const INDEX = 'shapes';
const PATH = 'shape';

interface IndexedShape {
  readonly index: string;
  readonly id: string;
  readonly path: string;
  readonly routing: string | null;
}

/** The body as it was when it has none of these. @throws ShoalError for a document or shape that is not there */
export async function withIndexedShapes(
  context: CoordinatorContext,
  body: Uint8Array | null,
): Promise<Uint8Array | null> {
  if (body === null || !Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(MEMBER)) return body;
  const root = parseJson(body);
  const found = QUERIES.flatMap((query) => objectsNamed(root, query)).flatMap((query) =>
    Object.values(query).flatMap((asked) => {
      const named = isObject(asked) ? indexedShape(asked) : null;
      return named === null || !isObject(asked) ? [] : [{ asked, named }];
    }),
  );
  if (found.length === 0) return body;
  if (found.length > DOCUMENTS_MAX) throw illegalArgument(`more than ${DOCUMENTS_MAX} documents to take shapes from`);
  const shapes = new Map<string, unknown>();
  const replaced = new Map<unknown, unknown>();
  for (const { asked, named } of found) {
    const key = JSON.stringify(named);
    if (!shapes.has(key)) shapes.set(key, await fetchShape(context, named));
    const { indexed_shape: _indexed, ...rest } = asked;
    replaced.set(asked, { ...rest, shape: shapes.get(key) });
  }
  return writeJson(withOthers(root, replaced));
}

/** null for a query that has its shape with it, or names none. */
function indexedShape({ indexed_shape: named, shape }: JsonObject): IndexedShape | null {
  if (!isObject(named) || (shape !== undefined && shape !== null)) return null;
  const { id, index = INDEX, path = PATH, routing = null } = named;
  const [ofId, ofIndex, ofPath] = [id, index, path].map((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? String(each) : null,
  );
  if (ofId == null || ofIndex == null || ofPath == null) return null;
  return { id: ofId, index: ofIndex, path: ofPath, routing: routing === null ? null : String(routing) };
}

async function fetchShape(context: CoordinatorContext, { index, id, path, routing }: IndexedShape): Promise<unknown> {
  const { document } = await executeGet(context, { index, id, routing }, { realtime: true, refresh: false });
  if (document === null) throw illegalArgument(`Shape with ID [${id}] in type [_doc] not found`);
  if (document.source === null) throw illegalArgument(`Shape with ID [${id}] in type [_doc] source disabled`);
  let value: unknown = parseJson(document.source, ANY_TOKENS);
  for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
  if (value !== undefined) return value;
  throw new ShoalError('illegal_state_exception', 500, `Shape with name [${id}] found but missing ${path} field`);
}
