/**
 * `match_phrase`: documents that hold the terms of an analyzed text in its order; match_phrase_prefix has the same node.
 */
import { illegalArgument, type JsonNode } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import { parseSlop, parseZeroTerms, ZERO_TERMS, type ZeroTerms } from '../../members/full-text-options.ts';
import { checkTokens } from '../../members/member-tokens.ts';
import { readInteger, readNumber, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readCount, readValue, readWhole } from '../../node/query-node.ts';

export interface MatchPhraseQuery extends QueryNode {
  readonly kind: 'matchPhrase' | 'matchPhrasePrefix';
  readonly field: string;
  readonly value: QueryValue;
  readonly slop: number;
  readonly analyzer: string | null;
  readonly zeroTerms: ZeroTerms;
  /** Terms that the last word of a matchPhrasePrefix may stand for. */
  readonly maxExpansions: number;
}

export function matchPhraseKind(kind: MatchPhraseQuery['kind']): QueryKind<MatchPhraseQuery> {
  return {
    kind,
    parse: (node, name) => parseMatchPhrase(node, name, kind),
    read: (r) => ({
      kind,
      field: r.string('field'),
      value: readValue(r, 'value'),
      slop: readCount(r, 'slop'),
      analyzer: r.optionalString('analyzer'),
      zeroTerms: r.oneOf('zeroTerms', ZERO_TERMS),
      maxExpansions: readWhole(r, 'maxExpansions'),
      ...readBase(r),
    }),
    inner: noInner,
  };
}

function parseMatchPhrase(node: JsonNode, query: string, kind: MatchPhraseQuery['kind']): MatchPhraseQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  let slop = 0;
  let analyzer: string | null = null;
  let zeroTerms: ZeroTerms = 'none';
  let maxExpansions = 50;
  if (given.kind !== 'object') value = readQueryValue(given, query);
  else {
    checkTokens(query, given.members);
    for (const member of given.members) {
      if (member.name === 'query') value = readQueryValue(member.value, query);
      else if (member.name === 'slop') slop = parseSlop(member.value);
      else if (member.name === 'analyzer') analyzer = readString(member.value, 'analyzer');
      else if (member.name === 'zero_terms_query') {
        zeroTerms = parseZeroTerms(readString(member.value, member.name), member.value);
      } else if (member.name === 'max_expansions' && kind === 'matchPhrasePrefix') {
        maxExpansions = readInteger(member.value, member.name);
        if (maxExpansions < 0) throw illegalArgument('No negative maxExpansions allowed.');
      } else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else throw unsupported(query, member);
    }
  }
  if (value === null) throw illegalArgument(`[${query}] requires query value`);
  return { kind, field, value, slop, analyzer, zeroTerms, maxExpansions, boost, name };
}

export const matchPhrase: QueryKind<MatchPhraseQuery> = matchPhraseKind('matchPhrase');
