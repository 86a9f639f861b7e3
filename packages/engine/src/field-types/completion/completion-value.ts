/**
 * Inputs of a `completion` field in a document: texts with a weight each, and the contexts in which they are suggested.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { geohashOf, parsePoint } from '@shoal/geo';
import type { ContextMapping, FieldMapping } from '@shoal/schema';
import { ComposedValue } from '../contract/indexed-value.ts';
import { CONTEXT_END, RESERVED_IN_INPUTS } from './completion-term.ts';

export interface CompletionInput {
  readonly text: string;
  readonly weight: number;
  /** Values of each context of the field, by its position; those that other fields of the document give are added later. */
  readonly contexts: readonly ReadonlySet<string>[];
}

/** Inputs of one value. */
const INPUTS_MAX = 10_000;
/** Contexts of one input. */
const CONTEXT_VALUES_MAX = 10_000;
const WEIGHT_MAX = 0x7fff_ffff;
const MEMBERS = ['input', 'weight', 'contexts'];

export class CompletionValue extends ComposedValue {
  readonly indexed = '';
  /** Value of the document. */
  readonly json: unknown;
  /** Read with their own contexts; those that other fields give are added when the whole document was seen. */
  inputs: readonly CompletionInput[];

  constructor(json: unknown, inputs: readonly CompletionInput[]) {
    super();
    this.json = json;
    this.inputs = inputs;
  }
}

/** @throws ShoalError `illegal_argument_exception` for what is neither a text nor an object of inputs */
export function readCompletion(field: FieldMapping, value: unknown): CompletionValue | null {
  if (typeof value === 'string') return completionOf(value, [inputOf(field, value, 1, noContexts(field))]);
  if (typeof value !== 'object' || value === null) {
    throw new ShoalError(
      'parsing_exception',
      400,
      `failed to parse [${field.path}]: expected text or object, but got ${tokenOf(value)}`,
    );
  }
  const members: Readonly<Record<string, unknown>> = { ...value };
  const unknown = Object.keys(members).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    throw illegalArgument(`unknown field name [${unknown}], must be one of [${MEMBERS.join(', ')}]`);
  }
  const contexts = members.contexts === undefined ? noContexts(field) : contextsOf(field, members.contexts);
  const weight = members.weight === undefined ? 1 : weightOf(members.weight);
  return completionOf(
    value,
    textsOf(members.input).map((text) => inputOf(field, text, weight, contexts)),
  );
}

function completionOf(json: unknown, inputs: readonly CompletionInput[]): CompletionValue | null {
  const filled = inputs.filter(({ text }) => text !== '');
  return filled.length === 0 ? null : new CompletionValue(json, filled);
}

function inputOf(
  field: FieldMapping,
  given: string,
  weight: number,
  contexts: CompletionInput['contexts'],
): CompletionInput {
  checkReserved(given, RESERVED_IN_INPUTS, 'input');
  return { text: shortened(given, field.completion?.maxInputLength ?? given.length), weight, contexts };
}

/** The first `length` units, and none that is half a character. */
function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = /[\ud800-\udbff]/.test(text[length - 1] ?? '') && /[\udc00-\udfff]/.test(text[length] ?? '');
  return text.slice(0, isHalf ? length + 1 : length);
}

function checkReserved(text: string, reserved: readonly string[], what: string): void {
  for (let at = 0; at < text.length; at++) {
    if (!reserved.includes(text[at] as string)) continue;
    const code = text.charCodeAt(at).toString(16);
    throw illegalArgument(
      `Illegal ${what} [${text}] UTF-16 codepoint [0x${code}] at position ${at} is a reserved character`,
    );
  }
}

function textsOf(input: unknown): readonly string[] {
  if (input === undefined) return [];
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) throw illegalArgument(`input must be a string or array, but was [${tokenOf(input)}]`);
  if (input.length > INPUTS_MAX) throw illegalArgument(`input array has more than [${INPUTS_MAX}] values`);
  return input.map((text: unknown) => {
    if (typeof text === 'string') return text;
    throw illegalArgument(`input array must have string values, but was [${tokenOf(text)}]`);
  });
}

function weightOf(value: unknown): number {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber && !(typeof value === 'string' && /^[+-]?\d+$/.test(value))) {
    if (typeof value === 'string') throw illegalArgument(`weight must be an integer, but was [${value}]`);
    throw illegalArgument(`weight must be a number or string, but was [${tokenOf(value)}]`);
  }
  const weight = Number(value);
  if (!Number.isInteger(weight)) throw illegalArgument(`weight must be an integer, but was [${String(value)}]`);
  if (weight >= 0 && weight <= WEIGHT_MAX) return weight;
  throw illegalArgument(`weight must be in the interval [0..${WEIGHT_MAX}], but was [${String(value)}]`);
}

function noContexts(field: FieldMapping): CompletionInput['contexts'] {
  return (field.completion?.contexts ?? []).map(() => new Set<string>());
}

function contextsOf(field: FieldMapping, value: unknown): CompletionInput['contexts'] {
  const mappings = field.completion?.contexts ?? [];
  if (mappings.length === 0) throw illegalArgument(`contexts field is not supported for field: [${field.path}]`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw illegalArgument(`contexts must be an object or an array , but was [${tokenOf(value)}]`);
  }
  const given: Readonly<Record<string, unknown>> = { ...value };
  const names = mappings.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw illegalArgument(`Unknown context name [${unknown}], must be one of [${names.join(', ')}]`);
  }
  return mappings.map((mapping) => {
    const own = given[mapping.name];
    return own === undefined ? new Set<string>() : contextValues(mapping, own);
  });
}

/** Values of one context, from what a document says of it. */
function contextValues(mapping: ContextMapping, value: unknown): ReadonlySet<string> {
  const isList = Array.isArray(value) && !(mapping.type === 'geo' && typeof value[0] === 'number');
  const values: readonly unknown[] = isList ? value : [value];
  if (values.length > CONTEXT_VALUES_MAX) {
    throw illegalArgument(`context [${mapping.name}] has more than [${CONTEXT_VALUES_MAX}] values`);
  }
  return new Set(values.map((one) => (mapping.type === 'geo' ? geoContext(mapping, one) : categoryContext(one))));
}

/** Geohash of a point, in any of the forms that points have. */
export function geoContext({ precision }: ContextMapping, value: unknown): string {
  return geohashOf(parsePoint(value, { ignoresZ: true }), precision);
}

/** @throws ShoalError for lists, objects and null */
export function categoryContext(value: unknown): string {
  if (value === null || typeof value === 'object') {
    const reason = `contexts must be a string, number or boolean or a list of string, number or boolean, but was [${tokenOf(value)}]`;
    throw new ShoalError('parse_exception', 400, reason);
  }
  const text = String(value);
  checkReserved(text, [...RESERVED_IN_INPUTS, CONTEXT_END], 'value');
  return text;
}

function tokenOf(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL';
  if (Array.isArray(value)) return 'START_ARRAY';
  switch (typeof value) {
    case 'string':
      return 'VALUE_STRING';
    case 'boolean':
      return 'VALUE_BOOLEAN';
    case 'object':
      return 'START_OBJECT';
    default:
      return 'VALUE_NUMBER';
  }
}
