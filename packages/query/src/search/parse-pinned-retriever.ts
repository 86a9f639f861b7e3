/**
 * `pinned`: documents that are named, in that order, above the hits of another retriever.
 *
 * They are found by the query `pinned`, whose scores are above all others. `filter` narrows the other retriever alone.
 */
import { illegalArgument, type JsonMember, type JsonNode, type JsonObjectNode } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readInteger, readObject } from '../members/request-values.ts';
import { parseQuery, type Query } from '../registry/query.ts';
import { plainSearch, searchRequest } from './default-request.ts';
import {
  bodyOf,
  CommonMembers,
  checkedFusion,
  type ParsedFusion,
  type ParsePart,
  PLAIN_PART,
  WINDOW_DEFAULT,
  withFilter,
} from './fused-parts.ts';

const MEMBERS: readonly string[] = ['retriever', 'ids', 'docs', 'rank_window_size', 'filter', 'min_score', '_name'];
const NAMING: readonly string[] = ['ids', 'docs'];

export function parsePinnedRetriever(node: JsonNode, parsePart: ParsePart): ParsedFusion {
  const root = readObject(node, 'pinned');
  let windowSize = WINDOW_DEFAULT;
  const common = new CommonMembers();
  let retriever: JsonObjectNode | null = null;
  for (const member of root.members) {
    const { name, value } = member;
    if (name === 'retriever') retriever = readObject(value, name);
    else if (name === 'rank_window_size') windowSize = readInteger(value, name);
    else if (!common.read(member) && !NAMING.includes(name)) throw unknownField('pinned', member, MEMBERS);
  }
  if (retriever === null) throw illegalArgument('Required [retriever]');
  const below = withFilter(parsePart(bodyOf(retriever)), common.filter);
  if (below.request.sort.length > 0) {
    throw illegalArgument('[pinned] retriever only supports sorting by score. Custom sorting is not allowed.');
  }
  const named = plainSearch(searchRequest({ query: namedQuery(root) }));
  const parts = [named, below].map((search) => ({ search, ...PLAIN_PART }));
  const fusion = checkedFusion({ retriever: 'pinned', parts, rule: { kind: 'scores' }, windowSize });
  return { fusion, minScore: common.minScore };
}

/** Query of the named documents alone. @throws illegal_argument_exception for too many, doubled or none */
function namedQuery({ members, at, end }: JsonObjectNode): Query {
  const object = (...inner: readonly JsonMember[]): JsonObjectNode => ({ kind: 'object', at, members: inner, end });
  const named = members.filter(({ name }) => NAMING.includes(name));
  const none = object({ name: 'match_none', value: object(), at });
  return parseQuery(object({ name: 'pinned', value: object(...named, { name: 'organic', value: none, at }), at }));
}
