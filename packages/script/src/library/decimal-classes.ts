/**
 * `BigDecimal`, `BigInteger`, `RoundingMode` and `MathContext`. Long numbers cost steps, so that none grows without bound.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { enumClass } from '../date-classes/enum-members.ts';
import {
  aligned,
  arithmeticException,
  countDigits,
  JavaBigDecimal,
  parseDecimal,
  quotient,
  type Rounding,
  rescaled,
  roundedTo,
  stripped,
} from '../decimals/big-decimal.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { enumValues, type JavaEnum } from '../time/java-enum.ts';
import { illegalArgumentException, JavaException, nullPointer } from '../values/java-exception.ts';
import { JavaArray } from '../values/java-map.ts';
import { convertNumber, JavaBigInteger, type NumberType } from '../values/java-numbers.ts';
import { textOf } from '../values/java-text.ts';
import { ScriptObject } from '../values/script-object.ts';

const OBJECT = 'java.lang.Object';
const SUPERS = ['java.lang.Number', 'java.lang.Comparable', OBJECT];
const ROUNDING = 'java.math.RoundingMode';
const ROUNDINGS = enumValues(ROUNDING, 'UP DOWN CEILING FLOOR HALF_UP HALF_DOWN HALF_EVEN UNNECESSARY');
const INT_BITS = 32;
const LONG_BITS = 64;

function given<T>(value: T | null): T {
  if (value === null) throw nullPointer();
  return value;
}

class MathContext extends ScriptObject {
  readonly javaClass = 'java.math.MathContext';
  readonly precision: number;
  readonly rounding: Rounding;

  constructor(precision: number, rounding: Rounding) {
    super();
    if (precision < 0) throw illegalArgumentException('Digits < 0');
    this.precision = precision;
    this.rounding = rounding;
  }

  text(): string {
    return `precision=${this.precision} roundingMode=${this.rounding}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof MathContext && other.text() === this.text();
  }
}

const UNLIMITED = new MathContext(0, 'HALF_UP');
type Binary = (machine: ScriptMachine, a: JavaBigDecimal, b: JavaBigDecimal, context: MathContext) => JavaBigDecimal;

const sum =
  (sign: bigint): Binary =>
  (m, a, b) => {
    const [left, right, scale] = aligned(m, a, b);
    return new JavaBigDecimal(left + sign * right, scale);
  };
const product: Binary = (m, a, b) => {
  countDigits(m, a.precision + b.precision);
  return new JavaBigDecimal(a.unscaled * b.unscaled, a.scale + b.scale);
};

/** The exact quotient with as few digits as it has, or rounded to those of a context. */
const divide: Binary = (m, a, b, context) => {
  if (b.unscaled === 0n) throw arithmeticException(a.unscaled === 0n ? 'Division undefined' : 'Division by zero');
  const preferred = a.scale - b.scale;
  if (a.unscaled === 0n) return new JavaBigDecimal(0n, preferred);
  const digits = context.precision === 0 ? a.precision + Math.ceil((10 * b.precision) / 3) : context.precision + 3;
  const scale = preferred + digits + Math.max(0, b.precision - a.precision);
  if (context.precision > 0) {
    // One digit more says whether anything lies behind, so that a half is none that is not.
    const cut = quotient(m, a, b, scale, 'DOWN');
    const isExact = quotient(m, a, b, scale, 'UP').unscaled === cut.unscaled;
    if (isExact) return stripped(roundedTo(m, cut, context.precision, context.rounding), preferred);
    const sticky = new JavaBigDecimal(
      cut.unscaled * 10n + (cut.unscaled < 0n || a.unscaled < 0n !== b.unscaled < 0n ? -1n : 1n),
      scale + 1,
    );
    return roundedTo(m, sticky, context.precision, context.rounding);
  }
  try {
    return stripped(quotient(m, a, b, scale, 'UNNECESSARY'), preferred);
  } catch (error) {
    if (!(error instanceof JavaException) || error.text !== 'Rounding necessary') throw error;
    throw arithmeticException('Non-terminating decimal expansion; no exact representable decimal result.');
  }
};
const divideToWhole: Binary = (m, a, b) => {
  const whole = quotient(m, a, b, 0, 'DOWN');
  const preferred = a.scale - b.scale;
  return preferred >= 0 ? rescaled(m, whole, preferred, 'UNNECESSARY') : stripped(whole, preferred);
};
const remainder: Binary = (m, a, b, context) =>
  sum(-1n)(m, a, product(m, divideToWhole(m, a, b, context), b, context), context);

const BINARIES: readonly (readonly [name: string, run: Binary])[] = [
  ['add', sum(1n)],
  ['subtract', sum(-1n)],
  ['multiply', product],
  ['divide', divide],
  ['divideToIntegralValue', divideToWhole],
  ['remainder', remainder],
];

const binaries: Record<string, Invoke> = Object.fromEntries(
  BINARIES.flatMap(([name, run]): [string, Invoke][] => [
    [`BigDecimal ${name}(BigDecimal)`, (m, self: JavaBigDecimal, by) => run(m, self, given(by), UNLIMITED)],
    [
      `BigDecimal ${name}(BigDecimal,MathContext)`,
      (m, self: JavaBigDecimal, by, context: MathContext) =>
        roundedTo(m, run(m, self, given(by), given(context)), context.precision, context.rounding),
    ],
  ]),
);

function exactly(bits: number, value: bigint, name: string): bigint {
  if (BigInt.asIntN(bits, value) !== value) throw arithmeticException(`BigInteger out of ${name} range`);
  return value;
}

const whole = (m: ScriptMachine, value: JavaBigDecimal): bigint => rescaled(m, value, 0, 'DOWN').unscaled;
const TO: readonly (readonly [string, NumberType])[] = [
  ['byteValue', 'byte'],
  ['shortValue', 'short'],
  ['intValue', 'int'],
  ['longValue', 'long'],
];

const BIG_DECIMAL = scriptClass('java.math.BigDecimal', SUPERS, {
  'const BigDecimal ZERO': new JavaBigDecimal(0n, 0),
  'const BigDecimal ONE': new JavaBigDecimal(1n, 0),
  'const BigDecimal TEN': new JavaBigDecimal(10n, 0),
  'new(String)': (m, _s, text: string) => parseDecimal(m, given(text)),
  'new(String,MathContext)': (m, _s, text: string, context: MathContext) =>
    roundedTo(m, parseDecimal(m, given(text)), given(context).precision, context.rounding),
  'static BigDecimal valueOf(double)': (m, _s, value: number) => {
    if (!Number.isFinite(value)) {
      throw new JavaException('java.lang.NumberFormatException', 'Infinite or NaN');
    }
    // The decimal of the text that Java writes of the double: a whole one has a digit behind the point.
    return parseDecimal(m, textOf(value));
  },
  ...binaries,
  'BigDecimal abs()': (_m, self: JavaBigDecimal) =>
    new JavaBigDecimal(self.unscaled < 0n ? -self.unscaled : self.unscaled, self.scale),
  'BigDecimal negate()': (_m, self: JavaBigDecimal) => new JavaBigDecimal(-self.unscaled, self.scale),
  'BigDecimal plus()': (_m, self: JavaBigDecimal) => self,
  'BigDecimal round(MathContext)': (m, self: JavaBigDecimal, context: MathContext) =>
    roundedTo(m, self, given(context).precision, context.rounding),
  'BigDecimal pow(int)': (m, self: JavaBigDecimal, exponent: number) => {
    if (exponent < 0 || exponent > 999_999_999) throw arithmeticException('Invalid operation');
    countDigits(m, self.precision * exponent);
    return new JavaBigDecimal(self.unscaled ** BigInt(exponent), self.scale * exponent);
  },
  'BigDecimal setScale(int)': (m, self: JavaBigDecimal, scale: number) => rescaled(m, self, scale, 'UNNECESSARY'),
  'BigDecimal setScale(int,RoundingMode)': (m, self: JavaBigDecimal, scale: number, mode: JavaEnum) =>
    rescaled(m, self, scale, given(mode).name as Rounding),
  'BigDecimal movePointLeft(int)': (m, self: JavaBigDecimal, count: number) =>
    rescaled(m, new JavaBigDecimal(self.unscaled, self.scale + count), Math.max(self.scale + count, 0), 'UNNECESSARY'),
  'BigDecimal movePointRight(int)': (m, self: JavaBigDecimal, count: number) =>
    rescaled(m, new JavaBigDecimal(self.unscaled, self.scale - count), Math.max(self.scale - count, 0), 'UNNECESSARY'),
  'BigDecimal scaleByPowerOfTen(int)': (_m, self: JavaBigDecimal, count: number) =>
    new JavaBigDecimal(self.unscaled, self.scale - count),
  'BigDecimal stripTrailingZeros()': (_m, self: JavaBigDecimal) => stripped(self),
  'BigDecimal max(BigDecimal)': (_m, self: JavaBigDecimal, other: JavaBigDecimal) =>
    (self.compare(given(other)) ?? 0) >= 0 ? self : other,
  'BigDecimal min(BigDecimal)': (_m, self: JavaBigDecimal, other: JavaBigDecimal) =>
    (self.compare(given(other)) ?? 0) <= 0 ? self : other,
  'int precision()': (_m, self: JavaBigDecimal) => self.precision,
  'int scale()': (_m, self: JavaBigDecimal) => self.scale,
  'int signum()': (_m, self: JavaBigDecimal) => Number(self.unscaled > 0n) - Number(self.unscaled < 0n),
  'BigDecimal ulp()': (_m, self: JavaBigDecimal) => new JavaBigDecimal(1n, self.scale),
  'BigInteger toBigInteger()': (m, self: JavaBigDecimal) => new JavaBigInteger(whole(m, self)),
  'BigInteger toBigIntegerExact()': (m, self: JavaBigDecimal) =>
    new JavaBigInteger(rescaled(m, self, 0, 'UNNECESSARY').unscaled),
  'int intValueExact()': (m, self: JavaBigDecimal) =>
    Number(exactly(INT_BITS, rescaled(m, self, 0, 'UNNECESSARY').unscaled, 'int')),
  'long longValueExact()': (m, self: JavaBigDecimal) =>
    exactly(LONG_BITS, rescaled(m, self, 0, 'UNNECESSARY').unscaled, 'long'),
  'String toPlainString()': (m, self: JavaBigDecimal) => {
    m.grow(self.precision + Math.abs(self.scale));
    return self.plain();
  },
  ...Object.fromEntries(
    TO.map(([name, type]): [string, Invoke] => [
      `${type} ${name}()`,
      (m, self: JavaBigDecimal) => convertNumber(BigInt.asIntN(LONG_BITS, whole(m, self)), type),
    ]),
  ),
  'double doubleValue()': (_m, self: JavaBigDecimal) => self.number,
  'float floatValue()': (_m, self: JavaBigDecimal) => Math.fround(self.number),
});

const digitsOf = ({ value }: JavaBigInteger): number => value.toString(16).length * 1.3;

/** An operation on two whole numbers, whose cost is that of their product. */
const ofTwo =
  (run: (a: bigint, b: bigint) => bigint): Invoke =>
  (m, self: JavaBigInteger, other: JavaBigInteger) => {
    countDigits(m, digitsOf(self) + digitsOf(given(other)));
    return new JavaBigInteger(run(self.value, other.value));
  };

function divisor(value: bigint): bigint {
  if (value === 0n) throw arithmeticException('BigInteger divide by zero');
  return value;
}

function modulus(a: bigint, by: bigint): bigint {
  if (by <= 0n) throw arithmeticException('BigInteger: modulus not positive');
  return ((a % by) + by) % by;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function parseWhole(machine: ScriptMachine, text: string, radix: number): JavaBigInteger {
  const digits = text.replace(/^[+-]/, '');
  countDigits(machine, digits.length);
  let value = 0n;
  if (digits === '') {
    throw new JavaException(
      'java.lang.NumberFormatException',
      text === '' ? 'Zero length BigInteger' : 'Zero length BigInteger',
    );
  }
  for (const digit of digits) {
    const one = Number.parseInt(digit, radix);
    if (Number.isNaN(one)) throw new JavaException('java.lang.NumberFormatException', `For input string: "${text}"`);
    value = value * BigInt(radix) + BigInt(one);
  }
  return new JavaBigInteger(text.startsWith('-') ? -value : value);
}

function shifted(machine: ScriptMachine, { value }: JavaBigInteger, by: number): JavaBigInteger {
  if (by > 0) countDigits(machine, by / 3);
  return new JavaBigInteger(by >= 0 ? value << BigInt(by) : value >> BigInt(-by));
}

const bitLength = (value: bigint): number =>
  value === 0n || value === -1n ? 0 : (value < 0n ? ~value : value).toString(2).length;

/** Methods that numbers beyond 64 bits have besides their conversions. */
const BIG_INTEGER = scriptClass('java.math.BigInteger', SUPERS, {
  'const BigInteger ZERO': new JavaBigInteger(0n),
  'const BigInteger ONE': new JavaBigInteger(1n),
  'const BigInteger TEN': new JavaBigInteger(10n),
  'new(String)': (m, _s, text: string) => parseWhole(m, given(text), 10),
  'new(String,int)': (m, _s, text: string, radix: number) => parseWhole(m, given(text), radix),
  'static BigInteger valueOf(long)': (_m, _s, value: bigint) => new JavaBigInteger(value),
  'BigInteger add(BigInteger)': ofTwo((a, b) => a + b),
  'BigInteger subtract(BigInteger)': ofTwo((a, b) => a - b),
  'BigInteger multiply(BigInteger)': ofTwo((a, b) => a * b),
  'BigInteger divide(BigInteger)': ofTwo((a, b) => a / divisor(b)),
  'BigInteger remainder(BigInteger)': ofTwo((a, b) => a % divisor(b)),
  'BigInteger mod(BigInteger)': ofTwo(modulus),
  'BigInteger gcd(BigInteger)': ofTwo(gcd),
  'BigInteger and(BigInteger)': ofTwo((a, b) => a & b),
  'BigInteger or(BigInteger)': ofTwo((a, b) => a | b),
  'BigInteger xor(BigInteger)': ofTwo((a, b) => a ^ b),
  'BigInteger andNot(BigInteger)': ofTwo((a, b) => a & ~b),
  'BigInteger max(BigInteger)': ofTwo((a, b) => (a >= b ? a : b)),
  'BigInteger min(BigInteger)': ofTwo((a, b) => (a <= b ? a : b)),
  'BigInteger[] divideAndRemainder(BigInteger)': (m, self: JavaBigInteger, by: JavaBigInteger) => {
    countDigits(m, digitsOf(self) + digitsOf(given(by)));
    const parts = [self.value / divisor(by.value), self.value % by.value];
    return new JavaArray(
      'java.math.BigInteger',
      parts.map((part) => new JavaBigInteger(part)),
    );
  },
  'BigInteger abs()': (_m, { value }: JavaBigInteger) => new JavaBigInteger(value < 0n ? -value : value),
  'BigInteger negate()': (_m, { value }: JavaBigInteger) => new JavaBigInteger(-value),
  'BigInteger not()': (_m, { value }: JavaBigInteger) => new JavaBigInteger(~value),
  'BigInteger pow(int)': (m, self: JavaBigInteger, exponent: number) => {
    if (exponent < 0) throw arithmeticException('Negative exponent');
    countDigits(m, digitsOf(self) * exponent);
    return new JavaBigInteger(self.value ** BigInt(exponent));
  },
  'BigInteger shiftLeft(int)': (m, self: JavaBigInteger, by: number) => shifted(m, self, by),
  'BigInteger shiftRight(int)': (m, self: JavaBigInteger, by: number) => shifted(m, self, -by),
  'boolean testBit(int)': (_m, { value }: JavaBigInteger, bit: number) => {
    if (bit < 0) throw arithmeticException('Negative bit address');
    return bit >= bitLength(value) ? value < 0n : ((value >> BigInt(bit)) & 1n) === 1n;
  },
  'int signum()': (_m, { value }: JavaBigInteger) => Number(value > 0n) - Number(value < 0n),
  'int bitLength()': (_m, { value }: JavaBigInteger) => bitLength(value),
  'int bitCount()': (_m, { value }: JavaBigInteger) =>
    (value < 0n ? ~value : value).toString(2).replaceAll('0', '').length,
  'int intValueExact()': (_m, { value }: JavaBigInteger) => Number(exactly(INT_BITS, value, 'int')),
  'long longValueExact()': (_m, { value }: JavaBigInteger) => exactly(LONG_BITS, value, 'long'),
  'String toString(int)': (m, self: JavaBigInteger, radix: number) => {
    const text = self.value.toString(radix < 2 || radix > 36 ? 10 : radix);
    m.grow(text.length);
    return text;
  },
});

const MATH_CONTEXT = scriptClass('java.math.MathContext', [OBJECT], {
  'const MathContext UNLIMITED': UNLIMITED,
  'const MathContext DECIMAL32': new MathContext(7, 'HALF_EVEN'),
  'const MathContext DECIMAL64': new MathContext(16, 'HALF_EVEN'),
  'const MathContext DECIMAL128': new MathContext(34, 'HALF_EVEN'),
  'new(int)': (_m, _s, precision: number) => new MathContext(precision, 'HALF_UP'),
  'new(int,RoundingMode)': (_m, _s, precision: number, mode: JavaEnum) =>
    new MathContext(precision, given(mode).name as Rounding),
  'int getPrecision()': (_m, self: MathContext) => self.precision,
  'RoundingMode getRoundingMode()': (_m, self: MathContext) => ROUNDINGS.find(({ name }) => name === self.rounding),
});

export const DECIMAL_CLASSES: readonly ScriptClass[] = [
  BIG_DECIMAL,
  BIG_INTEGER,
  MATH_CONTEXT,
  enumClass(ROUNDING, ROUNDINGS),
];
