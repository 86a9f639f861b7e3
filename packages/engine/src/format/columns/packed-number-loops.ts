/**
 * Loops that unpack numbers, one for each width: hot, so that none asks for a width inside.
 */

const WORD = 2 ** 32;

export type Low = Uint8Array | Uint16Array | Uint32Array;

export type High = Uint8Array | Uint16Array;

/** One loop for each pair of widths: with several in one, each step would ask which it is. */
export function unpack(
  lows: Low,
  highs: High | null,
  from: number,
  into: Float64Array,
  base: number,
  unit: number,
): void {
  if (lows instanceof Uint8Array) unpackBytes(lows, from, into, base, unit);
  else if (lows instanceof Uint16Array) {
    if (highs instanceof Uint8Array) unpackThree(lows, highs, from, into, base, unit);
    else unpackShorts(lows, from, into, base, unit);
  } else if (highs === null) unpackWords(lows, from, into, base, unit);
  else if (highs instanceof Uint8Array) unpackFive(lows, highs, from, into, base, unit);
  else unpackSix(lows, highs, from, into, base, unit);
}

function unpackBytes(lows: Uint8Array, from: number, into: Float64Array, base: number, unit: number): void {
  for (let i = 0; i < into.length; i++) into[i] = base + (lows[from + i] as number) * unit;
}

function unpackShorts(lows: Uint16Array, from: number, into: Float64Array, base: number, unit: number): void {
  for (let i = 0; i < into.length; i++) into[i] = base + (lows[from + i] as number) * unit;
}

function unpackThree(
  lows: Uint16Array,
  highs: Uint8Array,
  from: number,
  into: Float64Array,
  base: number,
  unit: number,
): void {
  for (let i = 0; i < into.length; i++) {
    into[i] = base + ((lows[from + i] as number) | ((highs[from + i] as number) << 16)) * unit;
  }
}

function unpackWords(lows: Uint32Array, from: number, into: Float64Array, base: number, unit: number): void {
  for (let i = 0; i < into.length; i++) into[i] = base + (lows[from + i] as number) * unit;
}

function unpackFive(
  lows: Uint32Array,
  highs: Uint8Array,
  from: number,
  into: Float64Array,
  base: number,
  unit: number,
): void {
  for (let i = 0; i < into.length; i++) {
    into[i] = base + ((lows[from + i] as number) + (highs[from + i] as number) * WORD) * unit;
  }
}

function unpackSix(
  lows: Uint32Array,
  highs: Uint16Array,
  from: number,
  into: Float64Array,
  base: number,
  unit: number,
): void {
  for (let i = 0; i < into.length; i++) {
    into[i] = base + ((lows[from + i] as number) + (highs[from + i] as number) * WORD) * unit;
  }
}

/** Onto a line that rises by one with each index. */
export function slant(values: Float64Array, from: number): void {
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) + (from + i);
}

export function divide(values: Float64Array, divisor: number): void {
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / divisor;
}
