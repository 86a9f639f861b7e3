/**
 * Numbers as a Java server prints them: `1.0` for a double that is whole, `1.7067456E12`, floats with float32 digits.
 *
 * Clients compare answers as text and parse them with types of their own, so a score of 1 must be `1.0` and never `1`.
 */

/** Digits behind the first one. */
const FLOAT_DIGITS_MAX = 8;
/** Nine digits of a number that begins with thousandths. */
const PLAIN_DECIMALS_MAX = 11;

/** A float32 value in an answer, such as a score. */
export class FloatNumber {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toString(): string {
    return javaFloatText(this.value);
  }
  /** What `JSON.stringify` would print, for tests and logs. */
  toJSON(): number {
    return this.value;
  }
}

/** A float64 value in an answer. */
export class DoubleNumber {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toString(): string {
    return javaDoubleText(this.value);
  }
  toJSON(): number {
    return this.value;
  }
}

/** A float that stays one where it is whole, as a value that is stored or printed. */
export function asFloat(value: number): number | DoubleNumber {
  return Number.isInteger(value) ? new DoubleNumber(value) : value;
}

/** Digits that tell one double from its neighbours never exceed 17. */
export function javaDoubleText(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  return isPlain(value) ? plainText(value) : javaNotation(value, value.toExponential());
}

/** The shortest digits that give the same float32. */
export function javaFloatText(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const single = Math.fround(value);
  return isPlain(single) ? plainText(shortestPlain(single)) : javaNotation(single, shortestFloatText(single));
}

/**
 * The double that prints the shortest digits of a float32 in plain notation: such as every score.
 *
 * Exact without making a text: a float32 times 10^11 or less fits the 53 bits of a double, and the quotient of two whole
 * numbers is what reading the decimal would give. Behind the point alone: a whole float32 below 10^7 has no shorter form.
 */
function shortestPlain(single: number): number {
  const size = Math.abs(single);
  let decimals = PLAIN_DECIMALS_MAX;
  for (let bound = 1e-2; size >= bound; bound *= 10) decimals--;
  let shortest = size;
  for (; decimals >= 0; decimals--) {
    const scale = 10 ** decimals;
    const shorter = Math.round(size * scale) / scale;
    if (Math.fround(shorter) !== size) break;
    shortest = shorter;
  }
  return single < 0 ? -shortest : shortest;
}

/** Nine digits tell any float32 from its neighbours, and most need eight or nine: the search starts there. */
function shortestFloatText(single: number): string {
  let shortest = single.toExponential(FLOAT_DIGITS_MAX);
  for (let digits = FLOAT_DIGITS_MAX - 1; digits >= 0; digits--) {
    const text = single.toExponential(digits);
    // Fewer digits are never nearer: when these do not do, no fewer will.
    if (Math.fround(Number(text)) !== single) return shortest;
    shortest = text;
  }
  return shortest;
}

/** True for magnitudes that neither Java nor JavaScript writes with an exponent. */
function isPlain(value: number): boolean {
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e7;
}

function plainText(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** Java prints 10^-3 <= |x| < 10^7 plainly and everything else with an exponent; always with a digit behind the point. */
function javaNotation(value: number, exponential: string): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) return `${sign}0.0`;
  const [mantissa = '', exponentText = '0'] = exponential.replace('-', (m, at) => (at === 0 ? '' : m)).split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace('.', '').replace(/0+$/, '') || '0';
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function notFinite(value: number): string {
  if (Number.isNaN(value)) return '"NaN"';
  return value > 0 ? '"Infinity"' : '"-Infinity"';
}
