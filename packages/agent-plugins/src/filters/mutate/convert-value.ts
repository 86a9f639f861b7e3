/**
 * Conversions of `mutate`: text, number, and boolean kinds, strict as Logstash is: what cannot be converted is an error.
 */

import { type EventValue, printValue } from '@shoal/agent-event';
import { DoubleNumber, ShoalError } from '@shoal/core';

export type ConvertType = 'string' | 'integer' | 'float' | 'boolean' | 'integer_eu' | 'float_eu';

const TYPES: readonly string[] = ['string', 'integer', 'float', 'boolean', 'integer_eu', 'float_eu'];
const TRUE = /^(?:true|t|yes|y|1|1\.0)$/i;
const FALSE = /^(?:false|f|no|n|0|0\.0|)$/i;
/** No separators, and never beyond what a number holds. */
const PLAIN_INTEGER = /^-?\d{1,15}$/;
const INTEGER = /^\s*[+-]?\d+\s*$/;
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const HEX = /^\s*[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?\s*$/;

export function isConvertType(name: string): name is ConvertType {
  return TYPES.includes(name);
}

/** Arrays item by item; maps and null stay as they are. @throws ShoalError for what cannot be converted */
export function convertValue(value: EventValue, type: ConvertType): EventValue {
  if (value === null || value instanceof Map) return value;
  if (Array.isArray(value)) return value.map((item) => convertValue(item, type));
  switch (type) {
    case 'string':
      return printValue(value);
    case 'boolean':
      return toBoolean(value);
    case 'integer':
    case 'integer_eu':
      return toInteger(value, type === 'integer_eu');
    default:
      return toFloat(value, type === 'float_eu');
  }
}

/** What is neither true nor false stays as it is. */
function toBoolean(value: EventValue): EventValue {
  const text = printValue(value).trim();
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : value;
}

function toInteger(value: EventValue, isEuropean: boolean): EventValue {
  if (typeof value === 'string' && PLAIN_INTEGER.test(value)) return Number(value) + 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return narrow(Math.trunc(value));
  if (value instanceof DoubleNumber) return narrow(Math.trunc(value.value));
  const text = plainNumber(value, isEuropean);
  if (INTEGER.test(text)) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number + 0 : BigInt(text.trim().replace('+', ''));
  }
  if (DECIMAL.test(text) || HEX.test(text)) return narrow(Math.trunc(numberOf(text)));
  throw cannotConvert(value, 'integer');
}

function toFloat(value: EventValue, isEuropean: boolean): EventValue {
  if (typeof value === 'boolean') return new DoubleNumber(value ? 1 : 0);
  if (typeof value === 'bigint') return new DoubleNumber(Number(value));
  if (value instanceof DoubleNumber) return value;
  if (typeof value === 'number') return float(value);
  const text = plainNumber(value, isEuropean);
  if (DECIMAL.test(text) || HEX.test(text)) return float(numberOf(text));
  throw cannotConvert(value, 'float');
}

/** Without what groups the digits. */
function plainNumber(value: EventValue, isEuropean: boolean): string {
  const text = printValue(value);
  return isEuropean ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '');
}

function numberOf(text: string): number {
  const trimmed = text.trim();
  if (!HEX.test(trimmed)) return Number(trimmed);
  const digits = trimmed.replace(/^[+-]/, '').split('.')[0] ?? '0';
  return trimmed.startsWith('-') ? -Number(digits) : Number(digits);
}

function narrow(value: number): EventValue {
  if (!Number.isFinite(value)) throw cannotConvert(String(value), 'integer');
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
}

function float(value: number): EventValue {
  return Number.isInteger(value) ? new DoubleNumber(value) : value;
}

function cannotConvert(value: EventValue, type: string): ShoalError {
  const shown = printValue(value).slice(0, 100);
  return new ShoalError('illegal_argument_exception', 400, `cannot convert [${shown}] to ${type}`);
}
