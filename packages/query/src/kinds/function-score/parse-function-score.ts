/**
 * function_score of request JSON.
 */
import { illegalArgument, type JsonMember, type JsonNode, parsingException, ShoalError } from '@shoal/core';
import { parseOrigin } from '../../members/origin.ts';
import { readNumber, readObject, readQueryValue, readString, unsupported } from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner } from '../../node/query-kind.ts';
import type { QueryValue } from '../../node/query-node.ts';
import { MATCH_ALL } from '../match-all/match-all.ts';
import {
  BOOST_MODES,
  type DecayCurve,
  type DecayFunction,
  type FieldValueFunction,
  FUNCTIONS_MAX,
  type FunctionScoreQuery,
  MODIFIERS,
  type RandomFunction,
  SCORE_MODES,
  VALUE_MODES,
  type ValueMode,
  type WeighedFunction,
} from './function-score-tree.ts';

type ScoreParser = (node: JsonNode, name: string) => WeighedFunction['score'];

const SCORE_PARSERS: ReadonlyMap<string, ScoreParser> = new Map<string, ScoreParser>([
  ['field_value_factor', parseFieldValue],
  ['random_score', parseRandom],
  ['gauss', parseDecay],
  ['exp', parseDecay],
  ['linear', parseDecay],
  ['script_score', refuseScript],
]);

function oneOf<T extends string>(known: readonly T[], text: string, what: string): T {
  const found = known.find((name) => name === text.toLowerCase());
  if (found === undefined) throw illegalArgument(`illegal ${what} [${text}]`);
  return found;
}

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
  let list: readonly WeighedFunction[] | null = null;
  for (const member of readObject(node, query).members) {
    const { name, value } = member;
    if (name === 'functions') {
      list = parseFunctions(value, parseInner);
    } else if (name === 'weight' || SCORE_PARSERS.has(name)) {
      single ??= { score: { kind: 'constant' }, filter: null, weight: null };
      parseFunctionMember(single, member);
    } else if (name === 'query') result.query = parseInner(value);
    else parseFunctionScoreOption(result, member, query);
    if (list !== null && single !== null) {
      throw parsingException(
        `failed to parse [function_score] query. already found [functions] array, now encountering [${name}].`,
        member.at,
      );
    }
  }
  if (single !== null) result.functions = [single];
  else if (list !== null) result.functions = list;
  return result;
}

function parseFunctionScoreOption(result: Mutable<FunctionScoreQuery>, member: JsonMember, query: string): void {
  const { name, value } = member;
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
      throw unsupported(query, member);
  }
}

function parseFunctions(node: JsonNode, parseInner: ParseInner): WeighedFunction[] {
  if (node.kind !== 'array') throw parsingException('[function_score] query does not support [functions]', node.at);
  if (node.items.length > FUNCTIONS_MAX) throw illegalArgument(`more than ${FUNCTIONS_MAX} functions in one query`);
  return node.items.map((item) => {
    const one: Mutable<WeighedFunction> = { score: { kind: 'constant' }, filter: null, weight: null };
    for (const member of readObject(item, 'function_score').members) {
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

function parseFunctionMember(one: Mutable<WeighedFunction>, member: JsonMember): void {
  const { name, value } = member;
  if (name === 'weight') {
    one.weight = readNumber(value, name);
    if (one.weight < 0) throw illegalArgument(`[weight] cannot be negative for a filtering function`);
    return;
  }
  const parser = SCORE_PARSERS.get(name);
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

function refuseScript(): never {
  throw illegalArgument('[script_score] is not supported by this server');
}

function parseFieldValue(node: JsonNode, name: string): FieldValueFunction {
  const result: Mutable<FieldValueFunction> = {
    kind: 'fieldValue',
    field: '',
    factor: 1,
    modifier: 'none',
    missing: null,
  };
  for (const member of readObject(node, name).members) {
    const { value } = member;
    if (member.name === 'field') result.field = readString(value, 'field');
    else if (member.name === 'factor') result.factor = readNumber(value, 'factor');
    else if (member.name === 'modifier') result.modifier = oneOf(MODIFIERS, readString(value, 'modifier'), 'modifier');
    else if (member.name === 'missing') result.missing = readNumber(value, 'missing');
    else throw unsupported(name, member);
  }
  if (result.field === '') throw parsingException("[field_value_factor] required field 'field' missing", node.at);
  return result;
}

function parseRandom(node: JsonNode, name: string): RandomFunction {
  const result: Mutable<RandomFunction> = { kind: 'random', seed: null, field: null };
  for (const member of readObject(node, name).members) {
    if (member.name === 'seed') result.seed = readString(member.value, 'seed');
    else if (member.name === 'field') result.field = readString(member.value, 'field');
    else throw unsupported(name, member);
  }
  return result;
}

function parseDecay(node: JsonNode, name: string): DecayFunction {
  const curve: DecayCurve = name === 'gauss' ? 'gauss' : name === 'exp' ? 'exp' : 'linear';
  let field: string | null = null;
  let mode: ValueMode = 'min';
  const parts = { origin: null as QueryValue, scale: null as QueryValue, offset: null as QueryValue, decay: 0.5 };
  for (const member of readObject(node, name).members) {
    if (member.name === 'multi_value_mode') {
      mode = oneOf(VALUE_MODES, readString(member.value, member.name), 'multi_value_mode');
    } else if (field === null) {
      field = member.name;
      for (const part of readObject(member.value, name).members) {
        if (part.name === 'origin') parts.origin = parseOrigin(part.value);
        else if (part.name === 'scale') parts.scale = readQueryValue(part.value, name);
        else if (part.name === 'offset') parts.offset = readQueryValue(part.value, name);
        else if (part.name === 'decay') parts.decay = readNumber(part.value, 'decay');
        else throw unsupported(name, part);
      }
    } else throw parsingException(`malformed score function score parameters.`, member.at);
  }
  if (field === null) throw parsingException('malformed score function score parameters.', node.at);
  if (parts.scale === null) throw parsingException('[scale] must be set for a decay function.', node.at);
  if (parts.decay <= 0 || parts.decay >= 1) {
    throw illegalArgument('[decay] must be set in the range (0..1).');
  }
  return { kind: 'decay', curve, field, mode, ...parts };
}
