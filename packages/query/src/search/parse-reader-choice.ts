/**
 * `pit` and `slice` of a search: which reader it uses, and which part of its documents.
 */
import { illegalArgument, type JsonNode, parsingException, tokenName } from '@shoal/core';
import { parseTimeout, readInteger, readString } from '../members/request-values.ts';
import type { PointInTimeChoice, Slice } from './search-request.ts';

export function parsePointInTime(node: JsonNode): PointInTimeChoice {
  if (node.kind !== 'object') throw parsingException(`[pit] expects an object but found [${tokenName(node)}]`, node.at);
  let id: string | null = null;
  let keepAliveMs: number | null = null;
  for (const { name, value } of node.members) {
    if (name === 'id') id = readString(value, 'id');
    else if (name === 'keep_alive') keepAliveMs = parseTimeout(readString(value, 'keep_alive'), 'keep_alive');
    else throw parsingException(`[pit] unknown field [${name}]`, value.at);
  }
  if (id === null || id === '') throw illegalArgument('Required [id]');
  return { id, keepAliveMs };
}

export function parseSlice(node: JsonNode): Slice {
  if (node.kind !== 'object')
    throw parsingException(`[slice] expects an object but found [${tokenName(node)}]`, node.at);
  let id: number | null = null;
  let max: number | null = null;
  for (const { name, value } of node.members) {
    if (name === 'id') id = readInteger(value, 'id');
    else if (name === 'max') max = readInteger(value, 'max');
    // Which field the parts are cut by changes nothing of what parts are for.
    else if (name !== 'field') throw parsingException(`[slice] unknown field [${name}]`, value.at);
  }
  if (id === null || max === null) throw illegalArgument('Required [id, max]');
  if (id < 0) throw illegalArgument('id must be greater than or equal to 0');
  if (max <= 1) throw illegalArgument('max must be greater than 1');
  if (id >= max) throw illegalArgument('max must be greater than id');
  return { id, max };
}
