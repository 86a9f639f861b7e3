/**
 * `common`: a text whose rare words say which documents match, and whose common words only add to their scores.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { OPERATORS, type Operator } from '../../members/full-text-options.ts';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface CommonQuery extends QueryNode {
  readonly kind: 'common';
  readonly field: string;
  readonly value: string;
  /** null: the search analyzer of the field. */
  readonly analyzer: string | null;
  /** Documents that a rare word may be in: a share of the shard's, or their number from 1 on. */
  readonly cutoffFrequency: number;
  readonly rareOperator: Operator;
  readonly commonOperator: Operator;
  /** `minimum_should_match` of the rare words; null when not given. */
  readonly rareMinimum: string | null;
  /** `minimum_should_match` of the common words; null when not given. */
  readonly commonMinimum: string | null;
}

const CUTOFF_DEFAULT = 0.01;

type Draft = Omit<Mutable<CommonQuery>, 'value'> & { value: string | null };

function parseCommon(node: JsonNode, query: string): CommonQuery {
  const [member, extra] = readObject(node, query).members;
  if (!member) throw illegalArgument('field name is null or empty');
  const draft: Draft = {
    kind: 'common',
    field: member.name,
    value: null,
    analyzer: null,
    cutoffFrequency: Math.fround(CUTOFF_DEFAULT),
    rareOperator: 'or',
    commonOperator: 'or',
    rareMinimum: null,
    commonMinimum: null,
    boost: 1,
    name: null,
  };
  if (member.value.kind === 'object') for (const option of member.value.members) parseOption(draft, option, query);
  else if (member.value.kind !== 'null') draft.value = readString(member.value, query);
  if (extra) {
    const found = `found [${member.name}] and [${extra.name}]`;
    throw parsingException(`[${query}] query doesn't support multiple fields, ${found}`, extra.at);
  }
  const { value } = draft;
  if (value === null) throw illegalArgument('text cannot be null');
  return { ...draft, value };
}

function parseOption(draft: Draft, member: JsonMember, query: string): void {
  const { name, value } = member;
  if (name === 'minimum_should_match' && value.kind === 'object') parseMinimum(draft, value.members, query);
  else if (value.kind === 'object' || value.kind === 'array') throw unsupported(query, member);
  else if (name === 'query') draft.value = readString(value, name);
  else if (name === 'analyzer') draft.analyzer = readString(value, name);
  else if (name === 'low_freq_operator') draft.rareOperator = operatorOf(readString(value, name));
  else if (name === 'high_freq_operator') draft.commonOperator = operatorOf(readString(value, name));
  else if (name === 'minimum_should_match') draft.rareMinimum = readString(value, name);
  else if (name === 'cutoff_frequency') draft.cutoffFrequency = Math.fround(readNumber(value, name));
  else if (name === 'boost') draft.boost = readNumber(value, name);
  else if (name === '_name') draft.name = readString(value, name);
  else throw unsupported(query, member);
}

function parseMinimum(draft: Draft, members: readonly JsonMember[], query: string): void {
  for (const { name, value } of members) {
    if (name === 'low_freq') draft.rareMinimum = readString(value, name);
    else if (name === 'high_freq') draft.commonMinimum = readString(value, name);
    else {
      throw parsingException(`[${query}] query does not support [${name}] for [minimum_should_match]`, value.at);
    }
  }
}

function operatorOf(text: string): Operator {
  const found = OPERATORS.find((operator) => operator === text.toLowerCase());
  if (found !== undefined) return found;
  throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`);
}

export const common: QueryKind<CommonQuery> = {
  kind: 'common',
  parse: parseCommon,
  read: (r) => ({
    kind: 'common',
    field: r.string('field'),
    value: r.string('value'),
    analyzer: r.optionalString('analyzer'),
    cutoffFrequency: r.number('cutoffFrequency'),
    rareOperator: r.oneOf('rareOperator', OPERATORS),
    commonOperator: r.oneOf('commonOperator', OPERATORS),
    rareMinimum: r.optionalString('rareMinimum'),
    commonMinimum: r.optionalString('commonMinimum'),
    ...readBase(r),
  }),
  inner: noInner,
};
