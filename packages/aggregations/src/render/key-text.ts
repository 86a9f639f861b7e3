/**
 * Keys of buckets as text, for results that name buckets by their keys.
 */
import { DoubleNumber } from '@shoal/core';
import { type ValueFormat, valuePrinter } from '../values/value-format.ts';

/** @param isDouble numbers without a format are printed as Java prints a double */
export function keyText(key: unknown, format: ValueFormat, isDouble: boolean): string {
  if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return '';
  const printer = valuePrinter(format);
  const text = printer.text(key);
  if (text !== null) return text;
  return isDouble ? String(new DoubleNumber(Number(key))) : String(printer.shown(key, 'text'));
}
