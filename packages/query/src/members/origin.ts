/**
 * `origin` of decay functions and of distance_feature: a number, a date or a place.
 */
import type { JsonNode } from '@shoal/core';
import type { QueryValue } from '../node/query-node.ts';
import { readPoint } from './geo-options.ts';
import { readQueryValue } from './request-values.ts';

/** Places that are written as objects and lists become their text: `lat,lon`. */
export function parseOrigin(node: JsonNode): QueryValue {
  if (node.kind !== 'object' && node.kind !== 'array') return readQueryValue(node, 'origin');
  const { lat, lon } = readPoint(node);
  return `${lat},${lon}`;
}
