/**
 * `?human`: sizes and durations in readable units, in place and once more under the name without the unit.
 */
import { renderByteSize } from '@shoal/core';

const BYTES = '_in_bytes';
const MILLIS = '_in_millis';

const DURATIONS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

export function humanized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(humanized);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const text = typeof inner === 'number' ? readable(key, inner) : null;
    if (text === null) out[key] = humanized(inner);
    else {
      out[key] = text.shown;
      out[text.name] = text.shown;
    }
  }
  return out;
}

function readable(key: string, value: number): { readonly name: string; readonly shown: string } | null {
  if (key.endsWith(BYTES)) return { name: key.slice(0, -BYTES.length), shown: bytesText(value) };
  if (key.endsWith(MILLIS)) return { name: key.slice(0, -MILLIS.length), shown: durationText(value) };
  return null;
}

function bytesText(bytes: number): string {
  return bytes < 0 ? `${bytes}b` : renderByteSize(bytes);
}

/** The largest unit that it fills, with one decimal, cut. */
export function durationText(ms: number): string {
  if (ms === 0) return '0s';
  const [unit, size] = DURATIONS.find(([, length]) => Math.abs(ms) >= length) ?? ['ms', 1];
  const tenths = Math.trunc((ms / size) * 10);
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}${unit}`;
}
