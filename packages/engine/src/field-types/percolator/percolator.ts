/**
 * `percolator`: queries of documents. The source keeps them; a term marks the documents that have one.
 */
import { illegalArgument, ShoalError, writeJson } from '@shoal/core';
import { innerQueries, parseQueryBytes, type Query, type QueryNode } from '@shoal/query';
import type { FieldType } from '../contract/field-type.ts';
import { ComposedValue } from '../contract/indexed-value.ts';
import { KEYWORD } from '../keyword/keyword.ts';

/** Term of every document with a query. */
export const PERCOLATOR_MARK = 'query';

class QueryValue extends ComposedValue {
  readonly indexed = PERCOLATOR_MARK;
  readonly json: object;

  constructor(json: object) {
    super();
    this.json = json;
  }
}

/** Kinds of queries that look at more documents than the one that is checked. */
const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ['hasChild', 'has_child'],
  ['hasParent', 'has_parent'],
  ['percolate', 'percolate'],
]);

export const PERCOLATOR: FieldType = {
  ...KEYWORD,
  read: (_field, value) => {
    if (typeof value !== 'object' || value === null) throw notAnObject();
    checkQuery(parseStoredQuery(value));
    return new QueryValue(value);
  },
  check: () => {},
  isSingle: () => 'a document can only contain one percolator query',
  spread: (field) => [{ field, value: PERCOLATOR_MARK }],
  textQueries: 'none',
  term: () => {
    throw notSearchable();
  },
  range: () => {
    throw notSearchable();
  },
  hasColumn: false,
  sort: { column: 'none' },
  collapse: 'none',
  columnPrinter: () => null,
  printer: () => (value) => (value instanceof QueryValue ? value.json : null),
};

/** @throws ShoalError for what is no query */
export function parseStoredQuery(json: object): Query {
  return parseQueryBytes(writeJson(json));
}

function checkQuery(query: QueryNode): void {
  const name = UNSUPPORTED.get(query.kind);
  if (name !== undefined) throw illegalArgument(`the [${name}] query is unsupported inside a percolator query`);
  for (const inner of innerQueries(query)) checkQuery(inner);
}

function notAnObject(): ShoalError {
  return new ShoalError('parsing_exception', 400, '[_na] query malformed, must start with start_object');
}

function notSearchable(): ShoalError {
  const reason = 'Percolator fields are not searchable directly, use a percolate query instead';
  return new ShoalError('query_shard_exception', 400, reason);
}
