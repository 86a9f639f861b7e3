/**
 * `multi_match`: one text looked for in several fields.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException } from '@shoal/core';
import { type BoostedField, parseBoostedField, readBoostedFields } from '../../members/boosted-fields.ts';
import {
  type FullTextOptions,
  fullTextDefaults,
  parseFullTextOption,
  parseSlop,
  readFullTextOptions,
} from '../../members/full-text-options.ts';
import { checkTokens } from '../../members/member-tokens.ts';
import { MULTI_MATCH_TYPES, type MultiMatchType, readMultiMatchType } from '../../members/multi-match-type.ts';
import {
  readNumber,
  readObject,
  readQueryValue,
  readString,
  readStrings,
  unsupported,
} from '../../members/request-values.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, type QueryValue, readBase, readCount, readValue } from '../../node/query-node.ts';

export interface MultiMatchQuery extends QueryNode, FullTextOptions {
  readonly kind: 'multiMatch';
  readonly value: QueryValue;
  /** Empty: the index's default fields. */
  readonly fields: readonly BoostedField[];
  readonly type: MultiMatchType;
  /** null: the default of `type`. */
  readonly tieBreaker: number | null;
  readonly slop: number;
}

function parseMultiMatch(node: JsonNode, query: string): MultiMatchQuery {
  const options = fullTextDefaults();
  const rest = {
    value: null as QueryValue,
    fields: [] as readonly BoostedField[],
    type: 'best_fields' as MultiMatchType,
    tieBreaker: null as number | null,
    slop: 0,
    boost: 1,
    name: null as string | null,
  };
  const { members } = readObject(node, query);
  let cutoff: JsonMember | null = null;
  checkTokens(query, members, ['fields']);
  for (const member of members) {
    if (member.name === 'query') rest.value = readQueryValue(member.value, query);
    else if (member.name === 'fields' && !isEmptyHolder(member.value))
      rest.fields = readStrings(member.value, 'fields').map(parseBoostedField);
    else if (member.name === 'type') rest.type = readMultiMatchType(member.value);
    else if (member.name === 'tie_breaker') rest.tieBreaker = readNumber(member.value, member.name);
    else if (member.name === 'slop') rest.slop = parseSlop(member.value);
    else if (member.name === 'boost') rest.boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') rest.name = readString(member.value, '_name');
    else if (member.name === 'cutoff_frequency') cutoff = member;
    else if (!parseFullTextOption(options, member)) throw unsupported(query, member);
  }
  if (options.prefixLength < 0) throw illegalArgument('No negative prefix length allowed.');
  if (options.maxExpansions <= 0) throw illegalArgument('Max expansions must be strictly great than zero.');
  if (rest.value === null) throw parsingException('No text specified for multi_match query', node.at);
  if (options.fuzziness !== null && ['cross_fields', 'phrase', 'phrase_prefix'].includes(rest.type)) {
    throw parsingException(`Fuzziness not allowed for type [${rest.type}]`, node.at);
  }
  if (rest.slop !== 0 && rest.type === 'bool_prefix') {
    throw parsingException('[slop] not allowed for type [bool_prefix]', node.at);
  }
  if (cutoff !== null) {
    if (rest.type !== 'bool_prefix') throw unsupported(query, cutoff);
    throw parsingException('[cutoff_frequency] not allowed for type [bool_prefix]', node.at);
  }
  return { kind: 'multiMatch', ...options, ...rest };
}

/** What stands for no fields, and is none of the ways to name them. */
function isEmptyHolder({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'null';
}

export const multiMatch: QueryKind<MultiMatchQuery> = {
  kind: 'multiMatch',
  parse: parseMultiMatch,
  read: (r) => ({
    kind: 'multiMatch',
    ...readFullTextOptions(r),
    value: readValue(r, 'value'),
    fields: readBoostedFields(r, 'fields'),
    type: r.oneOf('type', MULTI_MATCH_TYPES),
    tieBreaker: r.optionalNumber('tieBreaker'),
    slop: readCount(r, 'slop'),
    ...readBase(r),
  }),
  inner: noInner,
};
