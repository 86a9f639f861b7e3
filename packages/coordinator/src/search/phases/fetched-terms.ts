/**
 * Terms that stand in another document (`"terms": {"user": {"index": …, "id": …, "path": …}}`): fetched once, before any
 * shard is asked, and put in their place.
 */
import { ANY_TOKENS, illegalArgument, isObject, parseJson, writeJson } from '@shoal/core';
import { valuesAtPath } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { executeGet } from '../../documents/execute-get.ts';

/** Documents that one request may take terms from. */
const LOOKUPS_MAX = 256;
const TERMS = Buffer.from('"terms"');
const PATH = Buffer.from('"path"');

interface TermsLookup {
  readonly index: string;
  readonly id: string;
  readonly path: string;
  readonly routing: string | null;
}

/** The body as it was when it has none of these. */
export async function withFetchedTerms(
  context: CoordinatorContext,
  body: Uint8Array | null,
): Promise<Uint8Array | null> {
  if (body === null) return null;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!bytes.includes(TERMS) || !bytes.includes(PATH)) return body;
  const root = parseJson(body);
  const found: TermsLookup[] = [];
  // Aggregations have terms of their own, which are no queries.
  const isEmpty = !isObject(root) || !collectLookups(root, found);
  if (isEmpty) return body;
  if (found.length > LOOKUPS_MAX) throw illegalArgument(`more than ${LOOKUPS_MAX} documents to take terms from`);
  const values = new Map<string, readonly unknown[]>();
  for (const lookup of found) {
    const key = keyOf(lookup);
    if (!values.has(key)) values.set(key, await fetchTerms(context, lookup));
  }
  return writeJson(replaced(root, values));
}

/** null when the value is none, or a wrong one, which the parser of queries then says. */
function lookupOf(value: unknown): TermsLookup | null {
  if (!isObject(value)) return null;
  const { index, id, path, routing, ...others } = value;
  if (Object.keys(others).length > 0 || (routing !== undefined && typeof routing !== 'string')) return null;
  if (typeof index !== 'string' || typeof path !== 'string' || (typeof id !== 'string' && typeof id !== 'number'))
    return null;
  return { index, id: String(id), path, routing: routing ?? null };
}

function keyOf(lookup: TermsLookup): string {
  return JSON.stringify([lookup.index, lookup.id, lookup.path, lookup.routing]);
}

/** True when there are any. */
function collectLookups(value: unknown, into: TermsLookup[]): boolean {
  if (Array.isArray(value)) for (const item of value) collectLookups(item, into);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'terms' && isObject(inner))
        for (const one of Object.values(inner)) into.push(...listOf(lookupOf(one)));
      collectLookups(inner, into);
    }
  }
  return into.length > 0;
}

function listOf<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}

function replaced(value: unknown, terms: ReadonlyMap<string, readonly unknown[]>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, terms));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name !== 'terms' || !isObject(inner)) return [name, replaced(inner, terms)];
    const fields = Object.entries(inner).map(([field, one]): [string, unknown] => {
      const lookup = lookupOf(one);
      return [field, lookup === null ? replaced(one, terms) : (terms.get(keyOf(lookup)) ?? [])];
    });
    return [name, Object.fromEntries(fields)];
  });
  return Object.fromEntries(entries);
}

/** A document that is not there has no terms. */
async function fetchTerms(
  context: CoordinatorContext,
  { index, id, path, routing }: TermsLookup,
): Promise<readonly unknown[]> {
  const { document } = await executeGet(context, { index, id, routing }, { realtime: true, refresh: false });
  if (document === null || document.source === null) return [];
  return valuesAtPath(parseJson(document.source, ANY_TOKENS), path).filter(
    (value) => value !== null && typeof value !== 'object',
  );
}
