/**
 * Numbers as scripts hold them where a type is not known beforehand: a double is a JavaScript number, a long a bigint, and
 * the others are objects of these classes.
 */

import { promoted } from '../types/script-type.ts';
import { classCast } from './java-exception.ts';

/** A boxed int. */
export class JavaInteger {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }

  static of(value: number): JavaInteger {
    return (value >= -SMALL_MAX && value < SMALL_MAX ? SMALL[value + SMALL_MAX] : undefined) ?? new JavaInteger(value);
  }
}

/** Numbers up to this size are made once. */
const SMALL_MAX = 128;
const SMALL: readonly JavaInteger[] = Array.from({ length: 2 * SMALL_MAX }, (_, i) => new JavaInteger(i - SMALL_MAX));

/** A boxed float; the value is one of float32. */
export class JavaFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A boxed byte or short. */
export class JavaSmall {
  readonly value: number;
  readonly type: 'byte' | 'short';

  constructor(value: number, type: 'byte' | 'short') {
    this.value = value;
    this.type = type;
  }
}

/** A boxed char. */
export class JavaCharacter {
  /** UTF-16 unit. */
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Whole numbers beyond 64 bits, as JSON may bring them. */
export class JavaBigInteger {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export type NumberType = 'byte' | 'short' | 'char' | 'int' | 'long' | 'float' | 'double';

/** Primitive type of a boxed number or character; null for any other value. */
export function numberType(value: unknown): NumberType | null {
  if (typeof value === 'number') return 'double';
  if (value instanceof JavaInteger) return 'int';
  if (typeof value === 'bigint') return 'long';
  if (value instanceof JavaFloat) return 'float';
  if (value instanceof JavaCharacter) return 'char';
  if (value instanceof JavaSmall) return value.type;
  return null;
}

/** The raw form of a boxed primitive: a number, or a bigint for a long. */
export function rawNumber(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return (value as JavaInteger | JavaFloat | JavaSmall | JavaCharacter).value;
}

/** A raw primitive as an object that knows its type. */
export function boxed(value: unknown, type: string): unknown {
  switch (type) {
    case 'int':
      return JavaInteger.of(value as number);
    case 'float':
      return new JavaFloat(value as number);
    case 'char':
      return new JavaCharacter(value as number);
    case 'byte':
    case 'short':
      return new JavaSmall(value as number, type);
    default:
      return value;
  }
}

/** What makes an object of a raw primitive; null where the raw form is the boxed one. */
export function boxing(type: string): ((raw: unknown) => unknown) | null {
  return type === 'int' || type === 'float' || type === 'char' || type === 'byte' || type === 'short'
    ? (raw) => boxed(raw, type)
    : null;
}

const NO_NUMBER =
  "class java.lang.String cannot be cast to class java.lang.Number (java.lang.String and java.lang.Number are in module java.base of loader 'bootstrap')";
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** A double as a long: cut, and held within its range. */
export function doubleToLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return LONG_MAX;
  if (value <= -(2 ** 63)) return LONG_MIN;
  return BigInt(Math.trunc(value));
}

/** A double as an int: cut, and held within its range. */
function doubleToInt(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(value))) | 0;
}

/** A raw number of one primitive type as one of another, as casts of Java do. */
export function convertNumber(value: number | bigint, to: NumberType): number | bigint {
  switch (to) {
    case 'double':
      return Number(value);
    case 'float':
      return Math.fround(Number(value));
    case 'long':
      return typeof value === 'bigint' ? value : doubleToLong(value);
    default: {
      const int = typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : doubleToInt(value);
      if (to === 'int') return int;
      if (to === 'char') return int & 0xffff;
      return to === 'short' ? (int << 16) >> 16 : (int << 24) >> 24;
    }
  }
}

/**
 * A boxed number as one of the type of another; beside null, and of one class with the other, a value is left as it is.
 *
 * @throws JavaException `ClassCastException` for text that would stand for a number
 */
export function castLike(value: unknown, other: unknown): unknown {
  const [from, to] = [numberType(value), numberType(other)];
  if (from === null && to !== null && typeof value === 'string') throw classCast(NO_NUMBER);
  if (from === null || to === null || from === to) return value;
  return boxed(convertNumber(rawNumber(value), to), to);
}

/** Two boxed numbers in the raw form of the type that arithmetic brings both to; null where one is no number. */
export function promotedPair(left: unknown, right: unknown): readonly [number | bigint, number | bigint] | null {
  const [leftType, rightType] = [numberType(left), numberType(right)];
  if (leftType === null || rightType === null) return null;
  const type = promoted(leftType, rightType) ?? 'int';
  return [convertNumber(rawNumber(left), type), convertNumber(rawNumber(right), type)];
}
