/**
 * Terms of the documents that a `more_like_this` query names or has with it: fetched once, before any shard is asked, and put
 * beside them.
 */
import { ANY_TOKENS, illegalArgument, isObject, parseJson, writeJson } from '@shoal/core';
import { FETCHED_TERMS } from '@shoal/query';
import { parseMapping } from '@shoal/schema';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { executeTermVectors, type TermVectorsInput } from '../../documents/execute-term-vectors.ts';
import { type JsonObject, objectsNamed, withOthers } from './named-objects.ts';

/** Names of the indices that are searched, for a body. */
export type SearchedIndices = (body: unknown) => readonly string[];

/** Documents that one request may compare with, once for each index where none is named. */
const DOCUMENTS_MAX = 1_024;
/** Terms of all of these documents: each is looked up in every shard. */
const TERMS_MAX = 50_000;
const QUERY = 'more_like_this';
const QUERY_BYTES = Buffer.from(`"${QUERY}"`);

interface AskedDocument {
  readonly item: JsonObject;
  /** Index that is searched for which it counts; null: all. */
  readonly index: string | null;
  readonly input: TermVectorsInput;
}

/** The body as it was when it has none of these. @throws routing_missing_exception */
export async function withLikedDocuments(
  context: CoordinatorContext,
  body: Uint8Array | null,
  searched: SearchedIndices,
): Promise<Uint8Array | null> {
  if (body === null) return null;
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(QUERY_BYTES)) return body;
  const root = parseJson(body);
  const asked: AskedDocument[] = [];
  for (const query of objectsNamed(root, QUERY)) {
    for (const item of [query['like'], query['unlike']].flat()) {
      if (!isObject(item) || FETCHED_TERMS in item) continue;
      asked.push(...askedDocuments(context, query, item, () => searched(root)));
      if (asked.length > DOCUMENTS_MAX) throw illegalArgument(`more than ${DOCUMENTS_MAX} documents to be like`);
    }
  }
  if (asked.length === 0) return body;
  return writeJson(withOthers(root, await fetchedItems(context, asked)));
}

/** Items with their terms, by the items. */
async function fetchedItems(
  context: CoordinatorContext,
  asked: readonly AskedDocument[],
): Promise<ReadonlyMap<unknown, unknown>> {
  const outcomes = await executeTermVectors(
    context,
    asked.map(({ input }) => input),
  );
  const fetched = new Map<JsonObject, unknown[]>();
  let termCount = 0;
  for (const [i, { item, index }] of asked.entries()) {
    const outcome = outcomes[i];
    const terms = fetched.get(item) ?? [];
    fetched.set(item, terms);
    if (outcome?.kind === 'failed' && outcome.error.type === 'routing_missing_exception') throw outcome.error;
    // A document that cannot be had is like none.
    if (outcome?.kind !== 'answered' || outcome.found === null) continue;
    const fields = frequenciesOf(outcome.found.vectors);
    for (const frequencies of fields.values()) termCount += frequencies.size;
    if (termCount > TERMS_MAX) throw illegalArgument(`more than ${TERMS_MAX} terms of documents to be like`);
    terms.push({ index, fields });
  }
  return new Map([...fetched].map(([item, terms]) => [item, { ...item, [FETCHED_TERMS]: terms }]));
}

/** How often the document has each term, by field. */
function frequenciesOf(vectors: Uint8Array): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const json = parseJson(vectors, ANY_TOKENS) as Record<string, { terms: Record<string, { term_freq: number }> }>;
  return new Map(
    Object.entries(json).map(([field, { terms }]) => [
      field,
      new Map(Object.entries(terms).map(([term, { term_freq: count }]) => [term, count])),
    ]),
  );
}

/** Nothing for an item that no query takes: whoever parses it says what is wrong. */
function askedDocuments(
  context: CoordinatorContext,
  query: JsonObject,
  item: JsonObject,
  searched: () => readonly string[],
): readonly AskedDocument[] {
  const { _index: index, _id: id, doc, routing, version, fields, per_field_analyzer: analyzers } = item;
  const isStored = typeof id === 'string' || typeof id === 'number';
  if (isStored === (doc !== undefined)) return [];
  const document = isStored
    ? ({ kind: 'stored', id: String(id), version: wholeOf(version), realtime: true } as const)
    : ({ kind: 'artificial', source: writeJson(doc) } as const);
  const given = stringsOf(fields);
  const wanted = given.length > 0 ? given : isStored ? stringsOf(query['fields']) : null;
  const names = typeof index === 'string' ? [index] : searched();
  return names.map((name) => ({
    item,
    index: typeof index === 'string' ? null : name,
    input: {
      index: name,
      routing: typeof routing === 'string' || typeof routing === 'number' ? String(routing) : null,
      request: {
        document,
        fields: wanted === null ? null : wanted.length === 0 ? ['*'] : pathsOf(context, name, wanted),
        analyzers: new Map(Object.entries(isObject(analyzers) ? analyzers : {}).map(([k, v]) => [k, String(v)])),
        positions: false,
        offsets: false,
        payloads: false,
        termStatistics: false,
        fieldStatistics: false,
        filter: null,
      },
    },
  }));
}

/** Other names of fields stand for their fields. */
function pathsOf(context: CoordinatorContext, index: string, names: readonly string[]): readonly string[] {
  const mapping = context.cluster.state().metadata.indices.get(index)?.mapping;
  if (mapping === undefined) return names;
  const parsed = parseMapping(mapping);
  return names.map((name) => parsed.field(name)?.path ?? name);
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function wholeOf(value: unknown): number | null {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}
