/**
 * `type` of multi_match and query_string: how the scores of several fields become one.
 */
import { type JsonNode, ShoalError } from '@shoal/core';
import { readString } from './request-values.ts';

export const MULTI_MATCH_TYPES = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
] as const;

export type MultiMatchType = (typeof MULTI_MATCH_TYPES)[number];

export function readMultiMatchType(node: JsonNode): MultiMatchType {
  const text = readString(node, 'type');
  const lower = text.toLowerCase();
  const type = lower === 'boolean' ? 'best_fields' : MULTI_MATCH_TYPES.find((name) => name === lower);
  if (type !== undefined) return type;
  throw new ShoalError('parse_exception', 400, `failed to parse [multi_match] query type [${text}]. unknown type.`);
}
