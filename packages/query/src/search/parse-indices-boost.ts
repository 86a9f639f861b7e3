/**
 * `indices_boost`: factors on the scores of some indices, as a list of single members or as one object.
 */
import { type JsonMember, type JsonNode, parsingException, tokenName } from '@shoal/core';
import { readNumber } from '../members/request-values.ts';
import type { IndexBoost } from './search-request.ts';

export function parseIndicesBoost(node: JsonNode): IndexBoost[] {
  if (node.kind === 'object') return node.members.map(indexBoost);
  if (node.kind !== 'array') {
    throw parsingException(
      `Expected [START_OBJECT] or [START_ARRAY] in [indices_boost] but found [${tokenName(node)}]`,
      node.at,
    );
  }
  return node.items.map((item) => {
    const member = item.kind === 'object' ? item.members[0] : undefined;
    if (item.kind !== 'object' || member === undefined || item.members.length > 1) {
      throw parsingException(
        `Expected [START_OBJECT] with one index in [indices_boost] but found [${tokenName(item)}]`,
        item.at,
      );
    }
    return indexBoost(member);
  });
}

function indexBoost({ name, value }: JsonMember): IndexBoost {
  return { pattern: name, boost: readNumber(value, name) };
}
