/**
 * `rescorer`: the best hits of one search, ranked by the scores that further queries give them.
 *
 * Queries are rescored by the shards, which hits of retrievers that fuse others do not come from: those are refused by name.
 */
import { illegalArgument, type JsonNode, type JsonObjectNode } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { parseClauses } from '../members/inner-queries.ts';
import { readNumber, readObject } from '../members/request-values.ts';
import type { QueryNode } from '../node/query-node.ts';
import { parseQuery } from '../registry/query.ts';
import { bodyOf, checkedFusion, type ParsedFusion, type ParsePart, withFilter } from './fused-parts.ts';
import { parseRescore, type Rescore } from './rescore-request.ts';
import type { FusedPart } from './search-request.ts';

const MEMBERS: readonly string[] = ['retriever', 'rescore', 'filter', 'min_score', '_name'];

export function parseRescorer(node: JsonNode, parsePart: ParsePart): ParsedFusion {
  let minScore: number | null = null;
  let filter: readonly QueryNode[] = [];
  let retriever: JsonObjectNode | null = null;
  let rescore: readonly Rescore[] = [];
  for (const member of readObject(node, 'rescorer').members) {
    const { name, value } = member;
    if (name === 'retriever') retriever = readObject(value, name);
    else if (name === 'rescore') rescore = parseRescore(value);
    else if (name === 'filter') filter = parseClauses(value, parseQuery);
    else if (name === 'min_score') minScore = readNumber(value, name);
    // Names of retrievers are told by no answer.
    else if (name !== '_name') throw unknownField('rescorer', member, MEMBERS);
  }
  if (retriever === null) throw illegalArgument('Required [retriever]');
  if (rescore.length === 0) throw illegalArgument('Required [rescore]');
  const part = rescoredPart(retriever, { filter, rescore }, parsePart);
  const windowSize = Math.min(...rescore.map((one) => one.windowSize));
  return {
    fusion: checkedFusion({ retriever: 'rescorer', parts: [part], rule: { kind: 'scores' }, windowSize }),
    minScore,
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
  return { search: { ...rest, request: { ...request, rescore } }, weight: 1, normalizer: 'none' };
}
