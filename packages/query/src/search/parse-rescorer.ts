/**
 * `rescorer`: the best hits of one search, ranked by the scores that further queries give them.
 *
 * Queries are rescored by the shards, which hits of retrievers that fuse others do not come from: those are refused by name.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readObject } from '../members/request-values.ts';
import type { QueryNode } from '../node/query-node.ts';
import {
  bodyOf,
  CommonMembers,
  checkedFusion,
  type ParsedFusion,
  type ParsePart,
  PLAIN_PART,
  withFilter,
} from './fused-parts.ts';
import { parseRescore, type Rescore } from './rescore-request.ts';
import type { FusedPart } from './search-request.ts';

const MEMBERS: readonly string[] = ['retriever', 'rescore', 'filter', 'min_score', '_name'];

export function parseRescorer(node: JsonNode, parsePart: ParsePart): ParsedFusion {
  const common = new CommonMembers();
  let retriever: JsonObjectNode | null = null;
  let rescore: readonly Rescore[] = [];
  for (const member of readObject(node, 'rescorer').members) {
    const { name, value } = member;
    if (name === 'retriever') retriever = readObject(value, name);
    else if (name === 'rescore') rescore = parseRescore(value);
    else if (!common.read(member)) throw unknownField('rescorer', member, MEMBERS);
  }
  if (retriever === null) throw illegalArgument('Required [retriever]');
  if (rescore.length === 0) throw illegalArgument('Required [rescore]');
  const part = rescoredPart(retriever, { filter: common.filter, rescore }, parsePart);
  const windowSize = Math.min(...rescore.map((one) => one.windowSize));
  return {
    fusion: checkedFusion({ retriever: 'rescorer', parts: [part], rule: { kind: 'scores' }, windowSize }),
    minScore: common.minScore,
  };
}

function rescoredPart(
  retriever: JsonObjectNode,
  { filter, rescore }: { readonly filter: readonly QueryNode[]; readonly rescore: readonly Rescore[] },
  parsePart: ParsePart,
): FusedPart {
  const { request, ...rest } = withFilter(parsePart(bodyOf(retriever)), filter);
  if (rest.fusion !== null) {
    throw illegalArgument('[rescorer] of a retriever that has others is not supported by this server');
  }
  if (request.collapse !== null) throw illegalArgument('cannot use `collapse` in conjunction with `rescore`');
  return { search: { ...rest, request: { ...request, rescore } }, ...PLAIN_PART };
}
