/**
 * Any query, as the registry's kinds make it: parsed from request JSON, read from a decoded message, or walked.
 *
 * Unknown names are refused with the error that Elasticsearch gives, with the line and column of what follows the name.
 */
import {
  assert,
  didYouMean,
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parseJsonTree,
  parsingException,
  ShoalError,
  ValueReader,
} from '@shoal/core';
import { MATCH_ALL } from '../kinds/match-all/match-all.ts';
import { readObject } from '../members/request-values.ts';
import type { QueryAlias, QueryKind } from '../node/query-kind.ts';
import type { QueryNode } from '../node/query-node.ts';
import * as QUERY_KINDS from './query-kinds.ts';

type NodeOf<T> = T extends QueryKind<infer N> ? N : never;

/** The union of all kinds of nodes. */
export type Query = NodeOf<(typeof QUERY_KINDS)[keyof typeof QUERY_KINDS]>;

/** Queries inside queries beyond this are refused, as `indices.query.bool.max_nested_depth` does. */
const NESTING_MAX = 30;
/** Levels that a coordinator may put around the query of a request. */
const OUTER_LEVELS_MAX = 2;

const BY_REQUEST_NAME: ReadonlyMap<string, QueryKind<Query> | QueryAlias> = new Map<
  string,
  QueryKind<Query> | QueryAlias
>(Object.entries(QUERY_KINDS));

const BY_KIND: ReadonlyMap<string, QueryKind<Query>> = kindsByName(Object.values(QUERY_KINDS));

function kindsByName(kinds: readonly (QueryKind<Query> | QueryAlias)[]): ReadonlyMap<string, QueryKind<Query>> {
  const byName = new Map<string, QueryKind<Query>>();
  for (const kind of kinds) {
    if (kind.kind === null) continue;
    const known = byName.get(kind.kind);
    assert(known === undefined || known === kind, `two definitions of the query kind ${kind.kind}`);
    byName.set(kind.kind, kind);
  }
  return byName;
}

/** A query given as JSON bytes, such as an alias filter. */
export function parseQueryBytes(bytes: Uint8Array): Query {
  const node = parseJsonTree(bytes);
  return node === null ? MATCH_ALL : parseQuery(node);
}

/** `{"match": {…}}` and every other query. */
export function parseQuery(node: JsonNode): Query {
  return asQuery(parseAt(node, 0));
}

function parseAt(node: JsonNode, depth: number): QueryNode {
  if (node.kind !== 'object') throw parsingException('[_na] query malformed, must start with start_object', node.at);
  if (depth > NESTING_MAX) {
    throw illegalArgument(
      `The nested depth of the query exceeds the maximum nested depth for bool queries set in [indices.query.bool.max_nested_depth]`,
    );
  }
  const [member, extra] = node.members;
  if (!member) throw illegalArgument(`query malformed, empty clause found at [${node.end.line}:${node.end.col}]`);
  const kind = BY_REQUEST_NAME.get(member.name);
  if (!kind) {
    // What is no object is told before that nobody knows the name.
    readObject(member.value, member.name);
    throw unknownQuery(member);
  }
  if (member.value.kind !== 'object') {
    throw parsingException(`[${member.name}] query malformed, no start_object after query name`, member.value.at);
  }
  const query = kind.parse(member.value, member.name, (inner) => parseAt(inner, depth + 1));
  assert(kind.kind === null || query.kind === kind.kind, `[${member.name}] was parsed to a node of kind ${query.kind}`);
  if (query.boost < 0) {
    const reason = `negative [boost] are not allowed in [${member.name}], use a value between 0 and 1 to deboost`;
    throw illegalArgument(reason);
  }
  if (extra) {
    throw parsingException(`[${member.name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`, extra.at);
  }
  return query;
}

/** A query that another node sent. Nothing is trusted: kinds, types and depth are checked. */
export function readQuery(r: ValueReader): Query {
  return readAt(r, 0);
}

/** `readQuery` of a member of a message. */
export function readQueryAt(value: unknown, path: string): Query {
  return readQuery(ValueReader.of(value, path));
}

function readAt(r: ValueReader, depth: number): Query {
  const kind = BY_KIND.get(r.string('kind'));
  if (!kind) return r.refuse('kind', 'a kind of query');
  if (depth > NESTING_MAX + OUTER_LEVELS_MAX) return r.refuse('kind', `a query nested at most ${NESTING_MAX} deep`);
  const readInner: ItemReader<Query> = (value, field) => readAt(ValueReader.of(value, field), depth + 1);
  const query = kind.read(r, readInner);
  assert(query.kind === kind.kind, `a ${kind.kind} was read as a ${query.kind}`);
  return query;
}

/** The query inside another, as one of the union: parsers and readers make no other nodes than the registry's. */
export function asQuery(node: QueryNode): Query {
  assert(isQuery(node), `no query has the kind ${node.kind}`);
  return node;
}

function isQuery(node: QueryNode): node is Query {
  return BY_KIND.has(node.kind);
}

/** Queries directly inside `node`. */
export function innerQueries(node: QueryNode): readonly QueryNode[] {
  const kind = BY_KIND.get(node.kind);
  assert(kind !== undefined, `no query has the kind ${node.kind}`);
  return kind.inner(asQuery(node));
}

function unknownQuery(member: JsonMember): ShoalError {
  const { line, col } = member.value.at;
  const hint = didYouMean(member.name, BY_REQUEST_NAME.keys());
  const cause = new ShoalError(
    'named_object_not_found_exception',
    400,
    `[${line}:${col}] unknown field [${member.name}]`,
  );
  return parsingException(`unknown query [${member.name}]${hint}`, member.value.at, cause);
}
