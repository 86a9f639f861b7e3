/**
 * function_score of request JSON.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, ShoalError, tokenName } from '@shoal/core';
import { oneOf } from '../../members/one-of.ts';
import { readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner } from '../../node/query-kind.ts';
import { MATCH_ALL } from '../match-all/match-all.ts';
import {
  BOOST_MODES,
  FUNCTIONS_MAX,
  type FunctionScoreQuery,
  SCORE_MODES,
  type WeighedFunction,
} from './function-score-tree.ts';
import { scoreParser } from './score-registry.ts';

export function parseFunctionScore(node: JsonNode, query: string, parseInner: ParseInner): FunctionScoreQuery {
  const result: Mutable<FunctionScoreQuery> = {
    kind: 'functionScore',
    query: MATCH_ALL,
    functions: [],
    scoreMode: 'multiply',
    boostMode: 'multiply',
    maxBoost: null,
    minScore: null,
    boost: 1,
    name: null,
  };
  let single: Mutable<WeighedFunction> | null = null;
  let singleName = '';
  let list: readonly WeighedFunction[] | null = null;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (name === 'functions') {
      list = parseFunctions(value, parseInner);
    } else if (name === 'weight' || scoreParser(name) !== null) {
      singleName = name;
      single ??= { score: { kind: 'constant' }, filter: null, weight: null };
      parseFunctionMember(single, member);
    } else if (name === 'query') result.query = parseInner(value);
    else if (!parseFunctionScoreOption(result, member)) {
      throw list === null ? notSupported(query, member) : misplaced('functions] array', member);
    }
    if (list !== null && single !== null)
      throw misplaced(name === 'functions' ? `${singleName}]` : 'functions] array', member);
  }
  if (single !== null) result.functions = [single];
  else if (list !== null) result.functions = list;
  return result;
}

/** 400: functions stand in one place only. @param found what was read before, with the bracket that ends its name */
function misplaced(found: string, { name, at }: JsonMember): Error {
  return parsingException(
    `failed to parse [function_score] query. [you can either define [functions] array or a single function, not both. already found [${found}, now encountering [${name}].]`,
    at,
  );
}

function notSupported(query: string, member: JsonMember): Error {
  const { name, value } = member;
  if (value.kind === 'object') return unsupported(query, member);
  const what = value.kind === 'array' ? 'array' : 'field';
  return parsingException(`failed to parse [${query}] query. ${what} [${name}] is not supported`, value.at);
}

/** @returns false for what is no option */
function parseFunctionScoreOption(result: Mutable<FunctionScoreQuery>, { name, value }: JsonMember): boolean {
  switch (name) {
    case 'score_mode':
      result.scoreMode = oneOf(SCORE_MODES, readString(value, name), 'score_mode');
      break;
    case 'boost_mode':
      result.boostMode = oneOf(BOOST_MODES, readString(value, name), 'boost_mode');
      break;
    case 'max_boost':
      result.maxBoost = readNumber(value, name);
      break;
    case 'min_score':
      result.minScore = readNumber(value, name);
      break;
    case 'boost':
      result.boost = readNumber(value, name);
      break;
    case '_name':
      result.name = readString(value, name);
      break;
    default:
      return false;
  }
  return true;
}

function parseFunctions(node: JsonNode, parseInner: ParseInner): WeighedFunction[] {
  if (node.kind !== 'array') throw parsingException('[function_score] query does not support [functions]', node.at);
  if (node.items.length > FUNCTIONS_MAX) throw illegalArgument(`more than ${FUNCTIONS_MAX} functions in one query`);
  return node.items.map((item) => {
    const one: Mutable<WeighedFunction> = { score: { kind: 'constant' }, filter: null, weight: null };
    if (item.kind !== 'object') throw noFunction(item);
    for (const member of item.members) {
      if (member.name === 'filter') one.filter = parseInner(member.value);
      else parseFunctionMember(one, member);
    }
    if (one.score.kind === 'constant' && one.weight === null) {
      throw parsingException(
        'failed to parse function_score query. an entry in functions list is missing a function.',
        item.at,
      );
    }
    return one;
  });
}

/** 400: what stands in the list is no object. */
function noFunction(node: JsonNode): Error {
  const expected = `malformed query, expected a [${tokenName(node)}] while parsing functions`;
  return parsingException(`failed to parse [START_OBJECT]. ${expected} but got a [function_score] instead`, node.at);
}

function parseFunctionMember(one: Mutable<WeighedFunction>, member: JsonMember): void {
  const { name, value } = member;
  if (name === 'weight') {
    one.weight = readNumber(value, name);
    if (one.weight < 0) throw illegalArgument(`[weight] cannot be negative for a filtering function`);
    return;
  }
  if (value.kind !== 'object') throw notSupported('function_score', member);
  const parser = scoreParser(name);
  if (!parser) throw unknownFunction(member);
  if (one.score.kind !== 'constant') {
    throw parsingException(
      `failed to parse function_score functions. already found [${one.score.kind}], now encountering [${name}].`,
      member.at,
    );
  }
  one.score = parser(value, name);
}

function unknownFunction({ name, value }: JsonMember): Error {
  const { line, col } = value.at;
  const cause = new ShoalError('named_object_not_found_exception', 400, `[${line}:${col}] unknown field [${name}]`);
  return parsingException(`no score function is registered for [${name}]`, value.at, cause);
}
