/**
 * Lists, sets and what all collections have, with what painless adds to them.
 */

import { call, callNumber, callPredicate, comparing } from '../contract/calls.ts';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { compareNumbers, compareObjects, equalObjects } from '../values/equality.ts';
import { indexOutOfBounds, JavaException, noSuchElement } from '../values/java-exception.ts';
import { JavaArray, JavaIterator, JavaMap, JavaSet, JavaStream } from '../values/java-map.ts';
import { convertNumber, JavaInteger, numberType, rawNumber } from '../values/java-numbers.ts';
import { textOf } from '../values/java-text.ts';
import { ScriptList } from '../values/script-object.ts';
import { itemsOf } from './items-of.ts';

const OBJECT = 'java.lang.Object';
const ITERABLE = 'java.lang.Iterable';
const COLLECTION = 'java.util.Collection';
const LIST = 'java.util.List';
const SET = 'java.util.Set';

function unsupported(): JavaException {
  return new JavaException('java.lang.UnsupportedOperationException', null);
}

/** The list itself, to be changed. */
function changeable(value: unknown): unknown[] {
  if (!Array.isArray(value) || Object.isFrozen(value)) throw unsupported();
  return value;
}

function at(items: readonly unknown[], index: number): number {
  if (index < 0 || index >= items.length) {
    throw indexOutOfBounds(`Index ${index} out of bounds for length ${items.length}`);
  }
  return index;
}

function listItems(value: unknown): readonly unknown[] {
  return value instanceof ScriptList ? value.items() : (value as unknown[]);
}

function sizeOf(self: JavaSet | ScriptList | readonly unknown[]): number {
  return self instanceof JavaSet ? self.size : self.length;
}

function addAll(machine: ScriptMachine, self: unknown, items: readonly unknown[]): boolean {
  machine.grow(items.length);
  if (self instanceof JavaSet) {
    let isChanged = false;
    for (const item of items) isChanged = self.add(item) || isChanged;
    return isChanged;
  }
  const list = changeable(self);
  for (const item of items) list.push(item);
  return items.length > 0;
}

/** Keeps the items that `keeps` is true of. */
function keep(machine: ScriptMachine, self: unknown, keeps: (item: unknown) => boolean): boolean {
  const items = itemsOf(machine, self);
  const kept = items.filter(keeps);
  if (kept.length === items.length) return false;
  if (self instanceof JavaSet) {
    self.clear();
    for (const item of kept) self.add(item);
    return true;
  }
  changeable(self).splice(0, items.length, ...kept);
  return true;
}

function contains(machine: ScriptMachine, self: unknown, item: unknown): boolean {
  if (self instanceof JavaSet) return self.has(item);
  return itemsOf(machine, self).some((one) => equalObjects(one, item));
}

function sum(machine: ScriptMachine, items: readonly unknown[], fn: ScriptFunction | null): number {
  let total = 0;
  for (const item of items) {
    total += Number(fn === null ? convertNumber(rawNumber(item), 'double') : callNumber(machine, fn, 'double', item));
  }
  return total;
}

function grouped(machine: ScriptMachine, items: readonly unknown[], fn: ScriptFunction): JavaMap {
  const groups = new JavaMap('java.util.LinkedHashMap');
  for (const item of items) {
    const key = call(machine, fn, item);
    const group = groups.get(key);
    if (Array.isArray(group)) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function removeFrom(self: unknown, item: unknown): void {
  if (self instanceof JavaSet) self.delete(item);
  else {
    const list = changeable(self);
    const index = list.indexOf(item);
    if (index >= 0) list.splice(index, 1);
  }
}

const CLASS_OF_ITERABLE = scriptClass(ITERABLE, [OBJECT], {
  'void forEach(Function)': (m, self, fn: ScriptFunction) => {
    for (const item of itemsOf(m, self)) call(m, fn, item);
  },
  'Iterator iterator()': (m, self) => new JavaIterator([...itemsOf(m, self)], (item) => removeFrom(self, item)),
  'boolean any(Function)': (m, self, fn: ScriptFunction) => itemsOf(m, self).some((item) => callPredicate(m, fn, item)),
  'boolean every(Function)': (m, self, fn: ScriptFunction) =>
    itemsOf(m, self).every((item) => callPredicate(m, fn, item)),
  'int count(Function)': (m, self, fn: ScriptFunction) =>
    itemsOf(m, self).filter((item) => callPredicate(m, fn, item)).length,
  'def each(Function)': (m, self, fn: ScriptFunction) => {
    for (const item of itemsOf(m, self)) call(m, fn, item);
    return self;
  },
  'def eachWithIndex(Function)': (m, self, fn: ScriptFunction) => {
    for (const [index, item] of itemsOf(m, self).entries()) call(m, fn, item, JavaInteger.of(index));
    return self;
  },
  'String join(String)': (m, self, between: string) => {
    const text = itemsOf(m, self)
      .map((item) => textOf(item))
      .join(between);
    m.grow(text.length);
    return text;
  },
  'double sum()': (m, self) => sum(m, itemsOf(m, self), null),
  'double sum(Function)': (m, self, fn: ScriptFunction) => sum(m, itemsOf(m, self), fn),
  'Map groupBy(Function)': (m, self, fn: ScriptFunction) => grouped(m, itemsOf(m, self), fn),
  'List findResults(Function)': (m, self, fn: ScriptFunction) =>
    itemsOf(m, self)
      .map((item) => call(m, fn, item))
      .filter((result) => result !== null),
  'Collection asCollection()': (m, self) => [...itemsOf(m, self)],
  'List asList()': (m, self) => [...itemsOf(m, self)],
});

const CLASS_OF_COLLECTION = scriptClass(COLLECTION, [ITERABLE, OBJECT], {
  'int size()': (_m, self) => sizeOf(self),
  'boolean isEmpty()': (_m, self) => sizeOf(self) === 0,
  'boolean add(def)': (m, self, item) => addAll(m, self, [item]),
  'boolean addAll(Collection)': (m, self, items) => addAll(m, self, [...itemsOf(m, items)]),
  'void clear()': (_m, self) => {
    if (self instanceof JavaSet) self.clear();
    else changeable(self).length = 0;
  },
  'boolean contains(def)': (m, self, item) => contains(m, self, item),
  'boolean containsAll(Collection)': (m, self, items) => itemsOf(m, items).every((item) => contains(m, self, item)),
  'boolean removeAll(Collection)': (m, self, items) => {
    const gone = new JavaSet('java.util.HashSet', itemsOf(m, items));
    return keep(m, self, (item) => !gone.has(item));
  },
  'boolean retainAll(Collection)': (m, self, items) => {
    const kept = new JavaSet('java.util.HashSet', itemsOf(m, items));
    return keep(m, self, (item) => kept.has(item));
  },
  'boolean removeIf(Function)': (m, self, fn: ScriptFunction) => keep(m, self, (item) => !callPredicate(m, fn, item)),
  'Stream stream()': (m, self) => new JavaStream([...itemsOf(m, self)]),
  'def[] toArray()': (m, self) => new JavaArray('def', [...itemsOf(m, self)]),
  'def[] toArray(def[])': (m, self, array: JavaArray) => new JavaArray(array.type, [...itemsOf(m, self)]),
  'List collect(Function)': (m, self, fn: ScriptFunction) => itemsOf(m, self).map((item) => call(m, fn, item)),
  'def find(Function)': (m, self, fn: ScriptFunction) =>
    itemsOf(m, self).find((item) => callPredicate(m, fn, item)) ?? null,
  'List findAll(Function)': (m, self, fn: ScriptFunction) =>
    itemsOf(m, self).filter((item) => callPredicate(m, fn, item)),
  'def findResult(Function)': (m, self, fn: ScriptFunction) => {
    for (const item of itemsOf(m, self)) {
      const result = call(m, fn, item);
      if (result !== null) return result;
    }
    return null;
  },
  'def findResult(def,Function)': (m, self, other: unknown, fn: ScriptFunction) => {
    for (const item of itemsOf(m, self)) {
      const result = call(m, fn, item);
      if (result !== null) return result;
    }
    return other;
  },
  'List split(Function)': (m, self, fn: ScriptFunction) => {
    const parts: [unknown[], unknown[]] = [[], []];
    for (const item of itemsOf(m, self)) parts[callPredicate(m, fn, item) ? 0 : 1].push(item);
    return parts;
  },
});

/** `remove` takes a position, as an int, or an item of a list of something else. */
function removeItem(machine: ScriptMachine, self: unknown, item: unknown): unknown {
  const list = changeable(self);
  machine.step(list.length / 64);
  if (numberType(item) === 'int') return list.splice(at(list, Number(rawNumber(item))), 1)[0];
  const index = list.findIndex((one) => equalObjects(one, item));
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

const CLASS_OF_LIST = scriptClass(LIST, [COLLECTION, ITERABLE, OBJECT], {
  'def get(int)': (_m, self, index: number) => {
    const items = listItems(self);
    return items[at(items, index)];
  },
  'def getAt(int)': (_m, self, index: number) => {
    const items = listItems(self);
    return items[at(items, index)];
  },
  'def set(int,def)': (_m, self, index: number, item) => {
    const list = changeable(self);
    const before = list[at(list, index)];
    list[index] = item;
    return before;
  },
  'void add(int,def)': (m, self, index: number, item) => {
    const list = changeable(self);
    m.grow(1);
    m.step(list.length / 64);
    if (index !== list.length) at(list, index);
    list.splice(index, 0, item);
  },
  'def remove(def)': removeItem,
  'int indexOf(def)': (m, self, item) => itemsOf(m, self).findIndex((one) => equalObjects(one, item)),
  'int lastIndexOf(def)': (m, self, item) => itemsOf(m, self).findLastIndex((one) => equalObjects(one, item)),
  'List subList(int,int)': (m, self, from: number, to: number) => {
    const items = itemsOf(m, self);
    if (from < 0) throw indexOutOfBounds(`fromIndex = ${from}`);
    if (to > items.length) throw indexOutOfBounds(`toIndex = ${to}`);
    return items.slice(from, to);
  },
  'void sort(Function)': (m, self, fn: ScriptFunction | null) => {
    changeable(self).sort(comparing(m, fn, compareObjects));
  },
  'void replaceAll(Function)': (m, self, fn: ScriptFunction) => {
    const list = changeable(self);
    for (let i = 0; i < list.length; i++) list[i] = call(m, fn, list[i]);
  },
  'int getLength()': (_m, self) => listItems(self).length,
});

function newList(machine: ScriptMachine, from: unknown): unknown[] {
  // A number is how much room is wanted beforehand.
  if (numberType(from) !== null) return [];
  const items = [...itemsOf(machine, from)];
  machine.grow(items.length);
  return items;
}

const END = {
  'void addFirst(def)': (_m: ScriptMachine, self: unknown, item: unknown) => void changeable(self).unshift(item),
  'void addLast(def)': (_m: ScriptMachine, self: unknown, item: unknown) => void changeable(self).push(item),
  'def getFirst()': (_m: ScriptMachine, self: unknown) => end(self, 0),
  'def getLast()': (_m: ScriptMachine, self: unknown) => end(self, -1),
  'def removeFirst()': (_m: ScriptMachine, self: unknown) => {
    end(self, 0);
    return changeable(self).shift();
  },
  'def removeLast()': (_m: ScriptMachine, self: unknown) => {
    end(self, -1);
    return changeable(self).pop();
  },
  'def peek()': (_m: ScriptMachine, self: unknown) => listItems(self)[0] ?? null,
  'def poll()': (_m: ScriptMachine, self: unknown) => changeable(self).shift() ?? null,
  'void push(def)': (_m: ScriptMachine, self: unknown, item: unknown) => void changeable(self).unshift(item),
  'def pop()': (_m: ScriptMachine, self: unknown) => {
    end(self, 0);
    return changeable(self).shift();
  },
};

function end(self: unknown, index: number): unknown {
  const items = listItems(self);
  if (items.length === 0) throw noSuchElement('');
  return items.at(index);
}

function setClass(name: string): ScriptClass {
  return scriptClass(name, [SET, COLLECTION, ITERABLE, OBJECT], {
    'new()': () => new JavaSet(name),
    'new(def)': (m, _s, from) => new JavaSet(name, newList(m, from)),
  });
}

const COLLECTIONS = scriptClass('java.util.Collections', [OBJECT], {
  'static List emptyList()': () => Object.freeze([]),
  'static Map emptyMap()': () => new JavaMap(),
  'static Set emptySet()': () => new JavaSet(),
  'static List singletonList(def)': (_m, _s, item) => Object.freeze([item]),
  'static Set singleton(def)': (_m, _s, item) => new JavaSet('java.util.HashSet', [item]),
  'static List unmodifiableList(List)': (_m, _s, list) => Object.freeze([...listItems(list)]),
  'static void sort(List)': (m, _s, list) => void changeable(list).sort(comparing(m, null, compareObjects)),
  'static void sort(List,Function)': (m, _s, list, fn) => void changeable(list).sort(comparing(m, fn, compareObjects)),
  'static void reverse(List)': (_m, _s, list) => void changeable(list).reverse(),
  'static void swap(List,int,int)': (_m, _s, list, i: number, j: number) => {
    const items = changeable(list);
    [items[at(items, i)], items[at(items, j)]] = [items[j], items[i]];
  },
  'static def max(Collection)': (m, _s, items) => extreme(m, items, null, 1),
  'static def max(Collection,Function)': (m, _s, items, fn) => extreme(m, items, fn, 1),
  'static def min(Collection)': (m, _s, items) => extreme(m, items, null, -1),
  'static def min(Collection,Function)': (m, _s, items, fn) => extreme(m, items, fn, -1),
  'static int frequency(Collection,def)': (m, _s, items, item) =>
    itemsOf(m, items).filter((one) => equalObjects(one, item)).length,
  'static boolean addAll(Collection,def[])': (m, _s, self, items: JavaArray) => addAll(m, self, items.items),
});

function extreme(machine: ScriptMachine, value: unknown, fn: ScriptFunction | null, sign: 1 | -1): unknown {
  const items = itemsOf(machine, value);
  if (items.length === 0) throw noSuchElement('');
  const order = comparing(machine, fn, compareObjects);
  return items.reduce((best, item) => (order(item, best) * sign > 0 ? item : best));
}

const ARRAYS = scriptClass('java.util.Arrays', [OBJECT], {
  'static List asList(def[])': (_m, _s, array: JavaArray) => array.boxedItems(),
  'static Stream stream(def)': (_m, _s, array: JavaArray) =>
    ['int', 'long', 'double'].includes(array.type)
      ? new JavaStream(array.items, array.type as 'int')
      : new JavaStream(array.boxedItems()),
  'static void sort(def)': (m, _s, array: JavaArray) => {
    m.step(array.items.length);
    array.items.sort((a, b) =>
      numberType(a) === null ? compareObjects(a, b) : compareNumbers(rawNumber(a), rawNumber(b)),
    );
  },
  'static void fill(def,def)': (m, _s, array: JavaArray, value) => {
    m.step(array.items.length);
    array.items.fill(array.type === 'def' ? value : convertNumber(rawNumber(value), array.type as 'int'));
  },
  'static String toString(def)': (_m, _s, array: JavaArray) => textOf(array.boxedItems()),
  'static boolean equals(def,def)': (_m, _s, a: JavaArray, b: JavaArray) =>
    equalObjects(a.boxedItems(), b.boxedItems()),
});

export const COLLECTION_CLASSES: readonly ScriptClass[] = [
  CLASS_OF_ITERABLE,
  CLASS_OF_COLLECTION,
  CLASS_OF_LIST,
  scriptClass('java.util.ArrayList', [LIST, COLLECTION, ITERABLE, OBJECT], {
    'new()': () => [],
    'new(def)': (m, _s, from) => newList(m, from),
    ...END,
  }),
  scriptClass(SET, [COLLECTION, ITERABLE, OBJECT], {
    'boolean remove(def)': (_m, self: JavaSet, item) => self.delete(item),
  }),
  setClass('java.util.HashSet'),
  setClass('java.util.LinkedHashSet'),
  COLLECTIONS,
  ARRAYS,
];
