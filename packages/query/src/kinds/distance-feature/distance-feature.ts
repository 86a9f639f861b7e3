/**
 * `distance_feature`: documents whose number or date is near an origin score higher.
 */
import type { JsonNode } from '@shoal/core';
import { type NodeKinds, STRINGS } from '../../members/content-errors.ts';
import { baseFields, type DeclaredFields, readFields } from '../../members/declared-fields.ts';
import { parseOrigin } from '../../members/origin.ts';
import { readObject, readString } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue } from '../../node/query-node.ts';

export interface DistanceFeatureQuery extends QueryNode {
  readonly kind: 'distanceFeature';
  readonly field: string;
  readonly origin: QueryValue;
  /** Distance at which the score is half of the boost. */
  readonly pivot: string;
}

const ORIGINS: NodeKinds = ['string', 'number', 'array', 'object'];

function parseDistanceFeature(node: JsonNode, query: string): DistanceFeatureQuery {
  const parsed: Mutable<DistanceFeatureQuery> = {
    kind: 'distanceFeature',
    field: '',
    origin: null,
    pivot: '',
    boost: 1,
    name: null,
  };
  const fields: DeclaredFields = {
    field: { kinds: STRINGS, read: (value, name) => (parsed.field = readString(value, name)) },
    origin: { kinds: ORIGINS, read: (value) => (parsed.origin = parseOrigin(value)) },
    pivot: { kinds: STRINGS, read: (value, name) => (parsed.pivot = readString(value, name)) },
    ...baseFields(parsed),
  };
  readFields(readObject(node, query), query, fields, ['field', 'origin', 'pivot']);
  return parsed;
}

export const distanceFeature: QueryKind<DistanceFeatureQuery> = {
  kind: 'distanceFeature',
  parse: parseDistanceFeature,
  read: (r) => ({
    kind: 'distanceFeature',
    field: r.string('field'),
    origin: readValue(r, 'origin'),
    pivot: r.string('pivot'),
    ...readBase(r),
  }),
  inner: noInner,
};
