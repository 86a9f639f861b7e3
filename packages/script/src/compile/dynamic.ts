/**
 * Fields, items and methods of values whose types are only known when the script runs.
 */

import type { ScriptMethod } from '../contract/script-class.ts';
import { findGetter, findMethod, findSetter } from '../library/class-library.ts';
import { fromDef } from '../library/convert.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import {
  arrayIndexOutOfBounds,
  illegalArgumentException,
  indexOutOfBounds,
  nullReceiver,
} from '../values/java-exception.ts';
import { JavaArray, JavaMap } from '../values/java-map.ts';
import { boxed } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';
import { ScriptList } from '../values/script-object.ts';

/** Calls a method of the library with boxed arguments; the result is boxed. */
export function invoke(method: ScriptMethod, machine: ScriptMachine, self: unknown, args: readonly unknown[]): unknown {
  const { parameters } = method;
  const given = args.map((value, i) => fromDef(value, parameters[i] ?? 'def'));
  return boxed(method.invoke(machine, self, ...given), method.returns);
}

export function callDynamic(machine: ScriptMachine, self: unknown, name: string, args: readonly unknown[]): unknown {
  if (self === null) throw nullReceiver();
  const javaClass = isFunction(self) ? 'lambda' : classOf(self);
  const method = findMethod(javaClass, `${name}/${args.length}`);
  if (method === null) {
    throw illegalArgumentException(`dynamic method [${javaClass}, ${name}/${args.length}] not found`);
  }
  machine.step();
  return invoke(method, machine, self, args);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function';
}

export function getField(machine: ScriptMachine, self: unknown, name: string): unknown {
  if (self === null) throw nullReceiver();
  if (self instanceof JavaArray && name === 'length') return boxed(self.items.length, 'int');
  const javaClass = classOf(self);
  const getter = findGetter(javaClass, name);
  if (getter !== null) return boxed(getter.invoke(machine, self), getter.returns);
  if (self instanceof JavaMap) return self.get(name);
  if (isListIndex(self, name)) return getItem(self, Number(name));
  if (Array.isArray(self) || self instanceof ScriptList) {
    throw illegalArgumentException(`Illegal list shortcut value [${name}].`);
  }
  throw illegalArgumentException(`dynamic getter [${javaClass}, ${name}] not found`);
}

function isListIndex(self: unknown, name: string): boolean {
  return (Array.isArray(self) || self instanceof ScriptList) && /^\d+$/.test(name);
}

export function setField(machine: ScriptMachine, self: unknown, name: string, value: unknown): void {
  if (self === null) throw nullReceiver();
  const javaClass = classOf(self);
  const setter = findSetter(javaClass, name);
  if (setter !== null) invoke(setter, machine, self, [value]);
  else if (self instanceof JavaMap) {
    machine.grow(1);
    self.set(name, value);
  } else if (isListIndex(self, name)) setItem(machine, self, Number(name), value);
  else throw illegalArgumentException(`dynamic setter [${javaClass}, ${name}] not found`);
}

/** Positions below zero count from the end. */
function position(index: number, length: number, failure: (text: string) => Error): number {
  const at = index < 0 ? index + length : index;
  if (at < 0 || at >= length) throw failure(`Index ${at} out of bounds for length ${length}`);
  return at;
}

/** Item of a list at a position. */
function getItem(self: unknown, index: number): unknown {
  const items = self instanceof ScriptList ? self.items() : (self as readonly unknown[]);
  return items[position(index, items.length, indexOutOfBounds)];
}

/** `self[key]`, boxed. */
export function getIndexed(self: unknown, key: unknown): unknown {
  if (self instanceof JavaMap) return self.get(key);
  if (self === null) throw nullReceiver();
  if (Array.isArray(self) || self instanceof ScriptList) return getItem(self, fromDef(key, 'int') as number);
  if (self instanceof JavaArray) {
    return boxed(
      self.items[position(fromDef(key, 'int') as number, self.items.length, arrayIndexOutOfBounds)],
      self.type,
    );
  }
  throw illegalArgumentException(`Attempting to address a non-array type [${classOf(self)}] as an array.`);
}

function setItem(machine: ScriptMachine, self: unknown, index: number, value: unknown): void {
  const method = findMethod(classOf(self), 'set/2');
  if (method === null) throw illegalArgumentException(`[${classOf(self)}] cannot be written to`);
  const length = Array.isArray(self) ? self.length : 0;
  method.invoke(machine, self, index < 0 ? index + length : index, value);
}

/** `self[key] = value`, of boxed values. */
export function setIndexed(machine: ScriptMachine, self: unknown, key: unknown, value: unknown): void {
  if (self instanceof JavaMap) {
    machine.grow(1);
    self.set(key, value);
    return;
  }
  if (self === null) throw nullReceiver();
  if (Array.isArray(self) || self instanceof ScriptList) setItem(machine, self, fromDef(key, 'int') as number, value);
  else if (self instanceof JavaArray) {
    self.items[position(fromDef(key, 'int') as number, self.items.length, arrayIndexOutOfBounds)] = fromDef(
      value,
      self.type,
    );
  } else {
    throw illegalArgumentException(`Attempting to address a non-array type [${classOf(self)}] as an array.`);
  }
}
