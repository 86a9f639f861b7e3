/**
 * Sort keys as unsigned words that compare as the keys do: what selection and sorting by digits work on.
 *
 * A word holds only what tells the entries apart: the least is taken off, and keys that are all equal give none.
 */

/** One an entry. */
export interface OrderWord {
  readonly values: Uint32Array;
  /** Bits that can be set; at least 1. */
  readonly bits: number;
}

/** Scores and their like need no more than float32. */
export type KeyColumn = Float32Array | Float64Array;

const TWO_32 = 2 ** 32;
/** Integers that are no further apart than this are told apart in double arithmetic. */
const SPAN_MAX = Number.MAX_SAFE_INTEGER - 4;

/** The words of several keys, the most significant first. */
export function orderWords(keys: readonly KeyColumn[]): readonly OrderWord[] {
  return keys.flatMap(keyWords);
}

function keyWords(keys: KeyColumn): readonly OrderWord[] {
  const range = integerRange(keys);
  const words = range !== null ? integerWords(keys, range) : floatWords(keys);
  return words.flatMap(wordOf);
}

interface IntegerRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Of the finite keys; null when some are fractions, or they are too far apart. */
function integerRange(keys: KeyColumn): IntegerRange | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    if (key < lowest && key !== Number.NEGATIVE_INFINITY) lowest = key;
    if (key > highest && key !== Number.POSITIVE_INFINITY) highest = key;
    if (key !== Math.floor(key)) return null;
  }
  if (lowest > highest) return { lowest: 0, highest: 0 };
  return highest - lowest <= SPAN_MAX ? { lowest, highest } : null;
}

/** Places count from the lowest key; one below and one above are for the infinite ones. */
function integerWords(keys: KeyColumn, { lowest, highest }: IntegerRange): readonly Uint32Array[] {
  const last = highest - lowest + 2;
  const low = new Uint32Array(keys.length);
  const high = last >= TWO_32 ? new Uint32Array(keys.length) : null;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const place = key === Number.POSITIVE_INFINITY ? last : key === Number.NEGATIVE_INFINITY ? 0 : key - lowest + 1;
    low[i] = place % TWO_32;
    if (high !== null) high[i] = Math.floor(place / TWO_32);
  }
  return high === null ? [low] : [high, low];
}

const SIGN = 0x8000_0000;

/** The bits of a float compare like it once the sign is turned, and all of them where it is set. */
function floatWords(keys: KeyColumn): readonly Uint32Array[] {
  const isSingle = keys instanceof Float32Array;
  const high = new Uint32Array(keys.length);
  const low = isSingle ? null : new Uint32Array(keys.length);
  const scratch = isSingle ? new Float32Array(1) : new Float64Array(1);
  const halves = new Uint32Array(scratch.buffer);
  for (let i = 0; i < keys.length; i++) {
    // Zero is written with one sign only.
    scratch[0] = (keys[i] as number) + 0;
    const top = halves[isSingle ? 0 : 1] as number;
    const isNegative = top >= SIGN;
    high[i] = isNegative ? ~top : top | SIGN;
    if (low !== null) low[i] = isNegative ? ~(halves[0] as number) : (halves[0] as number);
  }
  return low === null ? [high] : [high, low];
}

function wordOf(values: Uint32Array): readonly OrderWord[] {
  let least = values[0] ?? 0;
  let most = least;
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least === most) return [];
  if (least > 0) for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) - least;
  return [{ values, bits: 32 - Math.clz32(most - least) }];
}
