/**
 * `field_value_factor`: a number of the document, through a factor and a modifier.
 */
import { type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import { oneOf } from '../../../members/one-of.ts';
import { readNumber, readObject, readString, unsupported } from '../../../members/request-values.ts';
import type { Mutable } from '../../../node/mutable.ts';

const MODIFIERS = ['none', 'log', 'log1p', 'log2p', 'ln', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal'] as const;
export type ValueModifier = (typeof MODIFIERS)[number];

export interface FieldValueFunction {
  readonly kind: 'fieldValue';
  readonly field: string;
  readonly factor: number;
  readonly modifier: ValueModifier;
  /** null: a document without a value is an error. */
  readonly missing: number | null;
}

export function parseFieldValue(node: JsonNode, name: string): FieldValueFunction {
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

export function readFieldValue(r: ValueReader): FieldValueFunction {
  return {
    kind: 'fieldValue',
    field: r.string('field'),
    factor: r.number('factor'),
    modifier: r.oneOf('modifier', MODIFIERS),
    missing: r.optionalNumber('missing'),
  };
}
