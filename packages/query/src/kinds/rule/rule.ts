/**
 * `rule`: another query, with the documents that the rules of some rulesets put above its matches or leave out of them.
 *
 * Rulesets stand in documents of the cluster. Whoever has the request applies them before it is parsed (`search/phases/ruled-queries`
 * of the coordinator), so that what is left here is malformed, or stands where nothing can be looked up.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { unknownField } from '../../members/content-errors.ts';
import { readNumber, readObject, readString, readStrings } from '../../members/request-values.ts';
import type { ParseInner, QueryAlias } from '../../node/query-kind.ts';

/** Rulesets of one query. */
export const RULESETS_MAX = 10;

function parseRule(node: JsonNode, query: string, parseInner: ParseInner): never {
  let [hasOrganic, hasCriteria] = [false, false];
  let rulesets: readonly string[] | null = null;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (name === 'organic') {
      parseInner(value);
      hasOrganic = true;
    } else if (name === 'match_criteria') hasCriteria = readObject(value, name).members.length > 0;
    else if (name === 'ruleset_ids') rulesets = readStrings(value, name);
    else if (name === 'ruleset_id') rulesets = [readString(value, name)];
    else if (name === 'boost') readNumber(value, name);
    else if (name === '_name') readString(value, name);
    else throw unknownField(query, member);
  }
  if (!hasOrganic) throw illegalArgument('Required [organic]');
  if (rulesets === null || rulesets.length === 0) {
    throw parsingException('rulesetIds must not be null or empty', node.at);
  }
  if (rulesets.length > RULESETS_MAX) {
    throw parsingException(`rulesetIds must not contain more than ${RULESETS_MAX} rulesets`, node.at);
  }
  if (rulesets.includes('')) throw parsingException('rulesetIds must not contain null or empty values', node.at);
  if (!hasCriteria) throw parsingException('matchCriteria must not be null or empty', node.at);
  throw illegalArgument(`[${query}] applies rulesets, which are not looked up in this place by this server`);
}

export const rule: QueryAlias = { kind: null, parse: parseRule };
