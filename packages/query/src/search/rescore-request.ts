/**
 * `rescore`: a second query that changes the scores of the best hits of each shard.
 */
import {
  type ItemReader,
  illegalArgument,
  type JsonMember,
  type JsonNode,
  parsingException,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { NUMBERS, OBJECTS, readField, STRINGS, unknownField } from '../members/content-errors.ts';
import { readInteger, readNumber, readString } from '../members/request-values.ts';
import { parseQuery, type Query, readQuery } from '../registry/query.ts';

const MODES = ['total', 'multiply', 'avg', 'max', 'min'] as const;

export type RescoreMode = (typeof MODES)[number];

export interface Rescore {
  /** Best hits of a shard that are rescored. */
  readonly windowSize: number;
  readonly query: Query;
  readonly queryWeight: number;
  readonly rescoreQueryWeight: number;
  readonly scoreMode: RescoreMode;
}

const QUERY_MEMBERS: readonly string[] = ['rescore_query', 'query_weight', 'rescore_query_weight', 'score_mode'];
const WINDOW_DEFAULT = 10;
/** Rescores of one request. */
export const RESCORES_MAX = 32;

export function parseRescore(node: JsonNode): readonly Rescore[] {
  const items = node.kind === 'array' ? node.items : [node];
  if (items.length > RESCORES_MAX) throw illegalArgument(`more than ${RESCORES_MAX} [rescore]`);
  return items.map(oneRescore);
}

function membersOf(node: JsonNode, what: string): readonly JsonMember[] {
  if (node.kind === 'object') return node.members;
  throw parsingException(`[${what}] expects an object but found [${tokenName(node)}]`, node.at);
}

function oneRescore(node: JsonNode): Rescore {
  let windowSize = WINDOW_DEFAULT;
  let rescore: Omit<Rescore, 'windowSize'> | null = null;
  for (const { name, value } of membersOf(node, 'rescore')) {
    if (name === 'window_size') windowSize = readInteger(value, name);
    else if (name === 'query') rescore = queryRescore(value);
    else if (value.kind === 'object') {
      throw parsingException(`rescore doesn't support rescorer with name [${name}]`, value.at);
    } else throw parsingException(`rescore doesn't support [${name}]`, value.at);
  }
  if (rescore === null) throw parsingException('missing rescore type', node.kind === 'object' ? node.end : node.at);
  if (windowSize < 0) throw illegalArgument(`[window_size] must not be negative, found [${windowSize}]`);
  return { windowSize, ...rescore };
}

function queryRescore(node: JsonNode): Omit<Rescore, 'windowSize'> {
  let query: Query | null = null;
  let queryWeight = 1;
  let rescoreQueryWeight = 1;
  let scoreMode: RescoreMode = 'total';
  for (const member of membersOf(node, 'query')) {
    const { name, value } = member;
    if (name === 'rescore_query') query = readField('query', member, () => parseQuery(value), OBJECTS);
    else if (name === 'query_weight') queryWeight = readField('query', member, () => readNumber(value, name), NUMBERS);
    else if (name === 'rescore_query_weight')
      rescoreQueryWeight = readField('query', member, () => readNumber(value, name), NUMBERS);
    else if (name === 'score_mode')
      scoreMode = readField('query', member, () => rescoreMode(readString(value, name)), STRINGS);
    else throw unknownField('query', member, QUERY_MEMBERS);
  }
  if (query === null) throw illegalArgument('Required [rescore_query]');
  return { query, queryWeight, rescoreQueryWeight, scoreMode };
}

function rescoreMode(name: string): RescoreMode {
  const lower = name.toLowerCase();
  switch (lower) {
    case 'total':
    case 'multiply':
    case 'avg':
    case 'max':
    case 'min':
      return lower;
    default:
      throw illegalArgument(`illegal score_mode [${name}]`);
  }
}

export const readRescore: ItemReader<Rescore> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    // A request may say 1e30: more than any index allows, and refused there.
    windowSize: r.number('windowSize'),
    query: readQuery(r.object('query')),
    queryWeight: r.number('queryWeight'),
    rescoreQueryWeight: r.number('rescoreQueryWeight'),
    scoreMode: r.oneOf('scoreMode', MODES),
  };
};
