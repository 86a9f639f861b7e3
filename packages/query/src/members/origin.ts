/**
 * `origin` of decay functions and of distance_feature: a number or a date.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import type { QueryValue } from '../node/query-node.ts';
import { readQueryValue } from './request-values.ts';

/** Positions on the earth are written as objects and lists, and refused. */
export function parseOrigin(node: JsonNode): QueryValue {
  if (node.kind === 'object' || node.kind === 'array') {
    throw illegalArgument('decay functions of geographical places are not supported by this server');
  }
  return readQueryValue(node, 'origin');
}
