/**
 * Inline caches: a place of a script that reads a field, calls a method or looks up a name remembers what it found for the class, or
 * the map, that it met last, which is mostly the one that it meets next.
 *
 * What belongs to the library is remembered with the program; what belongs to a run, in the frame of the run, so that a program that
 * is kept holds nothing of the data it once saw.
 */

import type { ScriptMethod } from '../contract/script-class.ts';
import { findGetter, findMethod } from '../library/class-library.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { JavaMap } from '../values/java-map.ts';
import { boxing } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';
import { ScriptObject } from '../values/script-object.ts';
import type { Frame, Run } from './code.ts';
import { callDynamic, getField } from './dynamic.ts';
import type { Scope } from './scope.ts';

/** Calls a method without parameters; the result is boxed. */
type BoundMethod = (machine: ScriptMachine, self: unknown) => unknown;

function bound({ invoke, returns }: ScriptMethod): BoundMethod {
  const box = boxing(returns);
  return box === null ? invoke : (machine, self) => box(invoke(machine, self));
}

/** A method as the class that was met last has it. */
class FoundMethod {
  readonly #find: (javaClass: string) => ScriptMethod | null;
  #javaClass = '';
  #method: BoundMethod | null = null;

  constructor(find: (javaClass: string) => ScriptMethod | null) {
    this.#find = find;
  }

  /** null: objects of the class have none. */
  of(javaClass: string): BoundMethod | null {
    if (javaClass !== this.#javaClass) {
      const method = this.#find(javaClass);
      this.#javaClass = javaClass;
      this.#method = method && bound(method);
    }
    return this.#method;
  }
}

/** `self.name`, as `getField` has it. */
export function fieldReader(name: string): BoundMethod {
  const getter = new FoundMethod((javaClass) => findGetter(javaClass, name));
  return (machine, self) => {
    if (self instanceof ScriptObject || self instanceof JavaMap) {
      const found = getter.of(self.javaClass);
      if (found !== null) return found(machine, self);
      if (self instanceof JavaMap) return self.get(name);
    }
    return getField(machine, self, name);
  };
}

/** `self.name()`, as `callDynamic` has it. */
export function methodCaller(name: string): BoundMethod {
  const method = new FoundMethod((javaClass) => findMethod(javaClass, `${name}/0`));
  return (machine, self) => {
    const found = self instanceof ScriptObject || typeof self === 'string' ? method.of(classOf(self)) : null;
    if (found === null) return callDynamic(machine, self, name, []);
    machine.step();
    return found(machine, self);
  };
}

interface FoundEntry {
  readonly map: JavaMap;
  readonly version: number;
  readonly value: unknown;
}

/** `map[key]` of a key that stands in the script, which is evaluated before; `mapOf` gives the map, or throws. */
export function entryReader(scope: Scope, mapOf: (frame: Frame) => JavaMap, key: unknown): Run {
  const slot = scope.fn.newSlot();
  return (frame) => {
    const map = mapOf(frame);
    const found = frame.slots[slot] as FoundEntry | null;
    if (found !== null && found.map === map && found.version === map.version) return found.value;
    const value = map.get(key);
    frame.slots[slot] = { map, version: map.version, value } satisfies FoundEntry;
    return value;
  };
}
