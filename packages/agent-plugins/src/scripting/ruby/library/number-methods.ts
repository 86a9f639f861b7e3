/**
 * Integers of any size, and floats.
 */

import { rubyFloatText } from '@shoal/agent-plugin-kit';
import { checkSize, indexArgument, option } from '../arguments/arguments.ts';
import { ofBytes } from '../text/string-bytes.ts';
import { compare, equals } from '../values/equality.ts';
import { toText } from '../values/inspect.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { argumentError, exception, kindName, typeError } from '../values/ruby-exception.ts';
import {
  FLOAT,
  float,
  INTEGER,
  integer,
  isFloat,
  isInteger,
  type Machine,
  type Methods,
  NUMERIC,
  numberOf,
  RubyHash,
  type RubyRange,
  str,
  type Value,
} from '../values/ruby-value.ts';

/** Bits of the largest integer that a script may make. */
const BITS_MAX = 1_000_000;

type Operation = (a: bigint, b: bigint) => bigint;

/** Numbers of both kinds; a float on one side makes the result one. */
function arithmetic(
  self: Value,
  other: Value | undefined,
  whole: (a: number, b: number) => number,
  big: Operation,
): Value {
  if (typeof self === 'number' && typeof other === 'number' && Number.isInteger(self) && Number.isInteger(other)) {
    const result = whole(self, other);
    if (Number.isSafeInteger(result)) return result;
    return integer(big(BigInt(self), BigInt(other)));
  }
  if (isInteger(self) && isInteger(other ?? null)) return integer(big(BigInt(self), BigInt(other as number | bigint)));
  const right = numberOf(other ?? null);
  if (right === null)
    throw typeError(`${kindName(other ?? null)} can't be coerced into ${isInteger(self) ? 'Integer' : 'Float'}`);
  return float(whole(numberOf(self) ?? 0, right));
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

function modulo(a: number, b: number): number {
  if (b === Number.POSITIVE_INFINITY && a >= 0) return a;
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** Rest with the sign of the dividend; a float's is taken from its modulo, as rounding shows. */
function signedRest(a: number, b: number): number {
  if (Number.isInteger(a) && Number.isInteger(b)) return a % b;
  const rest = modulo(a, b);
  return rest !== 0 && a < 0 !== b < 0 ? rest - b : rest;
}

function refuseZero(divisor: Value | undefined): void {
  if (numberOf(divisor ?? null) === 0) throw exception('ZeroDivisionError', 'divided by 0');
}

function divide(self: Value, other: Value | undefined): Value {
  const isWhole = isInteger(self) && isInteger(other ?? null);
  if (isWhole) refuseZero(other);
  return arithmetic(self, other, isWhole ? (a, b) => Math.floor(a / b) : (a, b) => a / b, floorDivide);
}

function remainder(self: Value, other: Value | undefined): Value {
  refuseZero(other);
  return arithmetic(self, other, modulo, (a, b) => a - b * floorDivide(a, b));
}

function power(self: Value, other: Value | undefined): Value {
  if (!isInteger(self) || !isInteger(other ?? null))
    return arithmetic(
      self,
      other,
      (a, b) => a ** b,
      (a) => a,
    );
  const exponent = Number(other);
  if (exponent < 0) {
    refuseZero(self);
    return float(Number(self) ** exponent);
  }
  const bits = BigInt(self).toString(2).length * exponent;
  if (bits > BITS_MAX) return float(Number.POSITIVE_INFINITY);
  return integer(BigInt(self) ** BigInt(exponent));
}

function modularPower(self: Value, exponent: Value, modulus: Value): Value {
  if (!isInteger(self) || !isInteger(exponent) || !isInteger(modulus))
    throw typeError('Integer#pow() 2nd argument not allowed unless all arguments are integers');
  if (BigInt(exponent) < 0n)
    throw exception('RangeError', 'Integer#pow() 2nd argument cannot be negative when 3rd argument specified');
  refuseZero(modulus);
  const size = BigInt(modulus);
  const inside = (value: bigint): bigint => ((value % size) + size) % size;
  let result = inside(1n);
  let factor = inside(BigInt(self));
  for (let left = BigInt(exponent); left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = inside(result * factor);
    factor = inside(factor * factor);
  }
  return integer(result);
}

function realNumber(value: Value): number {
  const number = numberOf(value);
  if (number === null) throw typeError(`can't convert ${kindName(value)} into Float`);
  return number;
}

const ARITHMETIC: Methods = {
  '+': (_machine, self, [other]) =>
    arithmetic(
      self,
      other,
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  '-': (_machine, self, [other]) =>
    arithmetic(
      self,
      other,
      (a, b) => a - b,
      (a, b) => a - b,
    ),
  '*': (_machine, self, [other]) =>
    arithmetic(
      self,
      other,
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  '/': (_machine, self, [other]) => divide(self, other),
  '%': (_machine, self, [other]) => remainder(self, other),
  modulo: (_machine, self, [other]) => remainder(self, other),
  '**': (_machine, self, [other]) => power(self, other),
  pow: (_machine, self, [other, modulus]) =>
    modulus === undefined ? power(self, other) : modularPower(self, other ?? null, modulus),
  '-@': (_machine, self) => negated(self),
  '<=>': (_machine, self, [other = null]) => compare(self, other),
  '==': (_machine, self, [other = null]) => equals(self, other),
  abs: (_machine, self) => ((numberOf(self) ?? 0) < 0 || Object.is(numberOf(self), -0) ? negated(self) : self),
  coerce: (_machine, self, [other = null]) => {
    if (isInteger(self) && isInteger(other)) return [other, self];
    return [float(realNumber(other)), float(realNumber(self))];
  },
  div: (_machine, self, [other]) => {
    refuseZero(other);
    return rounded(divide(self, other), Math.floor);
  },
  divmod: (_machine, self, [other]) => {
    refuseZero(other);
    return [rounded(divide(self, other), Math.floor), remainder(self, other)];
  },
  fdiv: (_machine, self, [other]) => float((numberOf(self) ?? 0) / (numberOf(other ?? null) ?? Number.NaN)),
  'integer?': (_machine, self) => isInteger(self),
  magnitude: (machine, self) => machine.call(self, 'abs'),
  'negative?': (_machine, self) => (numberOf(self) ?? 0) < 0,
  'nonzero?': (_machine, self) => (numberOf(self) === 0 ? null : self),
  'positive?': (_machine, self) => (numberOf(self) ?? 0) > 0,
  quo: (_machine, self, [other]) => float((numberOf(self) ?? 0) / (numberOf(other ?? null) ?? Number.NaN)),
  remainder: (_machine, self, [other]) => {
    refuseZero(other);
    return arithmetic(self, other, signedRest, (a, b) => a % b);
  },
  step: (machine, self, args, block) => {
    const by = option(args, 'by') ?? (args.length > 1 && !(args[1] instanceof RubyHash) ? args[1] : 1) ?? 1;
    const limit = option(args, 'to') ?? (args[0] instanceof RubyHash ? null : args[0]) ?? null;
    if (block === null) return new RubyEnumerator(self, 'step', args);
    const down = (numberOf(by) ?? 0) < 0;
    // One float among them makes all of them floats.
    const first = isFloat(by) || isFloat(limit) ? float(numberOf(self) ?? 0) : self;
    for (let at: Value = first; limit === null || (compare(at, limit) ?? 0) * (down ? -1 : 1) <= 0; ) {
      machine.step();
      block.run([at], null);
      at = machine.call(at, '+', [by]);
    }
    return self;
  },
  to_c: (_machine, self) => self,
  to_f: (_machine, self) => float(numberOf(self) ?? 0),
  to_int: (machine, self) => machine.call(self, 'to_i'),
  'zero?': (_machine, self) => numberOf(self) === 0,
};

function negated(value: Value): Value {
  if (typeof value === 'bigint') return integer(-value);
  const number = -(numberOf(value) ?? 0);
  return isFloat(value) ? float(number) : number === 0 ? 0 : number;
}

/** A number as an integer. */
export function rounded(value: Value, round: (value: number) => number): Value {
  if (typeof value === 'bigint') return value;
  const number = numberOf(value) ?? 0;
  if (!Number.isFinite(number)) throw exception('FloatDomainError', rubyFloatText(number));
  return integer(BigInt(round(number)));
}

/** Half away from zero, to so many digits behind the point; before it when negative. */
function roundTo(value: Value, digits: number, round: (value: number) => number): Value {
  if (digits > 0) {
    if (isInteger(value)) return value;
    const number = numberOf(value) ?? 0;
    if (!Number.isFinite(number) || digits > 17) return value;
    // The decimal text is moved, not the number: 1.005 * 100 is not 100.5.
    const shifted = round(moved(number, digits));
    return float(moved(shifted, -digits));
  }
  const whole = rounded(value, round);
  if (digits === 0) return whole;
  const unit = 10n ** BigInt(Math.min(-digits, 400));
  const exact = isInteger(value) ? BigInt(value) : BigInt(whole as number | bigint);
  const below = floorDivide(exact, unit) * unit;
  return integer(goesUp(exact, below, unit, round) ? below + unit : below);
}

function goesUp(exact: bigint, below: bigint, unit: bigint, round: (value: number) => number): boolean {
  const rest = exact - below;
  if (round === Math.ceil) return rest > 0n;
  if (round === Math.floor) return false;
  if (round === Math.trunc) return exact < 0n && rest > 0n;
  if (rest * 2n !== unit) return rest * 2n > unit;
  return round === halfEven ? (below / unit) % 2n !== 0n : exact > 0n;
}

function moved(value: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  return Number(`${mantissa}e${Number(exponent) + digits}`);
}

const halfAway = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

function halfEven(value: number): number {
  const below = Math.floor(value);
  if (value - below !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

const ROUNDING: Methods = {
  ceil: (_machine, self, [digits]) => roundTo(self, digits === undefined ? 0 : indexArgument(digits), Math.ceil),
  floor: (_machine, self, [digits]) => roundTo(self, digits === undefined ? 0 : indexArgument(digits), Math.floor),
  round: (_machine, self, args) => {
    const digits = args[0] instanceof RubyHash || args[0] === undefined ? 0 : indexArgument(args[0]);
    const half = option(args, 'half');
    return roundTo(self, digits, half !== undefined && toText(half) === 'even' ? halfEven : halfAway);
  },
  to_i: (_machine, self) => rounded(self, Math.trunc),
  truncate: (_machine, self, [digits]) => roundTo(self, digits === undefined ? 0 : indexArgument(digits), Math.trunc),
};

function bits(self: Value, other: Value | undefined, operation: Operation): Value {
  if (!isInteger(other ?? null)) throw typeError(`${kindName(other ?? null)} can't be coerced into Integer`);
  return integer(operation(BigInt(self as number | bigint), BigInt(other as number | bigint)));
}

function shift(self: Value, by: number): Value {
  if (by > BITS_MAX) throw exception('RangeError', 'shift width too big');
  const value = BigInt(self as number | bigint);
  return integer(by >= 0 ? value << BigInt(by) : value >> BigInt(Math.min(-by, BITS_MAX)));
}

function count(machine: Machine, from: number, to: number, by: 1 | -1, run: (at: number) => void): void {
  for (let at = from; by > 0 ? at <= to : at >= to; at += by) {
    machine.step();
    run(at);
  }
}

const INTEGERS: Methods = {
  '&': (_machine, self, [other]) => bits(self, other, (a, b) => a & b),
  '|': (_machine, self, [other]) => bits(self, other, (a, b) => a | b),
  '^': (_machine, self, [other]) => bits(self, other, (a, b) => a ^ b),
  '~': (_machine, self) => integer(~BigInt(self as number | bigint)),
  '<<': (_machine, self, [by]) => shift(self, indexArgument(by)),
  '>>': (_machine, self, [by]) => shift(self, -indexArgument(by)),
  '[]': (_machine, self, [at]) => Number((BigInt(self as number | bigint) >> BigInt(indexArgument(at))) & 1n),
  bit_length: (_machine, self) => {
    const value = BigInt(self as number | bigint);
    return value === 0n ? 0 : (value < 0n ? ~value : value).toString(2).replace(/^0$/, '').length;
  },
  chr: (_machine, self, [encoding]) => {
    const code = Number(self);
    const most = encoding === undefined ? 0xff : 0x10_ffff;
    if (code < 0 || code > most) throw exception('RangeError', `${code} out of char range`);
    return encoding === undefined && code > 0x7f ? ofBytes(Uint8Array.of(code)) : str(String.fromCodePoint(code));
  },
  digits: (_machine, self, [base]) =>
    digitsOf(BigInt(self as number | bigint), BigInt(base === undefined ? 10 : indexArgument(base))),
  downto: (machine, self, [to], block) => {
    if (block === null) return new RubyEnumerator(self, 'downto', to === undefined ? [] : [to]);
    count(machine, Number(self), numberOf(to ?? null) ?? 0, -1, (at) => block.run([at], null));
    return self;
  },
  'even?': (_machine, self) => BigInt(self as number | bigint) % 2n === 0n,
  gcd: (_machine, self, [other]) => {
    let [a, b] = [BigInt(self as number | bigint), BigInt(indexArgument(other))];
    while (b !== 0n) [a, b] = [b, a % b];
    return integer(a < 0n ? -a : a);
  },
  lcm: (machine, self, [other]) => {
    const common = machine.call(self, 'gcd', [other ?? null]);
    if (common === 0) return 0;
    const product = BigInt(self as number | bigint) * BigInt(indexArgument(other));
    return integer((product < 0n ? -product : product) / BigInt(common as number | bigint));
  },
  inspect: (_machine, self) => str(String(self)),
  'odd?': (_machine, self) => BigInt(self as number | bigint) % 2n !== 0n,
  ord: (_machine, self) => self,
  pred: (machine, self) => machine.call(self, '-', [1]),
  size: () => 8,
  succ: (machine, self) => machine.call(self, '+', [1]),
  next: (machine, self) => machine.call(self, '+', [1]),
  times: (machine, self, _args, block) => {
    if (block === null) return new RubyEnumerator(self, 'times');
    count(machine, 0, Number(self) - 1, 1, (at) => block.run([at], null));
    return self;
  },
  to_s: (_machine, self, [base]) => {
    const radix = base === undefined ? 10 : indexArgument(base);
    if (radix < 2 || radix > 36) throw argumentError(`invalid radix ${radix}`);
    return str((self as number | bigint).toString(radix));
  },
  upto: (machine, self, [to], block) => {
    if (block === null) return new RubyEnumerator(self, 'upto', to === undefined ? [] : [to]);
    count(machine, Number(self), numberOf(to ?? null) ?? 0, 1, (at) => block.run([at], null));
    return self;
  },
};

function digitsOf(value: bigint, base: bigint): Value[] {
  if (value < 0n) throw exception('Math::DomainError', 'out of domain');
  const digits: Value[] = [];
  for (let rest = value; rest > 0n || digits.length === 0; rest /= base) digits.push(Number(rest % base));
  return digits;
}

const FLOATS: Methods = {
  'finite?': (_machine, self) => Number.isFinite(numberOf(self)),
  'infinite?': (_machine, self) => {
    const value = numberOf(self) ?? 0;
    return Number.isNaN(value) || Number.isFinite(value) ? null : Math.sign(value);
  },
  'nan?': (_machine, self) => Number.isNaN(numberOf(self)),
};

export function defineNumbers(): void {
  NUMERIC.define({ ...ARITHMETIC, ...ROUNDING });
  INTEGER.define({ ...INTEGERS, 'finite?': () => true, 'infinite?': () => null });
  FLOAT.define(FLOATS);
  INTEGER.defineOnClass({
    sqrt: (_machine, _self, [value]) => Math.floor(Math.sqrt(indexArgument(value))),
  });
}

/** Items of a range of integers, counted before they are made. */
export function integersOf(machine: Machine, range: RubyRange): Value[] | null {
  if (!isInteger(range.from)) return null;
  if (range.to === null) throw exception('RangeError', 'cannot convert endless range to an array');
  const from = Number(range.from);
  const last = Math.floor(numberOf(range.to) ?? Number.NaN);
  const to = range.isExclusive && last === numberOf(range.to) ? last - 1 : last;
  const size = checkSize(machine, Math.max(0, to - from + 1));
  return Array.from({ length: size }, (_, index) => from + index);
}
