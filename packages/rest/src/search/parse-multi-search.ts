/**
 * The body of `_msearch`: pairs of lines, which indices and how, then the search itself, which stays bytes.
 */

import type { IndicesOptions } from '@shoal/coordinator';
import { illegalArgument, type JsonNode, JsonTokens, parseJsonTree, tokenName } from '@shoal/core';
import { validationFailed } from '../documents/write-problems.ts';
import { expandOptions } from '../request/indices-options-parameters.ts';
import { SINGLE_TYPE } from '../request/single-type.ts';
import { sharesStatistics } from './search-type.ts';

export interface MultiSearchEntry {
  readonly index: string | null;
  readonly routings: readonly string[];
  readonly indicesOptions: IndicesOptions;
  /** null: the node's default. */
  readonly allowPartialResults: boolean | null;
  readonly sharesStatistics: boolean;
  /** null: as each index says. */
  readonly usesRequestCache: boolean | null;
  /** Which copies are read; null: whichever. */
  readonly preference: string | null;
  readonly body: Uint8Array;
}

export type MultiSearchDefaults = Pick<MultiSearchEntry, 'index' | 'routings' | 'indicesOptions'>;

const LINE_FEED = 0x0a;
const SEARCHES_MAX = 10_000;

export function parseMultiSearch(body: Uint8Array, defaults: MultiSearchDefaults): readonly MultiSearchEntry[] {
  if (body[body.length - 1] !== LINE_FEED)
    throw illegalArgument('The msearch request must be terminated by a newline [\\n]');
  const entries: MultiSearchEntry[] = [];
  const tokens = new JsonTokens();
  for (let at = 0; at < body.length; ) {
    const headerEnd = body.indexOf(LINE_FEED, at);
    const bodyEnd = body.indexOf(LINE_FEED, headerEnd + 1);
    // A header without a search behind it is none, as in Elasticsearch.
    if (bodyEnd === -1) break;
    if (entries.length >= SEARCHES_MAX)
      throw illegalArgument(`a msearch request has at most [${SEARCHES_MAX}] searches`);
    const header = readHeader(body.subarray(at, headerEnd), defaults, tokens);
    entries.push({ ...header, body: body.subarray(headerEnd + 1, bodyEnd) });
    at = bodyEnd + 1;
  }
  if (entries.length === 0) throw validationFailed(['no requests added']);
  return entries;
}

function readHeader(
  line: Uint8Array,
  defaults: MultiSearchDefaults,
  tokens: JsonTokens,
): Omit<MultiSearchEntry, 'body'> {
  const root = parseJsonTree(line, { tokens });
  let header: Omit<MultiSearchEntry, 'body'> = {
    ...defaults,
    allowPartialResults: null,
    sharesStatistics: false,
    usesRequestCache: null,
    preference: null,
  };
  if (root === null) return header;
  if (root.kind !== 'object') throw illegalArgument('a header of the msearch request must be an object');
  for (const { name, value } of root.members) header = withMember(header, name, value);
  return header;
}

function withMember(
  header: Omit<MultiSearchEntry, 'body'>,
  name: string,
  value: JsonNode,
): Omit<MultiSearchEntry, 'body'> {
  const options = header.indicesOptions;
  switch (name) {
    case 'index':
    case 'indices':
      return { ...header, index: texts(value, name).join(',') };
    case 'routing':
      return { ...header, routings: texts(value, name).flatMap((text) => text.split(',')) };
    case 'allow_partial_search_results':
      return { ...header, allowPartialResults: flag(value, name) };
    case 'ignore_unavailable':
    case 'ignoreUnavailable':
      return { ...header, indicesOptions: { ...options, ignoreUnavailable: flag(value, name) } };
    case 'allow_no_indices':
    case 'allowNoIndices':
      return { ...header, indicesOptions: { ...options, allowNoIndices: flag(value, name) } };
    case 'expand_wildcards':
    case 'expandWildcards':
      return {
        ...header,
        indicesOptions: { ...options, ...expandOptions(texts(value, name).flatMap((text) => text.split(','))) },
      };
    case 'search_type':
    case 'searchType':
      return { ...header, sharesStatistics: texts(value, name).some(sharesStatistics) };
    case 'preference':
      return { ...header, preference: texts(value, name).at(-1) ?? null };
    case 'requestCache':
    case 'request_cache':
      return { ...header, usesRequestCache: flag(value, name) };
    case 'type':
    case 'types':
      if (texts(value, name).every((type) => type === SINGLE_TYPE)) return header;
      throw illegalArgument(`key [${name}] is not supported in the metadata section`);
    case 'ccs_minimize_roundtrips':
    case 'ignore_throttled':
    case 'ignoreThrottled':
      // They change where a search runs, never what it finds; no index is throttled.
      return header;
    default:
      throw illegalArgument(`key [${name}] is not supported in the metadata section`);
  }
}

function texts(value: JsonNode, name: string): readonly string[] {
  const items = value.kind === 'array' ? value.items : [value];
  return items.map((item) => {
    if (item.kind !== 'string') throw illegalArgument(`[${name}] must be a string or a list of strings`);
    return item.value;
  });
}

function flag(value: JsonNode, name: string): boolean {
  if (value.kind === 'boolean') return value.value;
  if (value.kind === 'string' && (value.value === 'true' || value.value === 'false')) return value.value === 'true';
  const given = value.kind === 'string' ? value.value : tokenName(value);
  throw illegalArgument(`Could not convert [${name}] to boolean`, {
    causedBy: illegalArgument(`Failed to parse value [${given}] as only [true] or [false] are allowed.`),
  });
}
