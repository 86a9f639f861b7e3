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
/** Integers beyond have no neighbour of their own, which infinite keys would take. */
const INTEGER_MAX = Number.MAX_SAFE_INTEGER - 4;

/** The words of several keys, the most significant first. */
export function orderWords(keys: readonly KeyColumn[]): readonly OrderWord[] {
  return keys.flatMap(keyWords);
}

function keyWords(keys: KeyColumn): readonly OrderWord[] {
  const range = integerRange(keys);
  return range !== null ? integerWords(keys, range) : floatWords(keys).flatMap(wordOf);
}

/**
 * The word of scores between two: those are not negative, so that their bits compare like them.
 *
 * @param isDescending the highest comes first
 */
export function scoreWords(
  scores: Float32Array,
  { lowest, highest }: { readonly lowest: number; readonly highest: number },
  isDescending: boolean,
): readonly OrderWord[] {
  if (!(lowest < highest)) return [];
  if (lowest < 0) return orderWords([isDescending ? scores.map((score) => -score) : scores]);
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, scores.length);
  const [least = 0, most = 0] = new Uint32Array(Float32Array.of(lowest + 0, highest).buffer);
  const values = new Uint32Array(bits.length);
  if (isDescending) for (let i = 0; i < bits.length; i++) values[i] = most - (bits[i] as number);
  else for (let i = 0; i < bits.length; i++) values[i] = (bits[i] as number) - least;
  return [{ values, bits: 32 - Math.clz32(most - least) }];
}

interface IntegerRange {
  /** Least of the finite keys. */
  readonly lowest: number;
  readonly highest: number;
  readonly hasInfinite: boolean;
}

/** null when some keys are fractions, too large, or too far apart. */
function integerRange(keys: KeyColumn): IntegerRange | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let hasInfinite = false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    if (key === Number.POSITIVE_INFINITY || key === Number.NEGATIVE_INFINITY) {
      hasInfinite = true;
      continue;
    }
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
    if (key !== Math.floor(key)) return null;
  }
  if (lowest > highest) return { lowest: 0, highest: 0, hasInfinite };
  const areExact = lowest >= -INTEGER_MAX && highest <= INTEGER_MAX && highest - lowest <= SPAN_MAX;
  return areExact ? { lowest, highest, hasInfinite } : null;
}

/** Places count from the lowest key; one below and one above are for the infinite ones. */
function integerWords(keys: KeyColumn, { lowest, highest, hasInfinite }: IntegerRange): readonly OrderWord[] {
  if (lowest === highest && !hasInfinite) return [];
  const last = highest - lowest + 2;
  const base = lowest - 1;
  const low = new Uint32Array(keys.length);
  if (last < TWO_32) {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number;
      low[i] = key > highest ? last : key < lowest ? 0 : key - base;
    }
    return [{ values: low, bits: 32 - Math.clz32(last) }];
  }
  const high = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const place = key > highest ? last : key < lowest ? 0 : key - base;
    const top = Math.floor(place / TWO_32);
    high[i] = top;
    low[i] = place - top * TWO_32;
  }
  return [high, low].flatMap(wordOf);
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
