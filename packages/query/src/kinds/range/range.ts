/**
 * `range`: documents with a value of a field between two ends.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import { readBoolean, readNumber, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue } from '../../node/query-node.ts';

export interface RangeQuery extends QueryNode {
  readonly kind: 'range';
  readonly field: string;
  /** null: open on this side. */
  readonly from: QueryValue;
  readonly includesFrom: boolean;
  /** null: open on this side. */
  readonly to: QueryValue;
  readonly includesTo: boolean;
  /** Date format of the ends; null: that of the field. */
  readonly format: string | null;
  readonly timeZone: string | null;
  /** How the ranges that a field of ranges holds lie to this one; other fields have no use for it. */
  readonly relation: RangeRelation;
}

/** `within`: inside the range of the query; `contains`: all around it; `intersects`: with a value in common. */
export type RangeRelation = 'intersects' | 'within' | 'contains';

const RELATIONS: readonly RangeRelation[] = ['intersects', 'within', 'contains'];

function parseRange(node: JsonNode, query: string): RangeQuery {
  const { field, value: given, boost, name } = readFieldMember(node, query);
  if (given.kind !== 'object') throw parsingException(`[range] query does not support [${field}]`, given.at);
  const range: Mutable<RangeQuery> = {
    kind: 'range',
    field,
    from: null,
    includesFrom: true,
    to: null,
    includesTo: true,
    format: null,
    timeZone: null,
    relation: 'intersects',
    boost,
    name,
  };
  for (const member of given.members) parseRangeMember(range, member, query);
  return range;
}

function parseRangeMember(range: Mutable<RangeQuery>, member: JsonMember, query: string): void {
  const { name, value } = member;
  switch (name) {
    case 'gte':
    case 'gt':
    case 'from':
      range.from = readQueryValue(value, query);
      if (name !== 'from') range.includesFrom = name === 'gte';
      break;
    case 'lte':
    case 'lt':
    case 'to':
      range.to = readQueryValue(value, query);
      if (name !== 'to') range.includesTo = name === 'lte';
      break;
    case 'include_lower':
      range.includesFrom = readBoolean(value, name);
      break;
    case 'include_upper':
      range.includesTo = readBoolean(value, name);
      break;
    case 'boost':
      range.boost = readNumber(value, name);
      break;
    case '_name':
      range.name = readString(value, name);
      break;
    case 'format':
      range.format = readString(value, name);
      break;
    case 'time_zone':
      range.timeZone = readString(value, name);
      break;
    case 'relation':
      range.relation = parseRelation(readString(value, name));
      break;
    default:
      throw unsupported(query, member);
  }
}

function parseRelation(text: string): RangeRelation {
  const relation = text.toLowerCase();
  const found = RELATIONS.find((name) => name === relation);
  if (found !== undefined) return found;
  if (relation === 'disjoint') throw illegalArgument('[range] query does not support relation [disjoint]');
  throw illegalArgument(`${text} is not a valid relation`);
}

export const range: QueryKind<RangeQuery> = {
  kind: 'range',
  parse: parseRange,
  read: (r) => ({
    kind: 'range',
    field: r.string('field'),
    from: readValue(r, 'from'),
    includesFrom: r.boolean('includesFrom'),
    to: readValue(r, 'to'),
    includesTo: r.boolean('includesTo'),
    format: r.optionalString('format'),
    timeZone: r.optionalString('timeZone'),
    relation: r.oneOf('relation', RELATIONS),
    ...readBase(r),
  }),
  inner: noInner,
};
