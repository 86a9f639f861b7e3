/**
 * What `null_value` may be, type by type: read as a value of a field that coerces nothing, in the form that is printed.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import type { ParameterRule, ReadScalar } from './parameter-rule.ts';

/** Rule of a `null_value` that is read by its type. */
export function nullValue(read: ReadScalar): ParameterRule {
  return { kind: 'scalar', otherwise: null, change: 'never', read };
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Longer texts are no number that a field could hold. */
const TEXT_MAX = 400;

/** @param name with its article, as errors call it: `a byte` */
export function wholeNullValue(name: string, min: bigint, max: bigint): ParameterRule {
  return nullValue((value) => {
    const text = decimalText(value);
    const whole = /^[+-]?\d+(?:\.0*)?$/.test(text) ? BigInt(text.replace(/^\+|\..*$/g, '')) : wholeOf(text);
    if (whole < min || whole > max) throw illegalArgument(`Value [${text}] is out of range for ${name}`);
    const number = Number(whole);
    return Number.isSafeInteger(number) ? number : whole;
  });
}

function wholeOf(text: string): bigint {
  const number = Number(text);
  if (!Number.isInteger(number)) throw illegalArgument(`Value [${text}] has a decimal part`);
  return BigInt(number);
}

export const FRACTION_NULL_VALUE: ParameterRule = nullValue((value) => Number(decimalText(value)));

export const BOOLEAN_NULL_VALUE: ParameterRule = nullValue((value) => {
  const text = scalarText(value);
  if (text === 'true' || text === 'false') return text === 'true';
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
});

export const TEXT_NULL_VALUE: ParameterRule = nullValue(scalarText);

function decimalText(value: unknown): string {
  const text = scalarText(value);
  if (text.length <= TEXT_MAX && DECIMAL.test(text)) return text;
  throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function scalarText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
