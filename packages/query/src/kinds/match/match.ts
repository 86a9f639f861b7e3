/**
 * `match`: documents that hold the terms of an analyzed text; match_bool_prefix has the same node.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { readFieldMember } from '../../members/field-member.ts';
import {
  checkFuzzyLimits,
  type FullTextOptions,
  fullTextDefaults,
  parseFullTextOption,
  readFullTextOptions,
} from '../../members/full-text-options.ts';
import { checkTokens } from '../../members/member-tokens.ts';
import { readNumber, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readValue } from '../../node/query-node.ts';

export interface MatchQuery extends QueryNode, FullTextOptions {
  readonly kind: 'match' | 'matchBoolPrefix';
  readonly field: string;
  readonly value: QueryValue;
}

export function matchKind(kind: MatchQuery['kind']): QueryKind<MatchQuery> {
  return {
    kind,
    parse: (node, name) => parseMatch(node, name, kind),
    read: (r) => ({
      kind,
      field: r.string('field'),
      value: readValue(r, 'value'),
      ...readFullTextOptions(r),
      ...readBase(r),
    }),
    inner: noInner,
  };
}

function parseMatch(node: JsonNode, query: string, kind: MatchQuery['kind']): MatchQuery {
  const { field, value: given, boost: outerBoost, name: outerName } = readFieldMember(node, query);
  const options = fullTextDefaults();
  let value: QueryValue = null;
  let boost = outerBoost;
  let name = outerName;
  if (given.kind !== 'object') value = readQueryValue(given, query);
  else {
    checkTokens(query, given.members);
    for (const member of given.members) {
      if (member.name === 'query') value = readQueryValue(member.value, query);
      else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
      else if (member.name === '_name') name = readString(member.value, '_name');
      else if (isOfMatchAlone(member.name) && kind === 'matchBoolPrefix') throw unsupported(query, member);
      else if (!parseFullTextOption(options, member)) throw unsupported(query, member);
    }
  }
  checkFuzzyLimits(query, options);
  if (value === null) {
    if (query === 'match') throw parsingException('No text specified for text query', node.at);
    throw illegalArgument(`[${query}] requires query value`);
  }
  return { kind, field, value, ...options, boost, name };
}

/** Options that match_bool_prefix lacks. */
function isOfMatchAlone(name: string): boolean {
  return name === 'lenient' || name === 'zero_terms_query' || name === 'auto_generate_synonyms_phrase_query';
}

export const match: QueryKind<MatchQuery> = matchKind('match');
