/**
 * Declaration of the range types: a value is an object of up to two ends, or a network for addresses.
 */
import { javaDoubleText, javaFloatText } from '@shoal/core';
import { dateFormatter } from '../../dates/date-formats.ts';
import { asObject, own } from '../../declaration/json-object.ts';
import type { DeclaredType, FieldSettings, SourceValue } from '../contract/declared-type.ts';
import { NO_SETTINGS } from '../contract/declared-type.ts';
import { COMMON_PARAMETERS, flag, indexFlag, type ParameterTable } from '../contract/parameter-rule.ts';
import { DATE } from '../date/date.ts';

/** Smallest and largest value of a type, as texts, and its values as texts. */
interface PrintedEnds {
  readonly min: string;
  readonly max: string;
  readonly print: (value: unknown, settings: FieldSettings) => string;
}

const PARAMETERS: ParameterTable = new Map([
  ...COMMON_PARAMETERS,
  ['doc_values', flag(true)],
  ['coerce', indexFlag(true)],
]);

function rangeType(ends: PrintedEnds): DeclaredType {
  return {
    parameters: PARAMETERS,
    isWhole: (value) => !Array.isArray(value),
    check: () => {},
    settings: () => NO_SETTINGS,
    storedValue: (value, settings) => printedRange(ends, value, settings),
  };
}

/** `[1 : 20)`; the ends as the document gives them. */
function printedRange(ends: PrintedEnds, value: SourceValue, settings: FieldSettings): string {
  const json = asObject(value);
  if (json === null) return String(value);
  const { gt = null, gte = null, lt = null, lte = null } = json;
  const print = (end: unknown, otherwise: string): string => (end === null ? otherwise : ends.print(end, settings));
  const from = print(gte ?? gt, ends.min);
  const to = print(lte ?? lt, ends.max);
  const isOpenBelow = own(json, 'gt') !== undefined && own(json, 'gte') === undefined;
  const isOpenAbove = own(json, 'lt') !== undefined && own(json, 'lte') === undefined;
  return `${isOpenBelow ? '(' : '['}${from} : ${to}${isOpenAbove ? ')' : ']'}`;
}

function printWhole(value: unknown): string {
  return String(typeof value === 'bigint' ? value : Math.trunc(Number(value)));
}

function printMillis(value: unknown, { format }: FieldSettings): string {
  return String(dateFormatter(format).parseMs(typeof value === 'number' ? value : String(value)));
}

const LONG_ENDS = { min: String(-(2n ** 63n)), max: String(2n ** 63n - 1n) };
const FRACTION_ENDS = { min: '-Infinity', max: 'Infinity' };

export const INTEGER_RANGE: DeclaredType = rangeType({
  min: String(-(2 ** 31)),
  max: String(2 ** 31 - 1),
  print: printWhole,
});
export const LONG_RANGE: DeclaredType = rangeType({ ...LONG_ENDS, print: printWhole });
export const FLOAT_RANGE: DeclaredType = rangeType({
  ...FRACTION_ENDS,
  print: (value) => javaFloatText(Math.fround(Number(value))),
});
export const DOUBLE_RANGE: DeclaredType = rangeType({
  ...FRACTION_ENDS,
  print: (value) => javaDoubleText(Number(value)),
});
export const IP_RANGE: DeclaredType = rangeType({
  min: '::',
  max: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  print: String,
});

/** Dates also have a format, which their ends are read and printed in. */
export const DATE_RANGE: DeclaredType = {
  ...rangeType({ ...LONG_ENDS, print: printMillis }),
  parameters: new Map([
    ...PARAMETERS,
    ...[...DATE.parameters].filter(([name]) => name === 'format' || name === 'locale'),
  ]),
  check: DATE.check,
  settings: DATE.settings,
};
