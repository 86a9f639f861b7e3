/**
 * The body of `_mget`: `{"docs": [{"_index", "_id", "routing", "_source"}, …]}` or `{"ids": […]}`.
 */

import { type DocumentKey, readSourceChoice } from '@shoal/coordinator';
import { illegalArgument, type JsonNode, parseJsonTree, ShoalError, tokenName } from '@shoal/core';
import type { SourceFilter } from '@shoal/query';
import { SINGLE_TYPE } from '../request/single-type.ts';
import { parseVersionType } from './write-options.ts';
import { validationFailed } from './write-problems.ts';

export interface MultiGetItem {
  readonly key: DocumentKey;
  /** null: as the request's parameters say. */
  readonly source: SourceFilter | null;
  /** null: as the request's parameters say. */
  readonly storedFields: readonly string[] | null;
  /** Version that the document must have; null: any. */
  readonly version: number | null;
}

export interface MultiGetDefaults {
  readonly index: string | null;
  readonly routing: string | null;
}

const DOCUMENTS_MAX = 100_000;
/** Number by which clients say that any version will do. */
const ANY_VERSION = '-3';

export function parseMultiGet(body: Uint8Array | null, defaults: MultiGetDefaults): readonly MultiGetItem[] {
  const root = body === null ? null : parseJsonTree(body);
  if (root === null) throw new ShoalError('parse_exception', 400, 'request body or source parameter is required');
  if (root.kind !== 'object') throw unexpected(root, 'START_OBJECT');
  const items = root.members.flatMap(({ name, value }) => {
    if (name === 'docs') return arrayItems(value).map((entry) => readEntry(entry, defaults));
    if (name === 'ids') return arrayItems(value).map((entry) => itemOf(textOf(entry, 'ids'), defaults));
    throw new ShoalError(
      'parsing_exception',
      400,
      `unknown key [${name}] for a ${tokenName(value)}, expected [docs] or [ids]`,
    );
  });
  check(items);
  return items;
}

function check(items: readonly MultiGetItem[]): void {
  if (items.length === 0) throw validationFailed(['no documents to get']);
  if (items.length > DOCUMENTS_MAX) throw illegalArgument(`_mget takes at most [${DOCUMENTS_MAX}] documents`);
  const problems = items.flatMap(({ key }, i) => {
    const missing: string[] = [];
    if (key.index === '') missing.push(`index is missing for doc ${i}`);
    if (key.id === '') missing.push(`id is missing for doc ${i}`);
    return missing;
  });
  if (problems.length > 0) throw validationFailed(problems);
}

function itemOf(id: string, defaults: MultiGetDefaults): MultiGetItem {
  return {
    key: { index: defaults.index ?? '', id, routing: defaults.routing },
    source: null,
    storedFields: null,
    version: null,
  };
}

function readEntry(entry: JsonNode, defaults: MultiGetDefaults): MultiGetItem {
  if (entry.kind !== 'object') throw illegalArgument('docs array element should include an object');
  let index = defaults.index ?? '';
  let id = '';
  let routing = defaults.routing;
  let source: SourceFilter | null = null;
  let storedFields: readonly string[] | null = null;
  let version: number | null = null;
  for (const { name, value } of entry.members) {
    // Clients name all that they know of, and give null for what was not asked.
    if (value.kind === 'null') continue;
    if (name === '_index') index = textOf(value, name);
    else if (name === '_id') id = textOf(value, name);
    else if (name === '_type' && textOf(value, name) === SINGLE_TYPE) continue;
    else if (name === 'routing') routing = textOf(value, name);
    else if (name === '_source') source = readSourceChoice(value);
    else if (name === 'stored_fields') storedFields = texts(value);
    else if (name === 'version') version = versionOf(value);
    else if (name === 'version_type') parseVersionType(textOf(value, name));
    else throw unknownMember(name);
  }
  // Whoever names stored fields gets the source only when it is among them.
  if (source === null && storedFields !== null) {
    source = { enabled: storedFields.includes('_source'), includes: [], excludes: [] };
  }
  return { key: { index, id, routing }, source, storedFields, version };
}

function versionOf(node: JsonNode): number | null {
  const text = textOf(node, 'version');
  if (text === ANY_VERSION) return null;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw illegalArgument(`For input string: "${text}"`);
}

function unknownMember(name: string): ShoalError {
  if (name === 'fields') {
    return new ShoalError(
      'parsing_exception',
      400,
      'Unsupported field [fields] used, expected [stored_fields] instead',
    );
  }
  return new ShoalError('parse_exception', 400, `failed to parse multi get request. unknown field [${name}]`);
}

function arrayItems(node: JsonNode): readonly JsonNode[] {
  if (node.kind !== 'array') throw unexpected(node, 'START_ARRAY');
  return node.items;
}

function texts(node: JsonNode): readonly string[] {
  return node.kind === 'array'
    ? node.items.map((item) => textOf(item, 'stored_fields'))
    : [textOf(node, 'stored_fields')];
}

function textOf(node: JsonNode, name: string): string {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.text;
  throw illegalArgument(`[${name}] must be a string, found [${tokenName(node)}]`);
}

function unexpected(node: JsonNode, wanted: string): ShoalError {
  return new ShoalError('parsing_exception', 400, `unexpected token [${tokenName(node)}], expected [${wanted}]`, {
    metadata: { line: node.at.line, col: node.at.col },
  });
}
