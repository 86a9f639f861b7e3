/**
 * Members that the query `knn` and the part `knn` of a search have in common.
 */
import { illegalArgument, type JsonMember, type JsonNode } from '@shoal/core';
import { NUMBERS, readField, STRINGS, unknownField } from '../../members/content-errors.ts';
import { parseClauses } from '../../members/inner-queries.ts';
import { readInteger, readNumber, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner } from '../../node/query-kind.ts';
import type { QueryNode } from '../../node/query-node.ts';

/** Vectors of a shard that may be looked at for one search. */
export const CANDIDATES_MAX = 10_000;
/** Numbers of a vector of a request: as many as the largest field has. */
export const NUMBERS_MAX = 4096;
/** Candidates for each vector that is wanted, where a request does not say how many there are. */
const CANDIDATES_PER_WANTED = 1.5;

export interface VectorMembers {
  readonly field: string;
  readonly vector: readonly number[];
  /** Nearest documents that are wanted; null when not given. */
  readonly k: number | null;
  /** Documents of each shard that are looked at; null when not given. */
  readonly candidates: number | null;
  /** What the documents must match. */
  readonly filter: readonly QueryNode[];
  /** Least similarity; null: any. */
  readonly similarity: number | null;
  readonly boost: number;
  readonly name: string | null;
}

const MEMBERS: readonly string[] = [
  'field',
  'query_vector',
  'k',
  'num_candidates',
  'filter',
  'similarity',
  'boost',
  '_name',
];
/** Known to Elasticsearch, not built here. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['query_vector_builder', 'rescore_vector', 'inner_hits']);

export function parseVectorMembers(node: JsonNode, where: string, parseInner: ParseInner): VectorMembers {
  const given: Mutable<Partial<VectorMembers>> = {};
  const root = readObject(node, where);
  for (const member of root.members) readMember(given, member, where, parseInner);
  const { field, vector, k = null, candidates = null } = given;
  if (field === undefined) throw illegalArgument('Required [field]');
  if (vector === undefined) {
    throw illegalArgument('either [query_vector_builder] or [query_vector] must be provided');
  }
  checkCounts(k, candidates);
  return {
    field,
    vector,
    k,
    candidates,
    filter: given.filter ?? [],
    similarity: given.similarity ?? null,
    boost: given.boost ?? 1,
    name: given.name ?? null,
  };
}

function readMember(
  given: Mutable<Partial<VectorMembers>>,
  member: JsonMember,
  where: string,
  parseInner: ParseInner,
): void {
  const { name, value } = member;
  if (name === 'field') given.field = readField(where, member, () => readString(value, name), STRINGS);
  else if (name === 'query_vector') given.vector = readField(where, member, () => readVector(value), ['array']);
  else if (name === 'k') given.k = readField(where, member, () => readInteger(value, name), NUMBERS);
  else if (name === 'num_candidates')
    given.candidates = readField(where, member, () => readInteger(value, name), NUMBERS);
  else if (name === 'filter')
    given.filter = readField(where, member, () => parseClauses(value, parseInner), ['object', 'array']);
  else if (name === 'similarity') given.similarity = readField(where, member, () => readNumber(value, name), NUMBERS);
  else if (name === 'boost') given.boost = readField(where, member, () => readNumber(value, name), NUMBERS);
  else if (name === '_name') given.name = readField(where, member, () => readString(value, name), STRINGS);
  else if (NOT_SUPPORTED.has(name)) throw illegalArgument(`[${name}] of [${where}] is not supported by this server`);
  else throw unknownField(where, member, MEMBERS);
}

export function readVector(node: JsonNode): readonly number[] {
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > NUMBERS_MAX) {
    throw illegalArgument(`a vector of [${items.length}] numbers is longer than the limit of [${NUMBERS_MAX}]`);
  }
  return items.map((item) => readNumber(item, 'query_vector'));
}

function checkCounts(k: number | null, candidates: number | null): void {
  if (k !== null && k < 1) throw illegalArgument('[k] must be greater than 0');
  if (candidates !== null && candidates < 1) throw illegalArgument('[num_candidates] must be greater than 0');
  if (candidates !== null && candidates > CANDIDATES_MAX) {
    throw illegalArgument(`[num_candidates] cannot exceed [${CANDIDATES_MAX}]`);
  }
  if (k !== null && candidates !== null && candidates < k) {
    throw illegalArgument('[num_candidates] cannot be less than [k]');
  }
}

/** Candidates of a search for so many documents that does not say how many to look at. */
export function defaultCandidates(wanted: number): number {
  return Math.min(Math.round(CANDIDATES_PER_WANTED * wanted), CANDIDATES_MAX);
}
