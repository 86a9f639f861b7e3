/**
 * The texts of the whole numbers between two: `<7-123>` as characters side by side.
 */
import { assert } from '@shoal/core';
import type { CharacterRange, Expression } from './regexp-syntax.ts';

const ZERO = 0x30;

/** Without a fixed number of digits any number of zeros may stand before. */
export function numberTexts(numbers: {
  readonly min: number;
  readonly max: number;
  readonly digits: number;
}): Expression {
  const { min, max, digits } = numbers;
  assert(min >= 0 && min <= max, `numbers from ${min} to ${max}`);
  if (digits > 0) return fixedLength(String(min).padStart(digits, '0'), String(max).padStart(digits, '0'));
  const parts: Expression[] = [];
  for (let length = String(min).length; length <= String(max).length; length++) {
    const low = Math.max(min, length === 1 ? 0 : 10 ** (length - 1));
    const high = Math.min(max, 10 ** length - 1);
    if (low <= high) parts.push(fixedLength(String(low), String(high)));
  }
  const zeros: Expression = { kind: 'repetition', of: { kind: 'text', text: '0' }, min: 0, max: null };
  return { kind: 'concatenation', parts: [zeros, { kind: 'union', parts }] };
}

/** Numbers of equal length: what they share, then the first digit by three cases. */
function fixedLength(low: string, high: string): Expression {
  assert(low.length === high.length, `numbers ${low} and ${high} of different length`);
  const [a, b] = [digitAt(low), digitAt(high)];
  if (low.length === 0) return { kind: 'text', text: '' };
  if (low.length === 1) return digits(a, b);
  const [restLow, restHigh] = [low.slice(1), high.slice(1)];
  if (a === b) return { kind: 'concatenation', parts: [digits(a, a), fixedLength(restLow, restHigh)] };
  const parts: Expression[] = [
    { kind: 'concatenation', parts: [digits(a, a), fixedLength(restLow, '9'.repeat(restLow.length))] },
    { kind: 'concatenation', parts: [digits(b, b), fixedLength('0'.repeat(restHigh.length), restHigh)] },
  ];
  if (b - a > 1) {
    const any: Expression = { kind: 'repetition', of: digits(0, 9), min: restLow.length, max: restLow.length };
    parts.push({ kind: 'concatenation', parts: [digits(a + 1, b - 1), any] });
  }
  return { kind: 'union', parts };
}

function digitAt(text: string): number {
  return text === '' ? 0 : text.charCodeAt(0) - ZERO;
}

function digits(low: number, high: number): Expression {
  const range: CharacterRange = { low: ZERO + low, high: ZERO + high };
  return { kind: 'characters', ranges: [range] };
}
