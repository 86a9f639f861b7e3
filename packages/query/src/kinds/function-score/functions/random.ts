/**
 * `random_score`: a number of the document's own, the same for the same seed.
 */
import type { JsonNode, ValueReader } from '@shoal/core';
import { readObject, readString, unsupported } from '../../../members/request-values.ts';
import type { Mutable } from '../../../node/mutable.ts';

export interface RandomFunction {
  readonly kind: 'random';
  /** null: another order each time. */
  readonly seed: string | null;
  /** null: documents are told apart by their sequence numbers. */
  readonly field: string | null;
}

export function parseRandom(node: JsonNode, name: string): RandomFunction {
  const result: Mutable<RandomFunction> = { kind: 'random', seed: null, field: null };
  for (const member of readObject(node, name).members) {
    if (member.name === 'seed') result.seed = readString(member.value, 'seed');
    else if (member.name === 'field') result.field = readString(member.value, 'field');
    else throw unsupported(name, member);
  }
  return result;
}

export function readRandom(r: ValueReader): RandomFunction {
  return { kind: 'random', seed: r.optionalString('seed'), field: r.optionalString('field') };
}
