/**
 * Captured text as a value of its type: as Ruby's `to_i` and `to_f`, what stands at the beginning, else 0; never a failure.
 */

import { asFloat, type DoubleNumber } from '@shoal/core';
import type { CaptureType } from './expand-pattern.ts';

export type CapturedValue = string | boolean | number | bigint | DoubleNumber;

export function coerceCapture(text: string, type: CaptureType): CapturedValue {
  if (type === 'text') return text;
  if (type === 'boolean') return text.toLowerCase() === 'true';
  if (type === 'float' || type === 'double') {
    const value = Number(/^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(text)?.[0] ?? '0');
    return asFloat(value);
  }
  const digits = /^\s*[+-]?\d+/.exec(text)?.[0] ?? '0';
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(digits.trim().replace('+', ''));
}
