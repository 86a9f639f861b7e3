/**
 * Arithmetic of Java on raw numbers of a known type, and on boxed values whose types are found when they meet.
 */
import { promoted } from '../types/script-type.ts';

import { classCast, JavaException, nullPointer } from './java-exception.ts';
import { boxed, convertNumber, type NumberType, numberType, rawNumber } from './java-numbers.ts';
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

const DOUBLE: Readonly<Record<string, Operation<number>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

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

/** `left op right` of boxed values: arithmetic, bits, or text that is joined. */
export function applyBoxed(op: string, left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') {
    const run = DOUBLE[op];
    if (run !== undefined) return run(left, right);
  }
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

/** `left op right` where op is `<`, `<=`, `>` or `>=`, of boxed numbers. */
export function compareBoxed(op: string, left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return compared(op, left, right);
  if (numberType(left) === null || numberType(right) === null) {
    if (left === null || right === null) throw nullPointer();
    throw cannotApply(op, left, right);
  }
  return compared(op, rawNumber(left), rawNumber(right));
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
