/**
 * Values that ranges consist of, each type of them as whole numbers in the same order: the code of the next value is one more.
 */

import { printAddress } from '@shoal/aggregations';
import { illegalArgument, javaDoubleText, javaFloatText, ShoalError } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { dateFormatter, type FieldMapping, parseDateMath } from '@shoal/schema';
import type { ValueRange } from '../contract/field-match.ts';
import type { RequestClock } from '../contract/field-type.ts';
import { addressBytes } from '../ip/ip.ts';
import { INTEGER_RANGE, LONG_RANGE, narrow } from '../number/number-ranges.ts';
import { fractionValue, wholeValue } from '../number/number-value.ts';
import { queryNumber } from '../number/query-number.ts';

/** Bytes of a code in a term. */
export type CodeBytes = 8 | 16;

export interface RangeElement {
  readonly bytes: CodeBytes;
  /** Codes of the smallest and the largest value, which stand for open ends. */
  readonly min: bigint;
  readonly max: bigint;
  /** Code of an end in a document. @throws ShoalError when it is no value of the type */
  read(field: FieldMapping, value: unknown): bigint;
  /** Code of an end in a request. `isUpper`: rounding of dates takes in what the end names. */
  query(field: FieldMapping, value: QueryValue, end: QueryEnd): bigint;
  /** Value as a number; NaN for addresses. Whole numbers beyond 2^53 are rounded. */
  number(code: bigint): number;
  /** Value as errors name it. */
  text(code: bigint): string;
  /** Value as `fields` shows it, in a date format. */
  show(code: bigint, format: string): unknown;
}

export interface QueryEnd {
  readonly range: ValueRange;
  readonly clock: RequestClock;
  /** Dates that are written to a unit mean the last instant of it. */
  readonly roundUp: boolean;
}

function wholeElement(kind: 'integer' | 'long'): RangeElement {
  const range = kind === 'integer' ? INTEGER_RANGE : LONG_RANGE;
  return {
    ...range,
    bytes: 8,
    read: ({ coerce }, value) => BigInt(wholeValue({ kind, coerce }, value, range) ?? emptyText()),
    query: (_field, value) => {
      const number = queryNumber(value);
      if (typeof number === 'number' && !Number.isInteger(number)) {
        throw illegalArgument(`Value [${number}] has a decimal part`);
      }
      const whole = BigInt(number);
      if (whole >= range.min && whole <= range.max) return whole;
      throw illegalArgument(`Value [${String(value)}] is out of range for ${kind === 'long' ? 'a' : 'an'} ${kind}`);
    },
    number: Number,
    text: String,
    show: narrow,
  };
}

const floats = new DataView(new ArrayBuffer(8));

/** Bits of a number in two's complement, those of negative ones below the sign turned over: their order is that of the numbers. */
function fractionElement(kind: 'float' | 'double'): RangeElement {
  const round = kind === 'float' ? Math.fround : Number;
  const codeOf = kind === 'float' ? floatCode : doubleCode;
  const number = kind === 'float' ? floatOf : doubleOf;
  const print = kind === 'float' ? javaFloatText : javaDoubleText;
  return {
    bytes: 8,
    min: codeOf(Number.NEGATIVE_INFINITY),
    max: codeOf(Number.POSITIVE_INFINITY),
    read: ({ coerce }, value) => codeOf(fractionValue({ kind, coerce }, value, round) ?? emptyText()),
    query: (_field, value) => {
      const given = Number(queryNumber(value));
      const rounded = round(given);
      if (Number.isFinite(rounded)) return codeOf(rounded);
      throw illegalArgument(`[${kind}] supports only finite values, but got [${javaDoubleText(rounded)}]`);
    },
    number,
    text: (code) => print(number(code)),
    show: number,
  };
}

function floatCode(value: number): bigint {
  floats.setFloat32(0, value);
  const bits = floats.getInt32(0);
  return BigInt(bits < 0 ? bits ^ 0x7fff_ffff : bits);
}

function floatOf(code: bigint): number {
  const bits = Number(code);
  floats.setInt32(0, bits < 0 ? bits ^ 0x7fff_ffff : bits);
  return floats.getFloat32(0);
}

const SIGN_LESS = 2n ** 63n - 1n;

function doubleCode(value: number): bigint {
  floats.setFloat64(0, value);
  const bits = floats.getBigInt64(0);
  return bits < 0n ? bits ^ SIGN_LESS : bits;
}

function doubleOf(code: bigint): number {
  floats.setBigInt64(0, code < 0n ? code ^ SIGN_LESS : code);
  return floats.getFloat64(0);
}

const DATE: RangeElement = {
  ...LONG_RANGE,
  bytes: 8,
  read: ({ format }, value) => {
    const options = { formatter: dateFormatter(format), clock: NO_NOW, roundUp: false, timeZone: null };
    return BigInt(parseDateMath(String(value), options));
  },
  query: (field, value, { range, clock, roundUp }) => {
    const formatter = dateFormatter(range.format ?? field.format);
    return BigInt(parseDateMath(String(value), { formatter, clock, roundUp, timeZone: range.timeZone }));
  },
  number: Number,
  text: String,
  show: (code, format) => dateFormatter(format).print(Number(code)),
};

/** Documents mean the same whenever they are read. */
const NO_NOW: RequestClock = {
  get nowMs(): number {
    const cause = illegalArgument('now is not used at indexing time');
    throw new ShoalError('parse_exception', 400, 'could not read the current timestamp', { causedBy: cause });
  },
};

const ADDRESS: RangeElement = {
  bytes: 16,
  min: 0n,
  max: 2n ** 128n - 1n,
  read: (_field, value) => addressCode(String(value)),
  query: (_field, value) => addressCode(String(value)),
  number: () => Number.NaN,
  // Java prints the empty host name before an address.
  text: (code) => `/${shownAddress(code)}`,
  show: shownAddress,
};

function addressCode(text: string): bigint {
  return BigInt(`0x${Buffer.from(addressBytes(text)).toString('hex')}`);
}

function shownAddress(code: bigint): string {
  return printAddress(Buffer.from(code.toString(16).padStart(32, '0'), 'hex').toString('latin1'));
}

function emptyText(): never {
  throw illegalArgument('empty String');
}

export type RangeElementName = 'integer' | 'long' | 'float' | 'double' | 'date' | 'ip';

export const RANGE_ELEMENTS: { readonly [K in RangeElementName]: RangeElement } = {
  integer: wholeElement('integer'),
  long: wholeElement('long'),
  float: fractionElement('float'),
  double: fractionElement('double'),
  date: DATE,
  ip: ADDRESS,
};
