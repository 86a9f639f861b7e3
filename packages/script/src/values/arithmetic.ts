/**
 * Arithmetic of Java on raw numbers of a known type, and on boxed values whose types are found when they meet.
 */
import { promoted } from '../types/script-type.ts';

import { classCast, JavaException, nullPointer } from './java-exception.ts';
import {
  boxed,
  convertNumber,
  JavaInteger,
  type NumberType,
  numberType,
  promotedPair,
  rawNumber,
} from './java-numbers.ts';
import { classOf, textOf } from './java-text.ts';

type Operation<T> = (a: T, b: T) => T;

const LONG_BITS = 64;

function divideByZero(): JavaException {
  return new JavaException('java.lang.ArithmeticException', '/ by zero');
}

const INT: Readonly<Record<string, Operation<number>>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': (a, b) => Math.imul(a, b),
  '/': (a, b) => {
    if (b === 0) throw divideByZero();
    return (a / b) | 0;
  },
  '%': (a, b) => {
    if (b === 0) throw divideByZero();
    return (a % b) | 0;
  },
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

const LONG: Readonly<Record<string, Operation<bigint>>> = {
  '+': (a, b) => BigInt.asIntN(LONG_BITS, a + b),
  '-': (a, b) => BigInt.asIntN(LONG_BITS, a - b),
  '*': (a, b) => BigInt.asIntN(LONG_BITS, a * b),
  '/': (a, b) => {
    if (b === 0n) throw divideByZero();
    return BigInt.asIntN(LONG_BITS, a / b);
  },
  '%': (a, b) => {
    if (b === 0n) throw divideByZero();
    return a % b;
  },
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

const DOUBLE_OPERATORS = ['+', '-', '*', '/', '%'] as const;
type DoubleOperator = (typeof DOUBLE_OPERATORS)[number];

/** `a op b` of raw doubles, without a call through a table. */
function ofDoubles(op: DoubleOperator, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    default:
      return a % b;
  }
}

const DOUBLE: Readonly<Record<string, Operation<number>>> = Object.fromEntries(
  DOUBLE_OPERATORS.map((op) => [op, (a: number, b: number) => ofDoubles(op, a, b)]),
);

const FLOAT: Readonly<Record<string, Operation<number>>> = Object.fromEntries(
  Object.entries(DOUBLE).map(([op, run]) => [op, (a: number, b: number) => Math.fround(run(a, b))]),
);

const TABLES = { int: INT, long: LONG, float: FLOAT, double: DOUBLE } as const;

/** The operation on two raw numbers of a type; null where the type has none of that name. */
export function operation(op: string, type: 'int' | 'long' | 'float' | 'double'): Operation<unknown> | null {
  // Each table takes the raw form of its own type, which the caller has converted both sides to.
  return (TABLES[type][op] as Operation<unknown> | undefined) ?? null;
}

/** A shift of a raw int or long by a number of bits. */
export function shift(op: string, type: 'int' | 'long', value: number | bigint, by: number): number | bigint {
  if (type === 'long') {
    const long = value as bigint;
    const bits = BigInt(by & (LONG_BITS - 1));
    if (op === '<<') return BigInt.asIntN(LONG_BITS, long << bits);
    return op === '>>' ? long >> bits : BigInt.asIntN(LONG_BITS, BigInt.asUintN(LONG_BITS, long) >> bits);
  }
  const int = value as number;
  if (op === '<<') return int << by;
  return op === '>>' ? int >> by : (int >>> by) | 0;
}

function cannotApply(op: string, left: unknown, right: unknown): JavaException {
  const name = (value: unknown): string => (value === null ? 'null' : classOf(value));
  return classCast(`Cannot apply [${op}] operation to types [${name(left)}] and [${name(right)}].`);
}

/** A boxed double, int or long as a double; NaN for all else, and for the double that is none. */
function asDouble(value: unknown): number {
  if (typeof value === 'number') return value;
  if (value instanceof JavaInteger) return value.value;
  return typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** A boxed int or long as a long; null for all else. */
function asLong(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  return value instanceof JavaInteger ? BigInt(value.value) : null;
}

/** `left op right` of boxed values as a function that `applyBoxed` is the rule of, and quick with doubles, longs and ints. */
export function boxedOperation(op: string): (left: unknown, right: unknown) => unknown {
  const double = DOUBLE_OPERATORS.find((one) => one === op);
  const int = INT[op];
  const long = LONG[op];
  if (double === undefined || int === undefined || long === undefined) {
    return (left, right) => applyBoxed(op, left, right);
  }
  return (left, right) => {
    if (typeof left === 'number' || typeof right === 'number') {
      const result = ofDoubles(double, asDouble(left), asDouble(right));
      if (!Number.isNaN(result)) return result;
    } else if (left instanceof JavaInteger && right instanceof JavaInteger) {
      return JavaInteger.of(int(left.value, right.value));
    } else {
      const a = asLong(left);
      const b = asLong(right);
      if (a !== null && b !== null) return long(a, b);
    }
    return applyBoxed(op, left, right);
  };
}

/** `left op right` of boxed values: arithmetic, bits, or text that is joined. */
export function applyBoxed(op: string, left: unknown, right: unknown): unknown {
  if (op === '+' && (typeof left === 'string' || typeof right === 'string')) return textOf(left) + textOf(right);
  const leftType = numberType(left);
  const rightType = numberType(right);
  if (leftType === null || rightType === null) {
    if (typeof left === 'boolean' && typeof right === 'boolean') {
      if (op === '&') return left && right;
      if (op === '|') return left || right;
      if (op === '^') return left !== right;
    }
    if (left === null || right === null) throw nullPointer();
    throw cannotApply(op, left, right);
  }
  if (op === '<<' || op === '>>' || op === '>>>') {
    const type = promoted(leftType, 'int');
    if (type !== 'int' && type !== 'long') throw cannotApply(op, left, right);
    const by = Number(convertNumber(rawNumber(right), 'int'));
    return boxed(shift(op, type, convertNumber(rawNumber(left), type), by), type);
  }
  const type = promoted(leftType, rightType) ?? 'int';
  const run = operation(op, type);
  if (run === null) throw cannotApply(op, left, right);
  return boxed(run(convertNumber(rawNumber(left), type), convertNumber(rawNumber(right), type)), type);
}

/** `left op right` where op is `<`, `<=`, `>` or `>=`, of boxed numbers, brought to one type as for arithmetic. */
export function compareBoxed(op: string, left: unknown, right: unknown): boolean {
  // Two longs may differ by less than doubles tell.
  if (typeof left !== 'bigint' || typeof right !== 'bigint') {
    const a = asDouble(left);
    const b = asDouble(right);
    if (!Number.isNaN(a) && !Number.isNaN(b)) return compared(op, a, b);
  }
  const pair = promotedPair(left, right);
  if (pair !== null) return compared(op, pair[0], pair[1]);
  if (left === null || right === null) throw nullPointer();
  throw cannotApply(op, left, right);
}

/** The same of raw numbers. */
export function compared(op: string, left: number | bigint, right: number | bigint): boolean {
  switch (op) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}

/** `op` in front of a boxed value. */
export function applyUnary(op: string, value: unknown): unknown {
  const type = numberType(value);
  if (value === null) throw nullPointer();
  const name = type === null ? null : promoted(type, 'int');
  if (name === null || (op === '~' && (name === 'float' || name === 'double'))) {
    throw classCast(`Cannot apply [${op}] operation to type [${classOf(value)}].`);
  }
  return boxed(unaryRaw(op, name, convertNumber(rawNumber(value), name)), name);
}

export function unaryRaw(op: string, type: NumberType, value: number | bigint): number | bigint {
  if (op === '+') return value;
  if (typeof value === 'bigint') return BigInt.asIntN(LONG_BITS, op === '-' ? -value : ~value);
  if (op === '~') return ~value;
  return type === 'int' ? -value | 0 : -value;
}
