/**
 * `rrf`: hits of several searches, ranked by the places that they have in each (reciprocal rank fusion).
 *
 * A document has the score Σ weight / (rank_constant + place) over the searches that found it among their first `rank_window_size`.
 *
 * @see Cormack, Clarke & Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (2009)
 */
import { illegalArgument, type JsonMember, type JsonNode, type JsonObjectNode, parsingException } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readInteger, readNumber, readObject } from '../members/request-values.ts';
import type { Mutable } from '../node/mutable.ts';
import {
  bodyOf,
  CommonMembers,
  checkedFusion,
  notValid,
  type ParsedFusion,
  type ParsePart,
  PLAIN_PART,
  partsOf,
  WINDOW_DEFAULT,
  withFilter,
} from './fused-parts.ts';
import type { FusedPart, ParsedSearch, RankFusion } from './search-request.ts';

const RANK_CONSTANT_DEFAULT = 60;

const MEMBERS: readonly string[] = ['retrievers', 'rank_constant', 'rank_window_size', 'filter', 'min_score', '_name'];
const WEIGHTED: readonly string[] = ['retriever', 'weight'];

/** How places are ranked. */
interface FusedPlaces {
  readonly rankConstant: number;
  readonly windowSize: number;
}

/** `rrf` as a retriever. */
export function parseRankFusion(node: JsonNode, parsePart: ParsePart): ParsedFusion {
  const places = { rankConstant: RANK_CONSTANT_DEFAULT, windowSize: WINDOW_DEFAULT };
  const common = new CommonMembers();
  let parts: readonly FusedPart[] | null = null;
  for (const member of readObject(node, 'rrf').members) {
    if (member.name === 'retrievers') parts = parseParts(member.value, parsePart);
    else if (!common.read(member) && !readPlaces(places, member)) throw unknownField('rrf', member, MEMBERS);
  }
  if (parts === null) throw illegalArgument('Required [retrievers]');
  const narrowed = parts.map((part) => ({ ...part, search: withFilter(part.search, common.filter) }));
  return { fusion: checkedRanks({ parts: narrowed, ...places }), minScore: common.minScore };
}

/** `rank` of a search: its query and its searches for vectors as parts of a fusion; null where it is empty. */
export function parseRank(value: JsonNode, parts: readonly ParsedSearch[]): RankFusion {
  const [kind] = readObject(value, 'rank').members;
  if (kind === undefined) throw parsingException('[rank] is empty', value.at);
  if (kind.name !== 'rrf') throw parsingException(`unknown field [${kind.name}]`, kind.value.at);
  const places = { rankConstant: RANK_CONSTANT_DEFAULT, windowSize: WINDOW_DEFAULT };
  for (const member of readObject(kind.value, 'rrf').members) {
    if (!readPlaces(places, member)) throw unknownField('rrf', member, ['rank_constant', 'rank_window_size']);
  }
  if (parts.length < 2) {
    throw notValid(
      '[rank] requires a minimum of [2] result sets using a combination of sub searches and/or knn searches',
    );
  }
  return checkedRanks({ parts: parts.map((search) => ({ search, ...PLAIN_PART })), ...places });
}

/** The fusion of ranks with the constant that was read. */
function checkedRanks({ parts, rankConstant, windowSize }: FusedPlaces & Pick<RankFusion, 'parts'>): RankFusion {
  if (rankConstant < 1) throw illegalArgument('[rank_constant] must be greater or equal to [1] for [rrf]');
  return checkedFusion({ retriever: 'rrf', parts, rule: { kind: 'places', rankConstant }, windowSize });
}

/** Reads how places are ranked. @returns false for another member */
function readPlaces(places: Mutable<FusedPlaces>, { name, value }: JsonMember): boolean {
  if (name === 'rank_constant') places.rankConstant = readInteger(value, name);
  else if (name === 'rank_window_size' || name === 'window_size') places.windowSize = readInteger(value, name);
  else return false;
  return true;
}

function parseParts(value: JsonNode, parsePart: ParsePart): readonly FusedPart[] {
  return partsOf(value, 'rrf').map((item) => {
    const entry = readObject(item, 'retriever');
    const isWeighted = entry.members.some(({ name }) => name === 'retriever');
    if (!isWeighted) return { search: parsePart(bodyOf(entry)), ...PLAIN_PART };
    return parseWeighted(entry, parsePart);
  });
}

function parseWeighted(entry: JsonObjectNode, parsePart: ParsePart): FusedPart {
  let weight = 1;
  let search: ParsedSearch | null = null;
  for (const member of entry.members) {
    if (member.name === 'weight') weight = readNumber(member.value, member.name);
    else if (member.name === 'retriever') search = parsePart(bodyOf(readObject(member.value, member.name)));
    else throw unknownField('rrf_component', member, WEIGHTED);
  }
  if (weight < 0) throw illegalArgument('[weight] must be non-negative');
  if (search === null) throw illegalArgument('Required [retriever]');
  return { search, ...PLAIN_PART, weight };
}
