/**
 * `random_score`: a number of the document's own, the same for the same seed.
 */
import { type JsonNode, javaTextHash, parsingException, tokenName, type ValueReader } from '@shoal/core';
import { readObject, readString } from '../../../members/request-values.ts';
import type { Mutable } from '../../../node/mutable.ts';

export interface RandomFunction {
  readonly kind: 'random';
  /** null: another order each time. */
  readonly seed: number | null;
  /** null: documents are told apart by their ids. */
  readonly field: string | null;
}

export function parseRandom(node: JsonNode, name: string): RandomFunction {
  const result: Mutable<RandomFunction> = { kind: 'random', seed: null, field: null };
  for (const member of readObject(node, name).members) {
    if (member.name === 'seed') result.seed = readSeed(member.value);
    else if (member.name === 'field') result.field = readString(member.value, 'field');
    else throw parsingException(`${name} query does not support [${member.name}]`, member.value.at);
  }
  return result;
}

export function readRandom(r: ValueReader): RandomFunction {
  return { kind: 'random', seed: r.optionalNumber('seed'), field: r.optionalString('field') };
}

/** 32 bits of whatever was given: longer numbers and texts are hashed. */
function readSeed(node: JsonNode): number {
  if (node.kind === 'string') return javaTextHash(node.value);
  const isWhole = node.kind === 'number' && /^-?\d+$/.test(node.text);
  const seed = isWhole ? BigInt(node.text) : null;
  if (seed === null || seed !== BigInt.asIntN(64, seed)) {
    throw parsingException(`random_score seed must be an int, long or string, not '${tokenName(node)}'`, node.at);
  }
  if (seed === BigInt.asIntN(32, seed)) return Number(seed);
  return Number(BigInt.asIntN(32, seed ^ (BigInt.asUintN(64, seed) >> 32n)));
}
