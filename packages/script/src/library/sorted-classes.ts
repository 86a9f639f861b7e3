/**
 * Maps and sets in order: `TreeMap`, `TreeSet`, and the kinds of map and set that they are.
 */
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { JavaException } from '../values/java-exception.ts';
import { JavaEntry, JavaIterator, type JavaMap } from '../values/java-map.ts';
import { type Neighbour, type RangeEnd, type SortedEntry, SortedMap, SortedRange } from '../values/sorted-map.ts';
import { SortedSet } from '../values/sorted-set.ts';
import { entriesOf, itemsOf } from './items-of.ts';

const OBJECT = 'java.lang.Object';
const SORTED_MAP = ['java.util.SortedMap', 'java.util.Map', OBJECT];
const SET = ['java.util.Set', 'java.util.Collection', 'java.lang.Iterable', OBJECT];

/** Entries of a map, counted as so many steps: what a look at a range of it takes. */
function sortedOf(machine: ScriptMachine, map: SortedMap): readonly SortedEntry[] {
  const sorted = map.sorted();
  machine.step(sorted.length);
  return sorted;
}

const first = (machine: ScriptMachine, map: SortedMap): SortedEntry | undefined => sortedOf(machine, map)[0];
const last = (machine: ScriptMachine, map: SortedMap): SortedEntry | undefined => sortedOf(machine, map).at(-1);

function keyOfSome(entry: SortedEntry | undefined): unknown {
  if (entry !== undefined) return entry[0];
  throw new JavaException('java.util.NoSuchElementException', null);
}

/** An entry as it was: it does not write into the map. */
function shown(entry: SortedEntry | undefined): JavaEntry | null {
  return entry === undefined ? null : new JavaEntry(entry[0], entry[1], null);
}

function next(machine: ScriptMachine, map: SortedMap, key: unknown, which: Neighbour): SortedEntry | undefined {
  sortedOf(machine, map);
  return map.neighbour(key, which);
}

function taken(map: SortedMap, entry: SortedEntry | undefined): SortedEntry | undefined {
  if (entry !== undefined) map.delete(entry[0]);
  return entry;
}

const end = (key: unknown, isIncluded: boolean): RangeEnd => ({ key, isIncluded });
const backwards = (map: SortedMap): SortedRange => new SortedRange(map, null, null, true);

const nextEntry =
  (which: Neighbour): Invoke =>
  (m, self: SortedMap, key: unknown) =>
    shown(next(m, self, key, which));
const nextKey =
  (which: Neighbour): Invoke =>
  (m, self: SortedMap, key: unknown) =>
    next(m, self, key, which)?.[0] ?? null;
const nextItem =
  (which: Neighbour): Invoke =>
  (m, self: SortedSet, item: unknown) =>
    next(m, self.map, item, which)?.[0] ?? null;

const MAP_CLASSES: readonly ScriptClass[] = [
  scriptClass('java.util.SortedMap', SORTED_MAP.slice(1), {
    'def firstKey()': (m, self: SortedMap) => keyOfSome(first(m, self)),
    'def lastKey()': (m, self: SortedMap) => keyOfSome(last(m, self)),
    'SortedMap headMap(def)': (_m, self: SortedMap, to) => new SortedRange(self, null, end(to, false)),
    'SortedMap tailMap(def)': (_m, self: SortedMap, from) => new SortedRange(self, end(from, true), null),
    'SortedMap subMap(def,def)': (_m, self: SortedMap, from, to) =>
      new SortedRange(self, end(from, true), end(to, false)),
  }),
  scriptClass('java.util.NavigableMap', SORTED_MAP, {
    'Entry firstEntry()': (m, self: SortedMap) => shown(first(m, self)),
    'Entry lastEntry()': (m, self: SortedMap) => shown(last(m, self)),
    'Entry pollFirstEntry()': (m, self: SortedMap) => shown(taken(self, first(m, self))),
    'Entry pollLastEntry()': (m, self: SortedMap) => shown(taken(self, last(m, self))),
    'Entry lowerEntry(def)': nextEntry('lower'),
    'Entry floorEntry(def)': nextEntry('floor'),
    'Entry ceilingEntry(def)': nextEntry('ceiling'),
    'Entry higherEntry(def)': nextEntry('higher'),
    'def floorKey(def)': nextKey('floor'),
    'def ceilingKey(def)': nextKey('ceiling'),
    'def higherKey(def)': nextKey('higher'),
    'NavigableMap headMap(def,boolean)': (_m, self: SortedMap, to, isIncluded: boolean) =>
      new SortedRange(self, null, end(to, isIncluded)),
    'NavigableMap tailMap(def,boolean)': (_m, self: SortedMap, from, isIncluded: boolean) =>
      new SortedRange(self, end(from, isIncluded), null),
    'NavigableMap subMap(def,boolean,def,boolean)': (_m, self: SortedMap, from, fromIn: boolean, to, toIn: boolean) =>
      new SortedRange(self, end(from, fromIn), end(to, toIn)),
    'NavigableMap descendingMap()': (_m, self: SortedMap) => backwards(self),
    'NavigableSet navigableKeySet()': (_m, self: SortedMap) => new SortedSet(self, true),
    'NavigableSet descendingKeySet()': (_m, self: SortedMap) => new SortedSet(backwards(self), true),
  }),
  scriptClass('java.util.TreeMap', ['java.util.NavigableMap', ...SORTED_MAP], {
    'new()': () => new SortedMap(),
    'new(Map)': (m, _s, other: JavaMap) => {
      const map = new SortedMap();
      m.grow(other.size);
      for (const [key, value] of entriesOf(m, other)) map.set(key, value);
      return map;
    },
  }),
];

const SET_CLASSES: readonly ScriptClass[] = [
  scriptClass('java.util.SortedSet', SET, {
    'def first()': (m, self: SortedSet) => keyOfSome(first(m, self.map)),
    'def last()': (m, self: SortedSet) => keyOfSome(last(m, self.map)),
    'SortedSet headSet(def)': (_m, self: SortedSet, to) => self.within(new SortedRange(self.map, null, end(to, false))),
    'SortedSet tailSet(def)': (_m, self: SortedSet, from) =>
      self.within(new SortedRange(self.map, end(from, true), null)),
    'SortedSet subSet(def,def)': (_m, self: SortedSet, from, to) =>
      self.within(new SortedRange(self.map, end(from, true), end(to, false))),
  }),
  scriptClass('java.util.NavigableSet', ['java.util.SortedSet', ...SET], {
    'def lower(def)': nextItem('lower'),
    'def floor(def)': nextItem('floor'),
    'def ceiling(def)': nextItem('ceiling'),
    'def higher(def)': nextItem('higher'),
    'def pollFirst()': (m, self: SortedSet) => taken(self.map, first(m, self.map))?.[0] ?? null,
    'def pollLast()': (m, self: SortedSet) => taken(self.map, last(m, self.map))?.[0] ?? null,
    'NavigableSet headSet(def,boolean)': (_m, self: SortedSet, to, isIncluded: boolean) =>
      self.within(new SortedRange(self.map, null, end(to, isIncluded))),
    'NavigableSet tailSet(def,boolean)': (_m, self: SortedSet, from, isIncluded: boolean) =>
      self.within(new SortedRange(self.map, end(from, isIncluded), null)),
    'NavigableSet subSet(def,boolean,def,boolean)': (_m, self: SortedSet, from, fromIn: boolean, to, toIn: boolean) =>
      self.within(new SortedRange(self.map, end(from, fromIn), end(to, toIn))),
    'NavigableSet descendingSet()': (_m, self: SortedSet) => self.within(backwards(self.map)),
    'Iterator descendingIterator()': (m, self: SortedSet) =>
      new JavaIterator(
        sortedOf(m, self.map)
          .map(([key]) => key)
          .reverse(),
        (item) => self.delete(item),
      ),
  }),
  scriptClass('java.util.TreeSet', ['java.util.NavigableSet', 'java.util.SortedSet', ...SET], {
    'new()': () => new SortedSet(),
    'new(Collection)': (m, _s, items) => {
      const set = new SortedSet();
      const list = itemsOf(m, items);
      m.grow(list.length);
      for (const item of list) set.add(item);
      return set;
    },
  }),
];

export const SORTED_CLASSES: readonly ScriptClass[] = [...MAP_CLASSES, ...SET_CLASSES];
