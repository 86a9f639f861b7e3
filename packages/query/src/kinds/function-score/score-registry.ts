/**
 * Functions of a function_score: by their names in requests, and by the kinds of their nodes in messages.
 */
import type { JsonNode, ValueReader } from '@shoal/core';
import { type ConstantFunction, readConstant } from './functions/constant.ts';
import { type DecayFunction, parseDecay, readDecay } from './functions/decay.ts';
import { type FieldValueFunction, parseFieldValue, readFieldValue } from './functions/field-value.ts';
import { parseRandom, type RandomFunction, readRandom } from './functions/random.ts';
import { parseScriptFunction, readScriptFunction, type ScriptFunction } from './functions/script.ts';

export type ScoreNode = FieldValueFunction | RandomFunction | DecayFunction | ConstantFunction | ScriptFunction;

type ScoreParser = (node: JsonNode, name: string) => ScoreNode;

const PARSERS: ReadonlyMap<string, ScoreParser> = new Map<string, ScoreParser>([
  ['field_value_factor', parseFieldValue],
  ['random_score', parseRandom],
  ['gauss', parseDecay],
  ['exp', parseDecay],
  ['linear', parseDecay],
  ['script_score', parseScriptFunction],
]);

/** A kind of node without a reader does not compile. */
const READERS: { readonly [K in ScoreNode['kind']]: (r: ValueReader) => Extract<ScoreNode, { kind: K }> } = {
  constant: readConstant,
  decay: readDecay,
  fieldValue: readFieldValue,
  random: readRandom,
  script: readScriptFunction,
};
const READERS_BY_KIND: ReadonlyMap<string, (r: ValueReader) => ScoreNode> = new Map(Object.entries(READERS));

/** The parser of a function's name; null when there is no such function. */
export function scoreParser(name: string): ScoreParser | null {
  return PARSERS.get(name) ?? null;
}

export function readScore(r: ValueReader): ScoreNode {
  const read = READERS_BY_KIND.get(r.string('kind'));
  return read ? read(r) : r.refuse('kind', 'a kind of score function');
}
