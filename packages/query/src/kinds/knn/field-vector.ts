/**
 * The query `knn` as OpenSearch writes it: `{FIELD: {"vector": […], "k": …}}`.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ValueReader,
} from '@shoal/core';
import { unknownField } from '../../members/content-errors.ts';
import { parseClauses } from '../../members/inner-queries.ts';
import { readInteger, readNumber, readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner } from '../../node/query-kind.ts';
import type { QueryNode } from '../../node/query-node.ts';
import { CANDIDATES_MAX, readVector } from './vector-members.ts';

/** How near documents are at least: by their scores, or by the distance of their vectors. */
export interface NearnessLimit {
  readonly kind: 'score' | 'distance';
  readonly value: number;
}

interface FieldVector {
  readonly field: string;
  readonly vector: readonly number[];
  /** Documents of each shard that match. */
  readonly perShard: number;
  readonly filter: readonly QueryNode[];
  readonly similarity: null;
  readonly limit: NearnessLimit | null;
  readonly boost: number;
  readonly name: string | null;
}

/** Members of the query that Elasticsearch's form has instead of a field. */
const OTHER_FORM: ReadonlySet<string> = new Set(['field', 'query_vector', 'query_vector_builder', 'num_candidates']);
const MEMBERS: readonly string[] = ['vector', 'k', 'filter', 'min_score', 'max_distance', 'method_parameters', 'boost'];

/** null for a query in the form of Elasticsearch. */
export function parseFieldVector(node: JsonNode, name: string, parseInner: ParseInner): FieldVector | null {
  const { members } = readObject(node, name);
  if (members.length === 0 || members.some(({ name: key, value }) => OTHER_FORM.has(key) && value.kind !== 'object')) {
    return null;
  }
  const [field, another] = members.filter(({ name: key }) => key !== 'boost' && key !== '_name');
  if (another !== undefined)
    throw parsingException(`[${name}] query does not support [${another.name}]`, another.value.at);
  if (field?.value.kind !== 'object') return null;
  const outer: Mutable<Pick<FieldVector, 'boost' | 'name'>> = { boost: 1, name: null };
  for (const { name: key, value } of members) {
    if (key === 'boost') outer.boost = readNumber(value, key);
    else if (key === '_name') outer.name = readString(value, key);
  }
  const inner = readFieldMembers(field.value, name, parseInner);
  return { field: field.name, similarity: null, ...inner, name: outer.name, boost: inner.boost * outer.boost };
}

type FieldMembers = Pick<FieldVector, 'vector' | 'perShard' | 'filter' | 'limit' | 'boost'>;

function readFieldMembers(node: JsonObjectNode, where: string, parseInner: ParseInner): FieldMembers {
  let vector: readonly number[] | null = null;
  let k: number | null = null;
  const limits: NearnessLimit[] = [];
  const given: Mutable<Pick<FieldVector, 'filter' | 'boost'>> = { filter: [], boost: 1 };
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'vector') vector = readVector(value);
    else if (name === 'k') k = readInteger(value, name);
    else if (name === 'filter') given.filter = parseClauses(value, parseInner);
    else if (name === 'min_score') limits.push({ kind: 'score', value: readNumber(value, name) });
    else if (name === 'max_distance') limits.push({ kind: 'distance', value: readNumber(value, name) });
    else if (name === 'boost') given.boost = readNumber(value, name);
    else if (name === 'method_parameters') checkMethodParameters(member);
    else throw unknownField(where, member, MEMBERS);
  }
  if (vector === null || vector.length === 0) throw illegalArgument('[knn] requires query vector');
  const [limit = null] = limits;
  if ((k === null ? 0 : 1) + limits.length !== 1) {
    throw illegalArgument('[knn] requires exactly one of k, distance or score to be set');
  }
  if (k !== null && (k < 1 || k > CANDIDATES_MAX)) {
    throw illegalArgument(`[knn] requires k to be in the range (0, ${CANDIDATES_MAX}]`);
  }
  return { vector, perShard: k ?? CANDIDATES_MAX, limit, ...given };
}

/** They say how many vectors a search passes by, and none is passed by here. */
function checkMethodParameters({ value }: JsonMember): void {
  const { members } = readObject(value, 'method_parameters');
  const unknown = members.find(({ name }) => name !== 'ef_search' && name !== 'nprobes');
  if (unknown !== undefined) throw illegalArgument(`unknown method parameter found [${unknown.name}]`);
}

export function readNearnessLimit(value: unknown, path: string): NearnessLimit {
  const r = ValueReader.of(value, path);
  return { kind: r.oneOf('kind', ['score', 'distance']), value: r.number('value') };
}
