/**
 * Bodies of `_termvectors` and `_mtermvectors`: which document, which fields, and what is shown of their terms.
 */
import type { TermVectorsInput } from '@shoal/coordinator';
import { illegalArgument, type JsonNode, jsonNodeValue, ShoalError, tokenName, writeJson } from '@shoal/core';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import type { TermFilter, TermVectorsRequest } from '@shoal/shard-api';
import { treeOfBody } from '../request/json-body.ts';
import { parseVersionType } from './write-options.ts';

/** Parameters of both APIs that say the same as their bodies. */
export const VECTOR_PARAMETERS: ParameterDeclarations = {
  field_statistics: 'boolean',
  fields: 'list',
  offsets: 'boolean',
  payloads: 'boolean',
  positions: 'boolean',
  preference: 'string',
  realtime: 'boolean',
  routing: 'string',
  term_statistics: 'boolean',
  version: 'long',
  version_type: 'string',
};

/** A request on its way to a `TermVectorsInput`: not checked yet. */
export interface VectorsDraft extends Omit<TermVectorsRequest, 'document'> {
  readonly index: string | null;
  readonly id: string | null;
  /** JSON of an artificial document; null: one of the index. */
  readonly source: Uint8Array | null;
  readonly routing: string | null;
  readonly version: number | null;
  readonly realtime: boolean;
}

const COUNT_MAX = 2 ** 31 - 1;
const EVERY_TERM: TermFilter = {
  maxNumTerms: 25,
  minTermFreq: 1,
  maxTermFreq: COUNT_MAX,
  minDocFreq: 1,
  maxDocFreq: COUNT_MAX,
  minWordLength: 0,
  maxWordLength: 0,
};
const FILTER_MEMBERS: ReadonlyMap<string, keyof TermFilter> = new Map([
  ['max_num_terms', 'maxNumTerms'],
  ['min_term_freq', 'minTermFreq'],
  ['max_term_freq', 'maxTermFreq'],
  ['min_doc_freq', 'minDocFreq'],
  ['max_doc_freq', 'maxDocFreq'],
  ['min_word_length', 'minWordLength'],
  ['max_word_length', 'maxWordLength'],
]);
/** Fields and analyzers that one request may name. */
const NAMES_MAX = 10_000;

export function emptyDraft(index: string | null, id: string | null): VectorsDraft {
  return {
    index,
    id,
    source: null,
    routing: null,
    version: null,
    realtime: true,
    fields: null,
    analyzers: new Map(),
    positions: true,
    offsets: true,
    payloads: true,
    termStatistics: false,
    fieldStatistics: true,
    filter: null,
  };
}

/** The draft as the parameters of the request change it; fields are added. */
export function withParameters(draft: VectorsDraft, { params }: HttpRequest): VectorsDraft {
  if (params.has('version_type')) parseReadVersionType(params.string('version_type') ?? '');
  const fields = params.list('fields');
  return {
    ...draft,
    routing: params.string('routing') ?? draft.routing,
    version: params.long('version') ?? draft.version,
    realtime: params.boolean('realtime', draft.realtime),
    fields: fields.length === 0 ? draft.fields : [...(draft.fields ?? []), ...fields],
    positions: params.boolean('positions', draft.positions),
    offsets: params.boolean('offsets', draft.offsets),
    payloads: params.boolean('payloads', draft.payloads),
    termStatistics: params.boolean('term_statistics', draft.termStatistics),
    fieldStatistics: params.boolean('field_statistics', draft.fieldStatistics),
  };
}

/** What is missing; null when the document is named. */
export function problemOf({ index, id, source }: VectorsDraft): string | null {
  if (index === null) return 'index is missing';
  return id === null && source === null ? 'id or doc is missing' : null;
}

/** @param draft one without a problem */
export function inputOf(draft: VectorsDraft): TermVectorsInput {
  const { index, id, source, version, realtime, routing, ...shown } = draft;
  const document =
    source === null
      ? ({ kind: 'stored', id: id ?? '', version, realtime } as const)
      : ({ kind: 'artificial', source } as const);
  return { index: index ?? '', routing, request: { ...shown, document } };
}

/** The tree of a body; null where there is none. */
export function bodyTree(body: Uint8Array | null): Extract<JsonNode, { kind: 'object' }> | null {
  const root = treeOfBody(body);
  if (root === null) return null;
  if (root.kind === 'object') return root;
  throw failed(`expected an object, found [${tokenName(root)}]`);
}

/** The draft as the members of an object change it. @throws parse_exception */
export function withMembers(draft: VectorsDraft, node: Extract<JsonNode, { kind: 'object' }>): VectorsDraft {
  let next = draft;
  for (const { name, value } of node.members) next = { ...next, ...changeOf(next, name, value) };
  return next;
}

function changeOf(draft: VectorsDraft, name: string, value: JsonNode): Partial<VectorsDraft> {
  switch (name) {
    case 'fields':
      return { fields: fieldNames(value) };
    case 'positions':
    case 'offsets':
    case 'payloads':
      return { [name]: flag(value) };
    case 'term_statistics':
    case 'termStatistics':
      return { termStatistics: flag(value) };
    case 'field_statistics':
    case 'fieldStatistics':
      return { fieldStatistics: flag(value) };
    case 'dfs':
      throw illegalArgument('distributed frequencies is not supported anymore for term vectors');
    case 'per_field_analyzer':
    case 'perFieldAnalyzer':
      return { analyzers: analyzerNames(value) };
    case 'filter':
      return { filter: termFilter(value) };
    default:
      return documentChange(draft, name, value);
  }
}

function documentChange(draft: VectorsDraft, name: string, value: JsonNode): Partial<VectorsDraft> {
  switch (name) {
    case '_index':
      return { index: textOf(value, name) };
    case '_id':
      if (draft.source !== null) throw idAndDocument();
      return { id: textOf(value, name) };
    case 'doc':
      if (draft.id !== null) throw idAndDocument();
      return { source: writeJson(jsonNodeValue(value)) };
    case 'routing':
      return { routing: textOf(value, name) };
    case 'version':
      return { version: integer(value) };
    case 'version_type':
      parseReadVersionType(textOf(value, name));
      return {};
    default:
      throw failed(`unknown field [${name}]`);
  }
}

/** A reader compares versions of any type alike. */
function parseReadVersionType(text: string): void {
  if (text !== 'force') parseVersionType(text);
}

function fieldNames(value: JsonNode): readonly string[] {
  if (value.kind !== 'array') throw failed('field [fields] must be an array');
  if (value.items.length > NAMES_MAX) throw failed(`more than [${NAMES_MAX}] fields`);
  return value.items.map((item) => textOf(item, 'fields'));
}

function analyzerNames(value: JsonNode): ReadonlyMap<string, string> {
  if (value.kind !== 'object') throw failed(`[per_field_analyzer] must be an object, found [${tokenName(value)}]`);
  if (value.members.length > NAMES_MAX) throw failed(`more than [${NAMES_MAX}] analyzers`);
  return new Map(
    value.members.map(({ name, value: analyzer }) => {
      if (analyzer.kind === 'string') return [name, analyzer.value];
      const found = `[${tokenName(analyzer)}]`;
      throw parseError(`expecting the analyzer at [${name}] to be a String, but found ${found} instead`);
    }),
  );
}

function termFilter(value: JsonNode): TermFilter {
  if (value.kind !== 'object') throw failed(`[filter] must be an object, found [${tokenName(value)}]`);
  const limits: Partial<Record<keyof TermFilter, number>> = {};
  for (const { name, value: limit } of value.members) {
    const member = FILTER_MEMBERS.get(name);
    if (member === undefined) {
      throw failed(`the field [${name}] is not valid for filter parameter for term vector request`);
    }
    const count = integer(limit);
    if (Math.abs(count) > COUNT_MAX) throw illegalArgument(`Numeric value (${count}) out of range of int`);
    limits[member] = count;
  }
  return { ...EVERY_TERM, ...limits };
}

function integer(node: JsonNode): number {
  const text = textOf(node, 'number');
  const value = Number(text);
  if (/^-?\d+(\.0*)?$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function flag(node: JsonNode): boolean {
  if (node.kind === 'boolean') return node.value;
  if (node.kind === 'string' && (node.value === 'true' || node.value === 'false')) return node.value === 'true';
  const shown = node.kind === 'string' ? node.value : tokenName(node);
  throw illegalArgument(`Failed to parse value [${shown}] as only [true] or [false] are allowed.`);
}

function textOf(node: JsonNode, name: string): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  if (node.kind === 'boolean') return String(node.value);
  throw failed(`[${name}] holds texts, found [${tokenName(node)}]`);
}

function idAndDocument(): ShoalError {
  return failed('either [id] or [doc] can be specified, but not both!');
}

function failed(what: string): ShoalError {
  return parseError(`failed to parse term vectors request. ${what}`);
}

export function parseError(reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, reason);
}
