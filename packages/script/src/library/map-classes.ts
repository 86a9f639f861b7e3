/**
 * Maps and their entries, with what painless adds to them.
 */

import { call, callPredicate } from '../contract/calls.ts';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { equalObjects } from '../values/equality.ts';
import { JavaEntry, JavaMap, JavaSet } from '../values/java-map.ts';
import { entriesOf } from './items-of.ts';

const OBJECT = 'java.lang.Object';
const MAP = 'java.util.Map';

function put(machine: ScriptMachine, self: JavaMap, key: unknown, value: unknown): unknown {
  machine.grow(1);
  return self.set(key, value);
}

/** A value that becomes null is taken out. */
function store(machine: ScriptMachine, self: JavaMap, key: unknown, value: unknown): unknown {
  if (value === null) self.delete(key);
  else put(machine, self, key, value);
  return value;
}

/** A set of the keys, values or entries of which some can be taken out of the map. */
class MapView extends JavaSet {
  readonly #remove: (item: unknown) => void;

  constructor(items: readonly unknown[], remove: (item: unknown) => void) {
    super('java.util.HashSet', items);
    this.#remove = remove;
  }

  override delete(item: unknown): boolean {
    this.#remove(item);
    return super.delete(item);
  }

  override clear(): void {
    for (const item of this.items()) this.#remove(item);
    super.clear();
  }

  /** Back into the view and not into the map: an item that was kept. */
  override add(item: unknown): boolean {
    return super.add(item);
  }
}

const CLASS_OF_MAP = scriptClass(MAP, [OBJECT], {
  'def get(def)': (_m, self: JavaMap, key) => self.get(key),
  'def put(def,def)': (m, self: JavaMap, key, value) => put(m, self, key, value),
  'void putAll(Map)': (m, self: JavaMap, other: JavaMap) => {
    for (const [key, value] of entriesOf(m, other)) put(m, self, key, value);
  },
  'def putIfAbsent(def,def)': (m, self: JavaMap, key, value) => {
    const before = self.get(key);
    if (before === null) put(m, self, key, value);
    return before;
  },
  'def getOrDefault(def,def)': (_m, self: JavaMap, key, other) => (self.has(key) ? self.get(key) : other),
  'boolean containsKey(def)': (_m, self: JavaMap, key) => self.has(key),
  'boolean containsValue(def)': (m, self: JavaMap, value) =>
    entriesOf(m, self).some(([, one]) => equalObjects(one, value)),
  'def remove(def)': (_m, self: JavaMap, key) => self.delete(key),
  'boolean remove(def,def)': (_m, self: JavaMap, key, value) => {
    const isSame = self.has(key) && equalObjects(self.get(key), value);
    if (isSame) self.delete(key);
    return isSame;
  },
  'def replace(def,def)': (m, self: JavaMap, key, value) => (self.has(key) ? put(m, self, key, value) : null),
  'int size()': (_m, self: JavaMap) => self.size,
  'boolean isEmpty()': (_m, self: JavaMap) => self.size === 0,
  'void clear()': (_m, self: JavaMap) => self.clear(),
  'Set keySet()': (m, self: JavaMap) =>
    new MapView(
      entriesOf(m, self).map(([key]) => key),
      (key) => self.delete(key),
    ),
  'Collection values()': (m, self: JavaMap) => entriesOf(m, self).map(([, value]) => value),
  'Set entrySet()': (m, self: JavaMap) =>
    new MapView(
      entriesOf(m, self).map(([key, value]) => new JavaEntry(key, value, self)),
      (entry) => self.delete((entry as JavaEntry).key),
    ),
  'void forEach(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    for (const [key, value] of entriesOf(m, self)) call(m, fn, key, value);
  },
  'void replaceAll(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    for (const [key, value] of entriesOf(m, self)) self.set(key, call(m, fn, key, value));
  },
  'def computeIfAbsent(def,Function)': (m, self: JavaMap, key, fn: ScriptFunction) => {
    const before = self.get(key);
    return before === null ? store(m, self, key, call(m, fn, key)) : before;
  },
  'def computeIfPresent(def,Function)': (m, self: JavaMap, key, fn: ScriptFunction) => {
    const before = self.get(key);
    return before === null ? null : store(m, self, key, call(m, fn, key, before));
  },
  'def compute(def,Function)': (m, self: JavaMap, key, fn: ScriptFunction) =>
    store(m, self, key, call(m, fn, key, self.get(key))),
  'def merge(def,def,Function)': (m, self: JavaMap, key, value, fn: ScriptFunction) => {
    const before = self.get(key);
    return store(m, self, key, before === null ? value : call(m, fn, before, value));
  },
  'boolean any(Function)': (m, self: JavaMap, fn: ScriptFunction) =>
    entriesOf(m, self).some(([key, value]) => callPredicate(m, fn, key, value)),
  'boolean every(Function)': (m, self: JavaMap, fn: ScriptFunction) =>
    entriesOf(m, self).every(([key, value]) => callPredicate(m, fn, key, value)),
  'int count(Function)': (m, self: JavaMap, fn: ScriptFunction) =>
    entriesOf(m, self).filter(([key, value]) => callPredicate(m, fn, key, value)).length,
  'List collect(Function)': (m, self: JavaMap, fn: ScriptFunction) =>
    entriesOf(m, self).map(([key, value]) => call(m, fn, key, value)),
  'def each(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    for (const [key, value] of entriesOf(m, self)) call(m, fn, key, value);
    return self;
  },
  'Entry find(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    const found = entriesOf(m, self).find(([key, value]) => callPredicate(m, fn, key, value));
    return found === undefined ? null : new JavaEntry(found[0], found[1], self);
  },
  'Map findAll(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    const found = new JavaMap();
    for (const [key, value] of entriesOf(m, self)) if (callPredicate(m, fn, key, value)) found.set(key, value);
    return found;
  },
});

const GROUPING = scriptClass(MAP, [OBJECT], {
  'Map groupBy(Function)': (m, self: JavaMap, fn: ScriptFunction) => {
    const groups = new JavaMap('java.util.LinkedHashMap');
    for (const [key, value] of entriesOf(m, self)) {
      const name = call(m, fn, key, value);
      let group = groups.get(name);
      if (!(group instanceof JavaMap)) groups.set(name, (group = new JavaMap('java.util.LinkedHashMap')));
      (group as JavaMap).set(key, value);
    }
    return groups;
  },
  'List findResults(Function)': (m, self: JavaMap, fn: ScriptFunction) =>
    entriesOf(m, self)
      .map(([key, value]) => call(m, fn, key, value))
      .filter((result) => result !== null),
  'def findResult(Function)': (m, self: JavaMap, fn: ScriptFunction) => firstResult(m, self, fn) ?? null,
  'def findResult(def,Function)': (m, self: JavaMap, other: unknown, fn: ScriptFunction) =>
    firstResult(m, self, fn) ?? other,
});

function firstResult(machine: ScriptMachine, map: JavaMap, fn: ScriptFunction): unknown {
  for (const [key, value] of entriesOf(machine, map)) {
    const result = call(machine, fn, key, value);
    if (result !== null) return result;
  }
  return null;
}

const CLASS_OF_ENTRY = scriptClass('java.util.Map.Entry', [OBJECT], {
  'def getKey()': (_m, self: JavaEntry) => self.key,
  'def getValue()': (_m, self: JavaEntry) => self.value,
  'def setValue(def)': (_m, self: JavaEntry, value) => {
    const before = self.value;
    self.value = value;
    self.map?.set(self.key, value);
    return before;
  },
});

function mapClass(name: string): ScriptClass {
  return scriptClass(name, ['java.util.HashMap', MAP, OBJECT], {
    'new()': () => new JavaMap(name),
    'new(def)': (m, _s, other) => copied(m, name, other),
  });
}

function copied(machine: ScriptMachine, name: string, other: unknown): JavaMap {
  const map = new JavaMap(name);
  if (other instanceof JavaMap) for (const [key, value] of entriesOf(machine, other)) put(machine, map, key, value);
  return map;
}

export const MAP_CLASSES: readonly ScriptClass[] = [
  CLASS_OF_MAP,
  GROUPING,
  CLASS_OF_ENTRY,
  scriptClass('java.util.HashMap', [MAP, OBJECT], {
    'new()': () => new JavaMap(),
    'new(def)': (m, _s, other) => copied(m, 'java.util.HashMap', other),
  }),
  mapClass('java.util.LinkedHashMap'),
];
