/**
 * `retriever` of a search: one way to find hits, in place of the members of the body that say how.
 *
 * Those that rank the hits of others by a model are refused by name.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  type ShoalError,
} from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { parseClauses } from '../members/inner-queries.ts';
import { readObject } from '../members/request-values.ts';
import type { QueryNode } from '../node/query-node.ts';
import { parseQuery } from '../registry/query.ts';
import type { RankFusion } from './search-request.ts';

/** What a retriever stands for. */
export type Retriever =
  | {
      readonly kind: 'standard';
      /** Members as a body has them. */
      readonly members: readonly JsonMember[];
      /** What all hits must match beside. */
      readonly filter: readonly QueryNode[];
    }
  | { readonly kind: 'knn'; readonly node: JsonNode }
  | FusingRetriever;

/** A retriever whose hits are ranked when those of others are known. */
export interface FusingRetriever {
  readonly kind: RankFusion['retriever'];
  readonly node: JsonNode;
}

/** Members of a body that say how hits are found. */
const INSTEAD: readonly string[] = [
  'query',
  'knn',
  'search_after',
  'terminate_after',
  'sort',
  'rescore',
  'min_score',
  'collapse',
];
const STANDARD: ReadonlySet<string> = new Set([
  'query',
  'search_after',
  'terminate_after',
  'sort',
  'min_score',
  'collapse',
]);
const RULE_REQUIRED: readonly string[] = ['retriever', 'ruleset_ids', 'match_criteria'];
const RULE: readonly string[] = [...RULE_REQUIRED, 'rank_window_size', 'filter', 'min_score', '_name'];
/** Known to Elasticsearch, not built here. */
const NOT_SUPPORTED: ReadonlySet<string> = new Set(['random_reranker', 'text_similarity_reranker']);

/** null for an empty object. @param body whose other members must not say how hits are found */
export function parseRetriever(value: JsonNode, body: JsonObjectNode): Retriever | null {
  const { members } = readObject(value, 'retriever');
  const [retriever, another] = members;
  if (retriever === undefined) return null;
  if (another !== undefined) {
    throw parsingException(
      `[retriever] expected one retriever but found [${another.name}] beside it`,
      another.value.at,
    );
  }
  const beside = body.members.filter(({ name }) => INSTEAD.includes(name)).map(({ name }) => name);
  if (beside.length > 0) throw illegalArgument(`cannot specify [retriever] and [${beside.join(', ')}]`);
  if (retriever.name === 'standard') return parseStandard(retriever.value);
  const { name, value: node } = retriever;
  switch (name) {
    case 'knn':
    case 'rrf':
    case 'linear':
    case 'rescorer':
    case 'pinned':
      return { kind: name, node };
    default:
      throw notARetriever(retriever);
  }
}

function notARetriever({ name, value }: JsonMember): ShoalError {
  if (name === 'rule') return malformedRule(value);
  if (NOT_SUPPORTED.has(name)) return illegalArgument(`the retriever [${name}] is not supported by this server`);
  return parsingException(`unknown retriever [${name}]`, value.at);
}

function parseStandard(node: JsonNode): Retriever {
  const { members } = readObject(node, 'standard');
  const own: JsonMember[] = [];
  let filter: readonly QueryNode[] = [];
  for (const member of members) {
    if (STANDARD.has(member.name)) own.push(member);
    else if (member.name === 'filter') filter = parseClauses(member.value, parseQuery);
    else throw unknownField('standard', member, [...STANDARD, 'filter']);
  }
  return { kind: 'standard', members: own, filter };
}

/**
 * What is wrong with a retriever of rules. Whoever has the request puts the retriever that it stands for in its place before it
 * is parsed (`search/phases/ruled-queries` of the coordinator), so that what is left here is malformed.
 */
function malformedRule(node: JsonNode): ShoalError {
  const { members } = readObject(node, 'rule');
  const unknown = members.find(({ name }) => !RULE.includes(name));
  if (unknown !== undefined) return unknownField('rule', unknown, RULE);
  const missing = RULE_REQUIRED.find((wanted) => !members.some(({ name }) => name === wanted));
  if (missing !== undefined) return illegalArgument(`Required [${missing}]`);
  return illegalArgument('[rule] needs a retriever, match_criteria that are not empty, and one to ten ruleset_ids');
}
