/**
 * Sizes and durations as `_cat` prints them: short by default, a whole number of one unit when the request names it.
 */
import { unreachable } from '@shoal/core';

export type BytesUnit = 'b' | 'k' | 'kb' | 'm' | 'mb' | 'g' | 'gb' | 't' | 'tb' | 'p' | 'pb';
export type TimeUnit = 'd' | 'h' | 'm' | 's' | 'ms' | 'micros' | 'nanos';

export const BYTES_UNITS: readonly BytesUnit[] = ['b', 'k', 'kb', 'm', 'mb', 'g', 'gb', 't', 'tb', 'p', 'pb'];
export const TIME_UNITS: readonly TimeUnit[] = ['d', 'h', 'm', 's', 'ms', 'micros', 'nanos'];

const BYTE_STEPS: readonly { readonly bytes: number; readonly suffix: string }[] = [
  { bytes: 1024 ** 5, suffix: 'pb' },
  { bytes: 1024 ** 4, suffix: 'tb' },
  { bytes: 1024 ** 3, suffix: 'gb' },
  { bytes: 1024 ** 2, suffix: 'mb' },
  { bytes: 1024, suffix: 'kb' },
];
const MS_STEPS: readonly { readonly ms: number; readonly suffix: string }[] = [
  { ms: 86_400_000, suffix: 'd' },
  { ms: 3_600_000, suffix: 'h' },
  { ms: 60_000, suffix: 'm' },
  { ms: 1000, suffix: 's' },
];

/** `12.9kb`, or the whole number of `unit`, rounded down. */
export function bytesText(bytes: number, unit: BytesUnit | null = null): string {
  if (unit !== null) return String(Math.floor(bytes / bytesOf(unit)));
  const step = BYTE_STEPS.find((candidate) => bytes >= candidate.bytes);
  return step === undefined ? `${bytes}b` : oneDecimal(bytes / step.bytes) + step.suffix;
}

/** `1.2s`, or the whole number of `unit`, rounded down. */
export function durationText(ms: number, unit: TimeUnit | null = null): string {
  if (unit !== null) return String(Math.floor(ms / msOf(unit)));
  const step = MS_STEPS.find((candidate) => ms >= candidate.ms);
  return step === undefined ? `${ms}ms` : oneDecimal(ms / step.ms) + step.suffix;
}

/** Cut, not rounded, to one decimal; none when it would be zero. */
function oneDecimal(value: number): string {
  const tenths = Math.floor(value * 10);
  const decimal = tenths % 10;
  return decimal === 0 ? String(Math.floor(tenths / 10)) : `${Math.floor(tenths / 10)}.${decimal}`;
}

function bytesOf(unit: BytesUnit): number {
  const first = unit[0];
  const power = 'bkmgtp'.indexOf(first ?? 'b');
  return 1024 ** power;
}

function msOf(unit: TimeUnit): number {
  switch (unit) {
    case 'd':
      return 86_400_000;
    case 'h':
      return 3_600_000;
    case 'm':
      return 60_000;
    case 's':
      return 1000;
    case 'ms':
      return 1;
    case 'micros':
      return 1e-3;
    case 'nanos':
      return 1e-6;
    default:
      return unreachable(unit);
  }
}
