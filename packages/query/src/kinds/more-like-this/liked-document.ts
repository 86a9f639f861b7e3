/**
 * A document that `more_like_this` compares with: one of an index by its id, or one that the request has with it.
 *
 * Its terms are found before any shard of the search is asked, since it may stand in another shard or index: whoever has the
 * request puts them beside the document, under `FETCHED_TERMS`.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  ShoalError,
  ValueReader,
} from '@shoal/core';
import { readString } from '../../members/request-values.ts';
import { LIST_ENTRIES_MAX } from '../../node/query-node.ts';

/** Member of a document that has its terms by index and field. No name that anybody writes: it has an unprintable sign. */
export const FETCHED_TERMS = '\u0000terms';

export interface LikedTerms {
  readonly field: string;
  /** In the order in which the document has them. */
  readonly terms: readonly string[];
  /** How often the document has each term; as long as `terms`. */
  readonly frequencies: readonly number[];
}

export interface LikedTermsOfIndex {
  /** Index that is searched for which these count; null: all. */
  readonly index: string | null;
  readonly fields: readonly LikedTerms[];
}

export interface LikedDocument {
  /** null: one of the request. */
  readonly id: string | null;
  /** Without an entry where there is no such document. */
  readonly found: readonly LikedTermsOfIndex[];
}

/** A document as it was read; `found` is null where nobody fetched its terms. */
export type ParsedDocument = Pick<LikedDocument, 'id'> & { readonly found: LikedDocument['found'] | null };

const VERSION_TYPES: readonly string[] = ['internal', 'external', 'external_gt', 'external_gte'];

/** @throws parse_exception */
export function parseLikedDocument(node: JsonObjectNode): ParsedDocument {
  let id: string | null = null;
  let hasDocument = false;
  let found: readonly LikedTermsOfIndex[] | null = null;
  for (const member of node.members) {
    if (member.name === FETCHED_TERMS) found = fetchedTerms(member.value);
    else if (member.name === '_id') id = readString(member.value, '_id');
    else if (member.name === 'doc') hasDocument = true;
    else checkMember(member);
  }
  if (id !== null && hasDocument) throw failed('either [id] or [doc] can be specified, but not both!');
  if (id === null && !hasDocument) throw failed('neither [id] nor [doc] is specified!');
  return { id, found };
}

/** Members that say which document it is, or how it is read: whoever fetches its terms reads them. */
function checkMember({ name, value }: JsonMember): void {
  switch (name) {
    case '_index':
    case '_type':
    case 'routing':
      readString(value, name);
      return;
    case 'version':
      if (!/^-?\d+$/.test(readString(value, name))) throw notANumber(readString(value, name));
      return;
    case 'version_type':
      if (VERSION_TYPES.includes(readString(value, name))) return;
      throw illegalArgument(`No version type match [${readString(value, name)}]`);
    case 'fields':
      if (value.kind !== 'array') throw failed('field [fields] must be an array');
      for (const item of value.items) readString(item, name);
      return;
    case 'per_field_analyzer':
      checkAnalyzers(value);
      return;
    default:
      throw failed(`unknown field [${name}]`);
  }
}

function checkAnalyzers(node: JsonNode): void {
  if (node.kind !== 'object') throw failed('[per_field_analyzer] must be an object');
  for (const { name, value } of node.members) {
    if (value.kind === 'string') continue;
    const reason = `expecting the analyzer at [${name}] to be a String, but found [${value.kind}] instead`;
    throw new ShoalError('parse_exception', 400, reason);
  }
}

function failed(what: string): ShoalError {
  return new ShoalError('parse_exception', 400, `failed to parse More Like This item. ${what}`);
}

/** 400: a text is no number. */
export function notANumber(text: string): ShoalError {
  return new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function fetchedTerms(node: JsonNode): readonly LikedTermsOfIndex[] {
  if (node.kind !== 'array') throw failed('its terms are no list');
  return node.items.map((item) => {
    if (item.kind !== 'object') throw failed('its terms are no objects');
    const members = new Map(item.members.map(({ name, value }) => [name, value]));
    const index = members.get('index');
    const fields = members.get('fields');
    return {
      index: index?.kind === 'string' ? index.value : null,
      fields: fields?.kind === 'object' ? fields.members.map(fieldTerms) : [],
    };
  });
}

function fieldTerms({ name, value }: JsonMember): LikedTerms {
  const members = value.kind === 'object' ? value.members : [];
  const counts = members.flatMap(({ name: term, value: count }) =>
    count.kind === 'number' ? [{ term, count: Number(count.text) }] : [],
  );
  return { field: name, terms: counts.map(({ term }) => term), frequencies: counts.map(({ count }) => count) };
}

export function readLikedDocument(value: unknown, path: string): LikedDocument {
  const r = ValueReader.of(value, path);
  return { id: r.optionalString('id'), found: r.list('found', readTermsOfIndex, LIST_ENTRIES_MAX) };
}

function readTermsOfIndex(value: unknown, path: string): LikedTermsOfIndex {
  const r = ValueReader.of(value, path);
  return { index: r.optionalString('index'), fields: r.list('fields', readLikedTerms, LIST_ENTRIES_MAX) };
}

function readLikedTerms(value: unknown, path: string): LikedTerms {
  const r = ValueReader.of(value, path);
  const terms = r.list('terms', ValueReader.asString, LIST_ENTRIES_MAX);
  const frequencies = r.list('frequencies', readFrequency, LIST_ENTRIES_MAX);
  if (terms.length !== frequencies.length) r.refuse('frequencies', 'one number a term');
  return { field: r.string('field'), terms, frequencies };
}

function readFrequency(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return ValueReader.of({ value }, path).refuse('value', 'a whole number above 0');
}
