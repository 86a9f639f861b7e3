/**
 * Results of scripts as values of documents: one, a list of several, or none.
 */
import { ShoalError } from '@shoal/core';
import { itemsOrNull } from '../library/items-of.ts';
import { JavaDateTime } from '../time/instants.ts';
import { JavaArray } from '../values/java-map.ts';
import { numberType, rawNumber } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';

const INTERNAL = 500;

/** Values that a result stands for; null has none. */
export function resultValues(result: unknown): readonly unknown[] {
  if (result === null || result === undefined) return [];
  return itemsOrNull(result) ?? [result];
}

/** Number of a value: of a date its instant in milliseconds, of a boolean 0 or 1. @throws ShoalError (500) for any other value */
export function resultNumber(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof JavaDateTime) return value.ms;
  if (isNumber(value)) return Number(rawNumber(value));
  const reason = `Unsupported script value [${textOf(value)}], expected a number, date, or boolean`;
  throw new ShoalError('aggregation_execution_exception', INTERNAL, reason);
}

/** A number and nothing that stands for one. @throws ShoalError (500) for any other value */
export function castNumber(value: unknown): number {
  if (isNumber(value)) return Number(rawNumber(value));
  if (value === null) throw new ShoalError('null_pointer_exception', INTERNAL, 'the script gave null for a number');
  const [from, to] = [classOf(value), 'java.lang.Number'];
  const modules = `${from} and ${to} are in module java.base of loader 'bootstrap'`;
  throw new ShoalError('class_cast_exception', INTERNAL, `class ${from} cannot be cast to class ${to} (${modules})`);
}

function isNumber(value: unknown): boolean {
  const type = numberType(value);
  return type !== null && type !== 'char';
}

/** The number that a value is; null for any other value. */
export function scriptNumber(value: unknown): number | null {
  return isNumber(value) ? Number(rawNumber(value)) : null;
}

/** An array of doubles for a script. */
export function doublesOf(values: readonly number[]): JavaArray {
  return new JavaArray('double', [...values]);
}
