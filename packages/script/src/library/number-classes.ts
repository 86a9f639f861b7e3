/**
 * `Number` and its kin, `Character` and `Math`.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { compareNumbers, compareObjects } from '../values/equality.ts';
import { JavaException } from '../values/java-exception.ts';
import { convertNumber, doubleToLong, JavaInteger, type NumberType, rawNumber } from '../values/java-numbers.ts';
import { textOf } from '../values/java-text.ts';

const OBJECT = 'java.lang.Object';
const NUMBER = 'java.lang.Number';
const COMPARABLE = 'java.lang.Comparable';
const TO: readonly (readonly [string, NumberType])[] = [
  ['byteValue', 'byte'],
  ['shortValue', 'short'],
  ['intValue', 'int'],
  ['longValue', 'long'],
  ['floatValue', 'float'],
  ['doubleValue', 'double'],
];

const conversions = (): Record<string, Invoke> =>
  Object.fromEntries(
    TO.map(([name, type]) => [`${type} ${name}()`, (_m, self) => convertNumber(rawNumber(self), type)]),
  );

function badNumber(text: string): JavaException {
  return new JavaException('java.lang.NumberFormatException', `For input string: "${text}"`);
}

/** Whole number in a text, as Java reads one. */
function parseWhole(text: string | null, radix: number, bits: number): bigint {
  if (text === null) throw new JavaException('java.lang.NumberFormatException', 'Cannot parse null string: null');
  const digits = text.replace(/^[+-]/, '');
  const limit = 20;
  if (digits === '' || !/^[0-9a-z]+$/i.test(digits) || digits.replace(/^0+/, '').length > limit * 4)
    throw badNumber(text);
  let value = 0n;
  for (const digit of digits) {
    const one = Number.parseInt(digit, radix);
    if (Number.isNaN(one)) throw badNumber(text);
    value = value * BigInt(radix) + BigInt(one);
  }
  if (text.startsWith('-')) value = -value;
  if (BigInt.asIntN(bits, value) !== value) throw badNumber(text);
  return value;
}

const DECIMAL = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?$/;

function parseDecimal(text: string | null): number {
  if (text === null) throw new JavaException('java.lang.NullPointerException', null);
  const trimmed = text.trim();
  if (trimmed === '') throw new JavaException('java.lang.NumberFormatException', 'empty String');
  if (!DECIMAL.test(trimmed)) throw badNumber(text);
  return Number(trimmed.replace(/[fFdD]$/, ''));
}

const INT_BITS = 32;
const LONG_BITS = 64;
const parseInteger = (text: string | null, radix = 10): number => Number(parseWhole(text, radix, INT_BITS));
const parseLong = (text: string | null, radix = 10): bigint => parseWhole(text, radix, LONG_BITS);
const least = <T extends number | bigint>(a: T, b: T): T => (Object.is(a, -0) || a < b || Number.isNaN(a) ? a : b);
const most = <T extends number | bigint>(a: T, b: T): T => (Object.is(b, -0) || a > b || Number.isNaN(a) ? a : b);

/** Takes what widens to the own type: a double is compared with an integer, and not the other way round. */
const compareTo: Invoke = (_m, self, other) => compareObjects(self, other);
const compareMember: Invoke = (_m, _s, a, b) => compareNumbers(a, b);

const INTEGER = scriptClass('java.lang.Integer', [NUMBER, COMPARABLE, OBJECT], {
  'int compareTo(Integer)': compareTo,
  'static int parseInt(String)': (_m, _s, text) => parseInteger(text),
  'static int parseInt(String,int)': (_m, _s, text, radix) => parseInteger(text, radix),
  'static Integer valueOf(def)': (_m, _s, value) => {
    if (typeof value === 'string' || value === null) return JavaInteger.of(parseInteger(value));
    return JavaInteger.of(Number(convertNumber(rawNumber(value), 'int')));
  },
  'static Integer valueOf(String,int)': (_m, _s, text, radix) => JavaInteger.of(parseInteger(text, radix)),
  'static String toString(int)': (_m, _s, value) => String(value),
  'static String toString(int,int)': (_m, _s, value: number, radix) => value.toString(radix),
  'static String toHexString(int)': (_m, _s, value: number) => (value >>> 0).toString(16),
  'static String toBinaryString(int)': (_m, _s, value: number) => (value >>> 0).toString(2),
  'static String toOctalString(int)': (_m, _s, value: number) => (value >>> 0).toString(8),
  'static int compare(int,int)': compareMember,
  'static int max(int,int)': (_m, _s, a: number, b: number) => Math.max(a, b),
  'static int min(int,int)': (_m, _s, a: number, b: number) => Math.min(a, b),
  'static int sum(int,int)': (_m, _s, a: number, b: number) => (a + b) | 0,
  'static int signum(int)': (_m, _s, a: number) => Math.sign(a),
  'static int bitCount(int)': (_m, _s, a: number) => (a >>> 0).toString(2).replaceAll('0', '').length,
  'static int numberOfLeadingZeros(int)': (_m, _s, a: number) => Math.clz32(a),
  'static int numberOfTrailingZeros(int)': (_m, _s, a: number) => (a === 0 ? INT_BITS : 31 - Math.clz32(a & -a)),
  'static int highestOneBit(int)': (_m, _s, a: number) => (a === 0 ? 0 : (1 << (31 - Math.clz32(a))) | 0),
  'static int lowestOneBit(int)': (_m, _s, a: number) => a & -a,
  'static int rotateLeft(int,int)': (_m, _s, a: number, by: number) => (a << by) | (a >>> -by),
  'static int rotateRight(int,int)': (_m, _s, a: number, by: number) => (a >>> by) | (a << -by),
  'static int compareUnsigned(int,int)': (_m, _s, a: number, b: number) => compareNumbers(a >>> 0, b >>> 0),
  'static long toUnsignedLong(int)': (_m, _s, a: number) => BigInt(a >>> 0),
  'static String toUnsignedString(int)': (_m, _s, a: number) => String(a >>> 0),
  'const int BYTES': 4,
  'const int SIZE': INT_BITS,
  'static int hashCode(int)': (_m, _s, a: number) => a,
  'const int MAX_VALUE': 2 ** 31 - 1,
  'const int MIN_VALUE': -(2 ** 31),
});

const LONG = scriptClass('java.lang.Long', [NUMBER, COMPARABLE, OBJECT], {
  'int compareTo(Long)': compareTo,
  'static long parseLong(String)': (_m, _s, text) => parseLong(text),
  'static long parseLong(String,int)': (_m, _s, text, radix) => parseLong(text, radix),
  'static Long valueOf(def)': (_m, _s, value) =>
    typeof value === 'string' || value === null ? parseLong(value) : convertNumber(rawNumber(value), 'long'),
  'static String toString(long)': (_m, _s, value) => String(value),
  'static String toString(long,int)': (_m, _s, value: bigint, radix) => value.toString(radix),
  'static String toHexString(long)': (_m, _s, value: bigint) => BigInt.asUintN(LONG_BITS, value).toString(16),
  'static String toBinaryString(long)': (_m, _s, value: bigint) => BigInt.asUintN(LONG_BITS, value).toString(2),
  'static int compare(long,long)': compareMember,
  'static long max(long,long)': (_m, _s, a: bigint, b: bigint) => most(a, b),
  'static long min(long,long)': (_m, _s, a: bigint, b: bigint) => least(a, b),
  'static long sum(long,long)': (_m, _s, a: bigint, b: bigint) => BigInt.asIntN(LONG_BITS, a + b),
  'static int bitCount(long)': (_m, _s, a: bigint) =>
    BigInt.asUintN(LONG_BITS, a).toString(2).replaceAll('0', '').length,
  'static int numberOfLeadingZeros(long)': (_m, _s, a: bigint) =>
    a === 0n ? LONG_BITS : LONG_BITS - BigInt.asUintN(LONG_BITS, a).toString(2).length,
  'static int numberOfTrailingZeros(long)': (_m, _s, a: bigint) =>
    a === 0n ? LONG_BITS : (/0*$/.exec(BigInt.asUintN(LONG_BITS, a).toString(2))?.[0].length ?? 0),
  'static String toOctalString(long)': (_m, _s, value: bigint) => BigInt.asUintN(LONG_BITS, value).toString(8),
  'static String toUnsignedString(long)': (_m, _s, value: bigint) => String(BigInt.asUintN(LONG_BITS, value)),
  'const int BYTES': 8,
  'const int SIZE': LONG_BITS,
  'static int signum(long)': (_m, _s, a: bigint) => (a > 0n ? 1 : a < 0n ? -1 : 0),
  'const long MAX_VALUE': 2n ** 63n - 1n,
  'const long MIN_VALUE': -(2n ** 63n),
});

const DOUBLE = scriptClass('java.lang.Double', [NUMBER, COMPARABLE, OBJECT], {
  'int compareTo(Double)': compareTo,
  'static double parseDouble(String)': (_m, _s, text) => parseDecimal(text),
  'static Double valueOf(def)': (_m, _s, value) =>
    typeof value === 'string' || value === null ? parseDecimal(value) : Number(rawNumber(value)),
  'static String toString(double)': (_m, _s, value) => textOf(value),
  'static int compare(double,double)': compareMember,
  'static double max(double,double)': (_m, _s, a: number, b: number) => Math.max(a, b),
  'static double min(double,double)': (_m, _s, a: number, b: number) => Math.min(a, b),
  'static double sum(double,double)': (_m, _s, a: number, b: number) => a + b,
  'static boolean isNaN(double)': (_m, _s, value: number) => Number.isNaN(value),
  'static boolean isInfinite(double)': (_m, _s, value: number) => Math.abs(value) === Number.POSITIVE_INFINITY,
  'static boolean isFinite(double)': (_m, _s, value: number) => Number.isFinite(value),
  'boolean isNaN()': (_m, self: number) => Number.isNaN(self),
  'boolean isInfinite()': (_m, self: number) => Math.abs(self) === Number.POSITIVE_INFINITY,
  'const double MAX_VALUE': Number.MAX_VALUE,
  'const double MIN_VALUE': Number.MIN_VALUE,
  'const double NaN': Number.NaN,
  'const double POSITIVE_INFINITY': Number.POSITIVE_INFINITY,
  'const double NEGATIVE_INFINITY': Number.NEGATIVE_INFINITY,
});

const FLOAT = scriptClass('java.lang.Float', [NUMBER, COMPARABLE, OBJECT], {
  'int compareTo(Float)': compareTo,
  'static float parseFloat(String)': (_m, _s, text) => Math.fround(parseDecimal(text)),
  'static int compare(float,float)': compareMember,
  'static float max(float,float)': (_m, _s, a: number, b: number) => Math.max(a, b),
  'static float min(float,float)': (_m, _s, a: number, b: number) => Math.min(a, b),
  'static boolean isNaN(float)': (_m, _s, value: number) => Number.isNaN(value),
  'const float MAX_VALUE': Math.fround(3.4028234663852886e38),
  'const float MIN_VALUE': Math.fround(1.401298464324817e-45),
  'const float NaN': Number.NaN,
  'const float POSITIVE_INFINITY': Number.POSITIVE_INFINITY,
  'const float NEGATIVE_INFINITY': Number.NEGATIVE_INFINITY,
});

/** Control characters that separate, and spaces that a line may be broken at. */
function isWhiteSpace(unit: number): boolean {
  if ((unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f)) return true;
  const isUnbreakable = unit === 0xa0 || unit === 0x2007 || unit === 0x202f;
  return !isUnbreakable && /[\p{Zs}\p{Zl}\p{Zp}]/u.test(String.fromCharCode(unit));
}

const isOf =
  (pattern: RegExp): Invoke =>
  (_m, _s, unit: number) =>
    pattern.test(String.fromCharCode(unit));

const CHARACTER = scriptClass('java.lang.Character', [COMPARABLE, OBJECT], {
  'char charValue()': (_m, self) => rawNumber(self),
  'static boolean isDigit(char)': isOf(/\p{Nd}/u),
  'static boolean isLetter(char)': isOf(/\p{L}/u),
  'static boolean isLetterOrDigit(char)': isOf(/[\p{L}\p{Nd}]/u),
  'static boolean isAlphabetic(int)': isOf(/\p{Alphabetic}/u),
  'static boolean isUpperCase(char)': isOf(/\p{Uppercase}/u),
  'static boolean isLowerCase(char)': isOf(/\p{Lowercase}/u),
  'static boolean isWhitespace(char)': (_m, _s, unit: number) => isWhiteSpace(unit),
  'static char toUpperCase(char)': (_m, _s, unit: number) => String.fromCharCode(unit).toUpperCase().charCodeAt(0),
  'static char toLowerCase(char)': (_m, _s, unit: number) => String.fromCharCode(unit).toLowerCase().charCodeAt(0),
  'static int getNumericValue(char)': (_m, _s, unit: number) => {
    const value = Number.parseInt(String.fromCharCode(unit), 36);
    return Number.isNaN(value) ? -1 : value;
  },
  'static String toString(char)': (_m, _s, unit: number) => String.fromCharCode(unit),
  'static int compare(char,char)': (_m, _s, a: number, b: number) => a - b,
});

const ONE =
  (run: (value: number) => number): Invoke =>
  (_m, _s, value) =>
    run(value);

/** Rounds half up, as `Math.round` of Java. */
const round = (value: number): bigint => doubleToLong(Math.floor(value + 0.5));

const MATH = scriptClass('java.lang.Math', [OBJECT], {
  ...Object.fromEntries(
    [
      'acos',
      'asin',
      'atan',
      'cbrt',
      'ceil',
      'cos',
      'cosh',
      'exp',
      'expm1',
      'floor',
      'log',
      'log10',
      'log1p',
      'sin',
      'sinh',
      'sqrt',
      'tan',
      'tanh',
    ].map((name) => [`static double ${name}(double)`, ONE(Math[name as 'sin'])]),
  ),
  'static double signum(double)': ONE(Math.sign),
  'static double rint(double)': ONE((value) => {
    const whole = Math.floor(value);
    const rest = value - whole;
    return rest === 0.5 ? whole + (whole % 2 === 0 ? 0 : 1) : Math.round(value);
  }),
  'static double toDegrees(double)': ONE((value) => (value * 180) / Math.PI),
  'static double toRadians(double)': ONE((value) => (value / 180) * Math.PI),
  'static double abs(double)': ONE(Math.abs),
  'static long round(double)': (_m, _s, value: number) => round(value),
  'static double max(double,double)': (_m, _s, a: number, b: number) => Math.max(a, b),
  'static double min(double,double)': (_m, _s, a: number, b: number) => Math.min(a, b),
  'static double pow(double,double)': (_m, _s, a: number, b: number) =>
    Math.abs(a) === 1 && !Number.isFinite(b) ? Number.NaN : a ** b,
  'static double atan2(double,double)': (_m, _s, a: number, b: number) => Math.atan2(a, b),
  'static double hypot(double,double)': (_m, _s, a: number, b: number) => Math.hypot(a, b),
  'static double IEEEremainder(double,double)': (_m, _s, a: number, b: number) => {
    const quotient = a / b;
    const whole = Math.floor(quotient);
    const nearest = quotient - whole === 0.5 ? whole + (whole % 2 === 0 ? 0 : 1) : Math.round(quotient);
    return a - b * nearest;
  },
  'static int floorMod(int,int)': (_m, _s, a: number, b: number) => {
    if (b === 0) throw new JavaException('java.lang.ArithmeticException', '/ by zero');
    return ((a % b) + b) % b;
  },
  'static int floorDiv(int,int)': (_m, _s, a: number, b: number) => {
    if (b === 0) throw new JavaException('java.lang.ArithmeticException', '/ by zero');
    return Math.floor(a / b);
  },
  'const double E': Math.E,
  'const double PI': Math.PI,
});

const NUMBERS = scriptClass(NUMBER, [OBJECT], conversions());

export const NUMBER_CLASSES: readonly ScriptClass[] = [
  NUMBERS,
  INTEGER,
  LONG,
  DOUBLE,
  FLOAT,
  CHARACTER,
  scriptClass('java.lang.Byte', [NUMBER, COMPARABLE, OBJECT], {
    'int compareTo(Byte)': compareTo,
    'static byte parseByte(String)': (_m, _s, text) => Number(parseWhole(text, 10, 8)),
    'const byte MAX_VALUE': 127,
    'const byte MIN_VALUE': -128,
  }),
  scriptClass('java.lang.Short', [NUMBER, COMPARABLE, OBJECT], {
    'int compareTo(Short)': compareTo,
    'static short parseShort(String)': (_m, _s, text) => Number(parseWhole(text, 10, 16)),
    'const short MAX_VALUE': 32_767,
    'const short MIN_VALUE': -32_768,
  }),
  scriptClass('java.math.BigInteger', [NUMBER, COMPARABLE, OBJECT], {
    ...Object.fromEntries(
      TO.map(([name, type]) => [
        `${type} ${name}()`,
        (_m: unknown, self: { readonly value: bigint }) =>
          type === 'double' || type === 'float'
            ? Number(self.value)
            : convertNumber(BigInt.asIntN(LONG_BITS, self.value), type),
      ]),
    ),
  }),
  MATH,
];
