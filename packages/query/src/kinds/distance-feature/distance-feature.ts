/**
 * `distance_feature`: documents whose number or date is near an origin score higher.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import { parseOrigin } from '../../members/origin.ts';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue } from '../../node/query-node.ts';

export interface DistanceFeatureQuery extends QueryNode {
  readonly kind: 'distanceFeature';
  readonly field: string;
  readonly origin: QueryValue;
  /** Distance at which the score is half of the boost. */
  readonly pivot: string;
}

function parseDistanceFeature(node: JsonNode, query: string): DistanceFeatureQuery {
  let field: string | null = null;
  let origin: QueryValue = null;
  let pivot: string | null = null;
  let boost = 1;
  let name: string | null = null;
  for (const member of readObject(node, query).members) {
    const { value } = member;
    if (member.name === 'field') field = readString(value, 'field');
    else if (member.name === 'origin') origin = parseOrigin(value);
    else if (member.name === 'pivot') pivot = readString(value, 'pivot');
    else if (member.name === 'boost') boost = readNumber(value, 'boost');
    else if (member.name === '_name') name = readString(value, '_name');
    else throw unsupported(query, member);
  }
  if (field === null || origin === null || pivot === null) {
    throw illegalArgument('Required [field, origin, pivot]');
  }
  return { kind: 'distanceFeature', field, origin, pivot, boost, name };
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
