/**
 * Calls of lambdas by methods of the library, with what they expect back.
 */
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { unboxed, widens } from '../types/script-type.ts';
import { classCast, nullPointer } from '../values/java-exception.ts';
import { convertNumber, numberType, rawNumber } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';

export function call(machine: ScriptMachine, fn: ScriptFunction | null, ...args: readonly unknown[]): unknown {
  if (fn === null) throw nullPointer();
  machine.step();
  return fn.call(machine, args);
}

export function callPredicate(machine: ScriptMachine, fn: ScriptFunction | null, ...args: readonly unknown[]): boolean {
  const value = call(machine, fn, ...args);
  if (typeof value === 'boolean') return value;
  if (value === null) throw nullPointer();
  throw classCast(`cannot implicitly cast def [${classOf(value)}] to boolean`);
}

export function callNumber(
  machine: ScriptMachine,
  fn: ScriptFunction | null,
  type: 'int' | 'long' | 'double',
  ...args: readonly unknown[]
): number | bigint {
  const value = call(machine, fn, ...args);
  if (value === null) throw nullPointer();
  const from = numberType(value);
  if (from === null || (from !== type && !widens(from, type)))
    throw classCast(`cannot implicitly cast def [${unboxed(classOf(value))}] to ${type}`);
  return convertNumber(rawNumber(value), type);
}

/** A comparator as what `Array.sort` takes; null compares the values themselves. */
export function comparing(
  machine: ScriptMachine,
  fn: ScriptFunction | null,
  natural: (a: unknown, b: unknown) => number,
): (a: unknown, b: unknown) => number {
  if (fn === null) {
    return (a, b) => {
      machine.step();
      return natural(a, b);
    };
  }
  return (a, b) => Number(callNumber(machine, fn, 'int', a, b));
}

/** A function of the library that scripts may hold. */
export function nativeFunction(
  arity: number,
  run: (machine: ScriptMachine, args: readonly unknown[]) => unknown,
): ScriptFunction {
  return { kind: 'function', arity, call: run };
}
