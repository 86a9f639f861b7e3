/**
 * Items of anything that scripts can walk through: lists, sets, arrays, and the keys of maps where nothing else is meant.
 */
import type { ScriptMachine } from '../machine/script-machine.ts';
import { classCast, nullPointer } from '../values/java-exception.ts';
import { JavaArray, JavaIterator, type JavaMap, JavaSet, JavaStream } from '../values/java-map.ts';
import { boxed } from '../values/java-numbers.ts';
import { classOf } from '../values/java-text.ts';
import { ScriptList } from '../values/script-object.ts';

/** The items as they are now; null where the value has none. */
export function itemsOrNull(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (value instanceof JavaSet) return value.items();
  if (value instanceof ScriptList) return value.items();
  if (value instanceof JavaArray) return value.boxedItems();
  if (value instanceof JavaStream) return value.items.map((item) => boxed(item, value.type));
  if (value instanceof JavaIterator) return value.items.slice(value.position);
  return null;
}

/** Boxed items, counted as so many steps. */
export function itemsOf(machine: ScriptMachine, value: unknown): readonly unknown[] {
  const items = itemsOrNull(value);
  if (items !== null) {
    machine.step(items.length);
    return items;
  }
  if (value === null) throw nullPointer();
  throw classCast(`Cannot iterate over [${classOf(value)}]`);
}

/** Entries of a map, counted as so many steps. */
export function entriesOf(machine: ScriptMachine, map: JavaMap): readonly (readonly [unknown, unknown])[] {
  machine.step(map.size);
  return map.entries();
}
