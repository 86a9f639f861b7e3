/**
 * The search of documents by query: what a body or parameters say of which documents, as a scroll that shows of each no more
 * than is written.
 */
import {
  type CoordinatorContext,
  type FetchInput,
  keepAliveMs,
  PLAIN_SEARCH,
  type ScrolledSearch,
  type SearchInput,
  withFetchedParts,
} from '@shoal/coordinator';
import { type JsonNode, type JsonObjectNode, parsingException, tokenName } from '@shoal/core';
import { parseSearch, plainSearch, type SearchRequest, searchRequest } from '@shoal/query';

/** Members of a body that are not part of the search, and the search as parsed from the others. */
export interface ByQueryBody<Own> {
  readonly own: Own;
  readonly request: SearchRequest;
}

export interface BodyInput<Own> {
  readonly body: Uint8Array | null;
  /** URI parameters that are part of the search. */
  readonly params: Readonly<Record<string, string>>;
  readonly signal: SearchInput['signal'];
  readonly searched: FetchInput;
  /** Takes the body apart: its own members, and the object that is the search; null for no search. */
  readonly split: (root: JsonObjectNode | null) => { readonly own: Own; readonly search: JsonObjectNode | null };
  /** Runs `read`, and says of what is wrong in the search where in the body the search stands. */
  readonly located?: <T>(own: Own, read: () => T) => T;
}

/** @throws ShoalError for what is wrong in the body, its place included */
export async function readByQueryBody<Own>(
  context: CoordinatorContext,
  { body, params, signal, searched, split, located = (_own, read) => read() }: BodyInput<Own>,
): Promise<ByQueryBody<Own>> {
  const whole = await withFetchedParts(context, body !== null && body.length > 0 ? body : null, searched);
  return context.trees.read({ body: whole, signal }, (tree) => {
    const { own, search } = split(objectOf(tree));
    const { request } = located(own, () => parseSearch({ body: null, params }, search));
    return { own, request };
  });
}

function objectOf(tree: JsonNode | null): JsonObjectNode | null {
  if (tree === null || tree.kind === 'object') return tree;
  throw parsingException(`Expected [START_OBJECT] but found [${tokenName(tree)}]`, tree.at);
}

export interface ScrollOptions {
  readonly expression: string;
  readonly indicesOptions: SearchInput['indicesOptions'];
  readonly routings: readonly string[];
  readonly sharesStatistics: boolean;
  /** null: as each index says. */
  readonly usesRequestCache: boolean | null;
  readonly keepAlive: string;
  /** Which parts of documents are read. */
  readonly source: SearchRequest['source'];
}

/** The scroll over the documents that `request` finds; what it shows beside them is left out. */
export function scrollOf(context: CoordinatorContext, request: SearchRequest, options: ScrollOptions): ScrolledSearch {
  const { query, postFilter, sort, minScore, terminateAfter, timeoutMs, slice, indicesBoost, size } = request;
  const asked = searchRequest({
    query,
    postFilter,
    sort,
    minScore,
    terminateAfter,
    timeoutMs,
    slice,
    indicesBoost,
    size,
    source: options.source,
    trackTotalHits: Number.POSITIVE_INFINITY,
    version: true,
    seqNoPrimaryTerm: true,
  });
  return {
    ...PLAIN_SEARCH,
    expression: options.expression,
    indicesOptions: options.indicesOptions,
    routings: options.routings,
    sharesStatistics: options.sharesStatistics,
    usesRequestCache: options.usesRequestCache,
    parsed: plainSearch(asked),
    scrollKeepAliveMs: keepAliveMs(context, options.keepAlive, 'scroll'),
    body: null,
    signal: null,
    // A document of a shard that does not answer would be left as it is, and nobody would know.
    allowPartialResults: false,
    countsExactly: true,
  };
}
