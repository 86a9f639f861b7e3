/**
 * `BigDecimal`, and decimal numbers rounded as Java rounds them.
 */
import type { ScriptMachine } from '../machine/script-machine.ts';
import { JavaException } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';

export type Rounding = 'UP' | 'DOWN' | 'CEILING' | 'FLOOR' | 'HALF_UP' | 'HALF_DOWN' | 'HALF_EVEN' | 'UNNECESSARY';

/** Digits that one step of a script may work on; longer numbers cost more, as their products do. */
const DIGITS_A_STEP = 19;

/** Counts work on numbers of so many digits. */
export function countDigits(machine: ScriptMachine, digits: number): void {
  machine.step(Math.ceil((Math.abs(digits) / DIGITS_A_STEP) ** 1.5));
}

export function arithmeticException(text: string): JavaException {
  return new JavaException('java.lang.ArithmeticException', text);
}

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** `value / by`, rounded. `by` is above zero. */
function dividedBy(value: bigint, by: bigint, rounding: Rounding): bigint {
  const quotient = value / by;
  const rest = sizeOf(value % by);
  if (rest === 0n) return quotient;
  const away = value < 0n ? quotient - 1n : quotient + 1n;
  const half = rest * 2n - by;
  switch (rounding) {
    case 'UP':
      return away;
    case 'DOWN':
      return quotient;
    case 'CEILING':
      return value < 0n ? quotient : away;
    case 'FLOOR':
      return value < 0n ? away : quotient;
    case 'HALF_UP':
      return half >= 0n ? away : quotient;
    case 'HALF_DOWN':
      return half > 0n ? away : quotient;
    case 'HALF_EVEN':
      return half > 0n || (half === 0n && quotient % 2n !== 0n) ? away : quotient;
    default:
      throw arithmeticException('Rounding necessary');
  }
}

export class JavaBigDecimal extends ScriptObject {
  readonly javaClass = 'java.math.BigDecimal';
  readonly unscaled: bigint;
  /** Digits behind the point; below zero: zeros in front of it. */
  readonly scale: number;

  constructor(unscaled: bigint, scale: number) {
    super();
    this.unscaled = unscaled;
    this.scale = scale;
  }

  get digits(): string {
    return String(sizeOf(this.unscaled));
  }

  get precision(): number {
    return this.digits.length;
  }

  text(): string {
    const exponent = this.precision - 1 - this.scale;
    if (this.scale === 0) return String(this.unscaled);
    if (this.scale > 0 && exponent >= -6) return this.plain();
    const { digits } = this;
    const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`;
    const power = exponent === 0 ? '' : `E${exponent > 0 ? '+' : ''}${exponent}`;
    return `${this.unscaled < 0n ? '-' : ''}${mantissa}${power}`;
  }

  /** Without an exponent. */
  plain(): string {
    const sign = this.unscaled < 0n ? '-' : '';
    if (this.scale <= 0) return `${sign}${this.digits}${this.unscaled === 0n ? '' : '0'.repeat(-this.scale)}`;
    const digits = this.digits.padStart(this.scale + 1, '0');
    return `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`;
  }

  get number(): number {
    return Number(`${this.unscaled}e${-this.scale}`);
  }

  override json(): unknown {
    return this.number;
  }

  override key(): unknown {
    return `decimal ${this.unscaled} ${this.scale}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaBigDecimal && other.unscaled === this.unscaled && other.scale === this.scale;
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaBigDecimal)) return null;
    const signs = Number(this.unscaled > 0n) - Number(this.unscaled < 0n);
    const otherSigns = Number(other.unscaled > 0n) - Number(other.unscaled < 0n);
    if (signs !== otherSigns || signs === 0) return Math.sign(signs - otherSigns);
    const size = this.precision - this.scale - (other.precision - other.scale);
    if (size !== 0) return size > 0 === signs > 0 ? 1 : -1;
    // With as many digits before the point, they are compared one by one.
    const length = Math.max(this.precision, other.precision);
    const [left, right] = [this.digits.padEnd(length, '0'), other.digits.padEnd(length, '0')];
    return left === right ? 0 : left > right === signs > 0 ? 1 : -1;
  }
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,10}))?$/;

/** @throws JavaException `NumberFormatException` */
export function parseDecimal(machine: ScriptMachine, text: string): JavaBigDecimal {
  const match = DECIMAL.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') {
    const odd = /[^0-9.eE+-]/.exec(text)?.[0];
    const reason =
      odd === undefined
        ? null
        : `Character ${odd} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`;
    throw new JavaException('java.lang.NumberFormatException', reason);
  }
  countDigits(machine, text.length);
  const unscaled = BigInt(whole + fraction);
  return new JavaBigDecimal(sign === '-' ? -unscaled : unscaled, fraction.length - Number(exponent));
}

/** The shortest decimal that is read as the double. */
export function decimalOf(value: number): JavaBigDecimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? [];
  const unscaled = BigInt(whole + fraction);
  return new JavaBigDecimal(sign === '-' ? -unscaled : unscaled, fraction.length - Number(exponent));
}

function power(machine: ScriptMachine, exponent: number): bigint {
  countDigits(machine, exponent);
  return 10n ** BigInt(exponent);
}

export function rescaled(
  machine: ScriptMachine,
  value: JavaBigDecimal,
  scale: number,
  rounding: Rounding,
): JavaBigDecimal {
  const more = scale - value.scale;
  if (more >= 0) return new JavaBigDecimal(value.unscaled * power(machine, more), scale);
  // Beyond all digits only the sign and the rounding count.
  const cut = Math.min(-more, value.precision + 1);
  return new JavaBigDecimal(dividedBy(value.unscaled, power(machine, cut), rounding), scale);
}

/** To so many digits; 0: all of them. */
export function roundedTo(
  machine: ScriptMachine,
  value: JavaBigDecimal,
  precision: number,
  rounding: Rounding,
): JavaBigDecimal {
  let result = value;
  // A number that is rounded up may become one digit longer.
  while (precision > 0 && result.precision > precision) {
    result = rescaled(machine, result, result.scale - (result.precision - precision), rounding);
  }
  return result;
}

export function stripped(value: JavaBigDecimal, leastScale: number = Number.NEGATIVE_INFINITY): JavaBigDecimal {
  if (value.unscaled === 0n) return new JavaBigDecimal(0n, 0);
  const zeros = Math.min(/0*$/.exec(value.digits)?.[0].length ?? 0, Math.max(0, value.scale - leastScale));
  return new JavaBigDecimal(value.unscaled / 10n ** BigInt(zeros), value.scale - zeros);
}

/** Both with the same digits behind the point. */
export function aligned(
  machine: ScriptMachine,
  a: JavaBigDecimal,
  b: JavaBigDecimal,
): readonly [left: bigint, right: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale);
  return [
    rescaled(machine, a, scale, 'UNNECESSARY').unscaled,
    rescaled(machine, b, scale, 'UNNECESSARY').unscaled,
    scale,
  ];
}

/** `a / b` with so many digits behind the point. */
export function quotient(
  machine: ScriptMachine,
  a: JavaBigDecimal,
  b: JavaBigDecimal,
  scale: number,
  rounding: Rounding,
): JavaBigDecimal {
  if (b.unscaled === 0n) throw arithmeticException(a.unscaled === 0n ? 'Division undefined' : 'Division by zero');
  const shift = scale - a.scale + b.scale;
  const sign = b.unscaled < 0n ? -1n : 1n;
  const left = sign * a.unscaled * (shift > 0 ? power(machine, shift) : 1n);
  const right = sign * b.unscaled * (shift < 0 ? power(machine, -shift) : 1n);
  return new JavaBigDecimal(dividedBy(left, right, rounding), scale);
}
