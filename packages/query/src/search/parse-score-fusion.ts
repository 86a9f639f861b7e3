/**
 * `linear`: hits of several searches, ranked by the sums of the scores that they have in each.
 *
 * A document has the score Σ weight · normalized(score) over the searches that found it among their first `rank_window_size`.
 * `query` and `fields`, which stand for a search of each group of fields, are refused by name.
 */
import { illegalArgument, type JsonMember, type JsonNode, type JsonObjectNode } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readInteger, readNumber, readObject, readString } from '../members/request-values.ts';
import {
  bodyOf,
  CommonMembers,
  checkedFusion,
  type ParsedFusion,
  type ParsePart,
  partsOf,
  WINDOW_DEFAULT,
  withFilter,
} from './fused-parts.ts';
import type { FusedPart, ParsedSearch, ScoreNormalizer } from './search-request.ts';

const MEMBERS: readonly string[] = ['retrievers', 'normalizer', 'rank_window_size', 'filter', 'min_score', '_name'];
const COMPONENT: readonly string[] = ['retriever', 'weight', 'normalizer'];
/** Known to Elasticsearch, not built here. */
const NOT_SUPPORTED: readonly string[] = ['query', 'fields'];

/** A part whose normalizer may be left to the retriever around it. */
type LinearPart = Omit<FusedPart, 'normalizer'> & { readonly normalizer: ScoreNormalizer | null };

export function parseScoreFusion(node: JsonNode, parsePart: ParsePart): ParsedFusion {
  let windowSize = WINDOW_DEFAULT;
  const common = new CommonMembers();
  let normalizerOfAll: ScoreNormalizer = 'none';
  let parts: readonly LinearPart[] | null = null;
  for (const member of readObject(node, 'linear').members) {
    const { name, value } = member;
    if (name === 'retrievers') parts = parseParts(value, parsePart);
    else if (name === 'rank_window_size') windowSize = readInteger(value, name);
    else if (name === 'normalizer') normalizerOfAll = readNormalizer(member);
    else if (name === 'min_score') common.minScore = notNegative(member);
    else if (NOT_SUPPORTED.includes(name))
      throw illegalArgument(`[${name}] of [linear] is not supported by this server`);
    else if (!common.read(member)) throw unknownField('linear', member, MEMBERS);
  }
  if (parts === null || parts.length === 0) throw illegalArgument('Required [retrievers]');
  const narrowed = parts.map(({ search, weight, normalizer }) => {
    return { search: withFilter(search, common.filter), weight, normalizer: normalizer ?? normalizerOfAll };
  });
  return {
    fusion: checkedFusion({ retriever: 'linear', parts: narrowed, rule: { kind: 'scores' }, windowSize }),
    minScore: common.minScore,
  };
}

function parseParts(value: JsonNode, parsePart: ParsePart): readonly LinearPart[] {
  return partsOf(value, 'linear').map((item) => parseComponent(readObject(item, 'retrievers'), parsePart));
}

function parseComponent(entry: JsonObjectNode, parsePart: ParsePart): LinearPart {
  let weight = 1;
  let normalizer: ScoreNormalizer | null = null;
  let search: ParsedSearch | null = null;
  for (const member of entry.members) {
    const { name, value } = member;
    if (name === 'retriever') search = parsePart(bodyOf(readObject(value, name)));
    else if (name === 'weight') weight = notNegative(member);
    else if (name === 'normalizer') normalizer = readNormalizer(member);
    else throw unknownField('linear_component', member, COMPONENT);
  }
  if (search === null) throw illegalArgument('Required [retriever]');
  return { search, weight, normalizer };
}

function notNegative({ name, value }: JsonMember): number {
  const number = readNumber(value, name);
  if (number < 0) throw illegalArgument(`[${name}] must be non-negative`);
  return number;
}

function readNormalizer({ name, value }: JsonMember): ScoreNormalizer {
  const text = readString(value, name);
  switch (text) {
    case 'none':
    case 'minmax':
    case 'l2_norm':
      return text;
    default:
      throw illegalArgument(`Unknown normalizer [${text}]`);
  }
}
