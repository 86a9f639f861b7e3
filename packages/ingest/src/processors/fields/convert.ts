/** `convert`: a value, or each value of a list, as another type. */

import { asInteger, DoubleNumber, illegalArgument, javaFloatText, ShoalError } from '@shoal/core';
import { javaText } from '@shoal/script';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentValue } from '../../values/document-value.ts';
import { ipAddressBytes } from '../../values/ip-address.ts';

type Conversion = (value: DocumentValue) => DocumentValue;

const INTEGER_LIMITS: readonly [bigint, bigint] = [-(2n ** 31n), 2n ** 31n - 1n];
const LONG_LIMITS: readonly [bigint, bigint] = [-(2n ** 63n), 2n ** 63n - 1n];
/** What Java reads as a double; hexadecimal ones aside. */
const DECIMAL = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]?Infinity)[fFdD]?\s*$/;
const NUMBER_CHARS_MAX = 1_000;

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map([
  ['integer', (value) => required(value, integerOf(javaText(value), INTEGER_LIMITS), 'integer')],
  ['long', (value) => required(value, integerOf(javaText(value), LONG_LIMITS), 'long')],
  ['float', (value) => required(value, floatOf(javaText(value)), 'float')],
  ['double', (value) => required(value, doubleOf(javaText(value)), 'double')],
  ['boolean', toBoolean],
  ['ip', toIp],
  ['string', (value) => javaText(value)],
  ['auto', toAny],
]);

export const convertProcessor: ProcessorType = {
  type: 'convert',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const type = config.text('type');
    const target = parseFieldPath(config.optionalText('target_field') ?? field.text);
    const conversion = CONVERSIONS.get(type.toLowerCase());
    if (conversion === undefined) throw config.error('type', `type [${type}] not supported, cannot convert field.`);
    const ignoresMissing = config.flag('ignore_missing', false);
    return simple((document) => {
      const value = ignoresMissing ? document.find(field) : document.get(field);
      if (value === null) {
        if (ignoresMissing) return;
        throw illegalArgument(`Field [${field.text}] is null, cannot be converted to type [${type.toLowerCase()}]`);
      }
      document.set(target, Array.isArray(value) ? value.map(conversion) : conversion(value));
    });
  },
};

function required(value: DocumentValue, converted: DocumentValue | undefined, type: string): DocumentValue {
  if (converted !== undefined) return converted;
  const text = javaText(value);
  throw illegalArgument(`unable to convert [${text}] to ${type}`, {
    causedBy: new ShoalError('number_format_exception', 400, `For input string: "${text}"`),
  });
}

/** undefined for what is no integer between the limits. */
function integerOf(text: string, [min, max]: readonly [bigint, bigint]): number | bigint | undefined {
  if (text.length > NUMBER_CHARS_MAX || !/^(?:-?0[xX][0-9a-fA-F]+|[+-]?\d+)$/.test(text)) return undefined;
  const isNegative = text.startsWith('-');
  const size = BigInt(text.replace(/^[+-]/, ''));
  const exact = isNegative ? -size : size;
  if (exact < min || exact > max) return undefined;
  return asInteger(exact);
}

function doubleOf(text: string): number | DoubleNumber | undefined {
  const digits = DECIMAL.exec(text)?.[1];
  return digits === undefined ? undefined : doubleValue(Number(digits));
}

/** The double whose digits are those of the float. */
function floatOf(text: string): number | DoubleNumber | undefined {
  const digits = DECIMAL.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const single = Math.fround(Number(digits));
  return doubleValue(Number.isFinite(single) ? Number(javaFloatText(single)) : single);
}

function doubleValue(value: number): number | DoubleNumber {
  return Number.isInteger(value) || !Number.isFinite(value) ? new DoubleNumber(value) : value;
}

function toBoolean(value: DocumentValue): DocumentValue {
  const text = javaText(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw illegalArgument(`[${javaText(value)}] is not a boolean value, cannot convert to boolean`);
}

function toIp(value: DocumentValue): DocumentValue {
  if (typeof value === 'string' && ipAddressBytes(value) !== null) return value;
  throw illegalArgument(`'${javaText(value)}' is not an IP string literal.`);
}

/** Texts as the narrowest type that reads them; anything else stays. */
function toAny(value: DocumentValue): DocumentValue {
  if (typeof value !== 'string') return value;
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return integerOf(value, LONG_LIMITS) ?? floatOf(value) ?? value;
}
