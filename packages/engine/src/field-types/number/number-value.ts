/**
 * Numbers of a document's values: JSON numbers, and texts where the field coerces.
 */
import { illegalArgument, javaFloatText } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import type { WholeRange } from '../contract/field-type.ts';
import { narrow } from './number-ranges.ts';

/** Longest decimal text that is read as a number: exponents beyond are out of any range. */
const NUMBER_TEXT_MAX = 400;

/** What reading a number asks of its field; `kind` is the type of number. */
export type NumberField = Pick<FieldMapping, 'kind' | 'coerce'>;

/** Number, or decimal text of one; null for an empty text. */
function numberText(field: NumberField, value: unknown): string | number | bigint | null {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') {
    throw illegalArgument(
      `Current token (VALUE_${value ? 'TRUE' : 'FALSE'}) not numeric, can not use numeric value accessors`,
    );
  }
  const text = String(value);
  if (!field.coerce)
    throw illegalArgument(`${field.kind.charAt(0).toUpperCase()}${field.kind.slice(1)} value passed as String`);
  if (text === '') return null;
  const trimmed = text.trim();
  if (trimmed.length > NUMBER_TEXT_MAX || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) {
    throw illegalArgument(text.trim() === '' ? 'empty String' : `For input string: "${text}"`);
  }
  return trimmed;
}

/** Refuses a number that is none in the field's width. */
export function checkFinite({ kind }: Pick<NumberField, 'kind'>, number: number, given: number): void {
  if (Number.isFinite(number)) return;
  const single = Math.fround(given);
  throw illegalArgument(
    `[${kind}] supports only finite values, but got [${Number.isFinite(single) ? javaFloatText(single) : single}]`,
  );
}

/** Floating point number as `round` narrows it; null for an empty text. */
export function fractionValue(field: NumberField, value: unknown, round: (value: number) => number): number | null {
  const text = numberText(field, value);
  if (text === null) return null;
  const number = round(Number(text));
  checkFinite(field, number, Number(text));
  return number;
}

/** Whole number within a range; null for an empty text. */
export function wholeValue(field: NumberField, value: unknown, range: WholeRange): number | bigint | null {
  const text = numberText(field, value);
  if (text === null) return null;
  const exact = exactWhole(field, text);
  if (exact < range.min || exact > range.max) {
    throw illegalArgument(
      `Value [${String(value)}] is out of range for ${field.kind === 'integer' ? 'an' : 'a'} ${field.kind}`,
    );
  }
  return narrow(exact);
}

function exactWhole(field: NumberField, text: string | number | bigint): bigint {
  if (typeof text === 'bigint') return text;
  if (typeof text === 'string' && /^[+-]?\d+$/.test(text)) return BigInt(text.replace('+', ''));
  const number = Number(text);
  if (!Number.isFinite(number)) throw illegalArgument(`Value [${text}] is out of range for a ${field.kind}`);
  const whole = Math.trunc(number);
  if (whole !== number && !field.coerce) throw illegalArgument(`Value [${text}] has a decimal part`);
  // A text such as `9223372036854775806.5` has more digits than a double: its whole part is taken as written.
  const plain = typeof text === 'string' ? /^([+-]?\d+)\.\d*$/.exec(text) : null;
  return plain === null ? BigInt(whole) : BigInt((plain[1] ?? '0').replace('+', ''));
}
