/**
 * Arrays: what they have besides being gone through.
 */

import {
  checkSize,
  indexArgument,
  listArgument,
  optionalIndex,
  rangeBounds,
  textArgument,
} from '../arguments/arguments.ts';
import { packed } from '../text/pack-bytes.ts';
import { compare, equals } from '../values/equality.ts';
import { inspect, toText } from '../values/inspect.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { argumentError, cannotConvert, exception, typeError } from '../values/ruby-exception.ts';
import {
  ARRAY,
  classOf,
  hashKeyOf,
  type Machine,
  type Methods,
  numberOf,
  RubyHash,
  type RubyProc,
  RubyRange,
  RubyString,
  str,
  truthy,
  type Value,
} from '../values/ruby-value.ts';
import { fill, LENGTH_MAX } from './array-fill.ts';
import { uniqueItems } from './enumerable-methods.ts';
import { itemsOf } from './items-of.ts';
import { orderBy, sortedBy } from './order-values.ts';

function at(self: Value[], index: number): Value {
  return self[index < 0 ? self.length + index : index] ?? null;
}

function slice(self: Value[], args: readonly Value[]): Value {
  const [first = null, count] = args;
  if (first instanceof RubyRange) {
    const bounds = rangeBounds(first, self.length);
    return bounds === null ? null : self.slice(bounds.from, bounds.from + bounds.count);
  }
  const index = indexArgument(first);
  if (count === undefined) return at(self, index);
  const from = index < 0 ? self.length + index : index;
  const size = indexArgument(count);
  return from < 0 || from > self.length || size < 0 ? null : self.slice(from, from + size);
}

function store(machine: Machine, self: Value[], args: readonly Value[]): Value {
  const value = args.at(-1) ?? null;
  const [first = null, count] = args;
  if (first instanceof RubyRange || args.length === 3) {
    const bounds =
      first instanceof RubyRange
        ? rangeBounds(first, self.length)
        : { from: indexArgument(first), count: indexArgument(count) };
    if (bounds === null) throw exception('RangeError', `${inspect(first)} out of range`);
    const from = bounds.from < 0 ? self.length + bounds.from : bounds.from;
    while (self.length < from && self.length < LENGTH_MAX) self.push(null);
    self.splice(from, bounds.count, ...(Array.isArray(value) ? value : [value]));
    return value;
  }
  let index = indexArgument(first);
  if (index < 0) index += self.length;
  if (index < 0)
    throw exception('IndexError', `index ${index - self.length} too small for array; minimum: -${self.length}`);
  if (index >= LENGTH_MAX) throw exception('IndexError', `index ${index} too big`);
  machine.grow(Math.max(1, index - self.length));
  while (self.length < index) self.push(null);
  self[index] = value;
  return value;
}

function push(machine: Machine, self: Value[], items: readonly Value[]): Value[] {
  if (self.length + items.length > LENGTH_MAX) throw argumentError('array size too big');
  machine.grow(items.length);
  for (const item of items) self.push(item);
  return self;
}

/** Answers the array, or nil where nothing changed and the method says so. */
function replace(self: Value[], items: readonly Value[]): Value[] {
  self.splice(0, self.length, ...(items.length < 50_000 ? items : []));
  if (items.length >= 50_000) for (const item of items) self.push(item);
  return self;
}

function flattened(items: readonly Value[], depth: number): Value[] {
  const made: Value[] = [];
  const add = (list: readonly Value[], level: number): void => {
    if (level > 200) throw argumentError('tried to flatten recursive array');
    for (const item of list) {
      if (Array.isArray(item) && (depth < 0 || level < depth)) add(item, level + 1);
      else made.push(item);
    }
  };
  add(items, 0);
  return made;
}

function joined(machine: Machine, items: readonly Value[], separator: string): string {
  const text = flattened(items, -1)
    .map((item) => toText(item))
    .join(separator);
  checkSize(machine, text.length);
  return text;
}

const READING: Methods<Value[]> = {
  '[]': (_machine, self, args) => slice(self, args),
  slice: (_machine, self, args) => slice(self, args),
  at: (_machine, self, [index]) => at(self, indexArgument(index)),
  dig: (machine, self, [index, ...rest]) => {
    const found = at(self, indexArgument(index));
    if (rest.length === 0 || found === null) return found;
    if (!Array.isArray(found) && !(found instanceof RubyHash))
      throw typeError(`${classOf(found).name} does not have #dig method`);
    return machine.call(found, 'dig', rest);
  },
  each: (machine, self, _args, block) => {
    if (block === null) return new RubyEnumerator(self, 'each');
    // The script may change the array while it goes through it.
    for (let i = 0; i < self.length; i++) {
      machine.step();
      block.run([self[i] ?? null], null);
    }
    return self;
  },
  each_index: (machine, self, _args, block) => {
    if (block === null) return new RubyEnumerator(self, 'each_index');
    for (let i = 0; i < self.length; i++) {
      machine.step();
      block.run([i], null);
    }
    return self;
  },
  'empty?': (_machine, self) => self.length === 0,
  fetch: (_machine, self, [index, otherwise], block) => {
    const wanted = indexArgument(index);
    const own = wanted < 0 ? self.length + wanted : wanted;
    if (own >= 0 && own < self.length) return self[own] ?? null;
    if (block !== null) return block.run([wanted], null);
    if (otherwise !== undefined) return otherwise;
    throw exception('IndexError', `index ${wanted} out of array`);
  },
  index: (machine, self, args, block) => position(machine, self, args, block, false),
  find_index: (machine, self, args, block) => position(machine, self, args, block, false),
  rindex: (machine, self, args, block) => position(machine, self, args, block, true),
  join: (machine, self, [separator]) =>
    str(joined(machine, self, separator === undefined || separator === null ? '' : textArgument(separator))),
  last: (_machine, self, [count]) =>
    count === undefined ? (self.at(-1) ?? null) : self.slice(Math.max(0, self.length - indexArgument(count))),
  length: (_machine, self) => self.length,
  size: (_machine, self) => self.length,
  pack: (_machine, self, [format]) => packed(self, textArgument(format)),
  sample: (machine, self) => self[Math.floor(machine.random() * self.length)] ?? null,
  to_a: (_machine, self) => self,
  to_ary: (_machine, self) => self,
  values_at: (_machine, self, indexes) => indexes.map((index) => at(self, indexArgument(index))),
  assoc: (_machine, self, [key = null]) =>
    self.find((item) => Array.isArray(item) && equals(item[0] ?? null, key)) ?? null,
};

function position(
  machine: Machine,
  self: Value[],
  args: readonly Value[],
  block: RubyProc | null,
  fromEnd: boolean,
): Value {
  const [wanted] = args;
  const test = (item: Value): boolean =>
    wanted !== undefined ? equals(item, wanted) : block !== null && truthy(block.run([item], null));
  machine.step();
  const index = fromEnd ? self.findLastIndex(test) : self.findIndex(test);
  return index < 0 ? null : index;
}

const COMBINING: Methods<Value[]> = {
  '+': (machine, self, [other]) => {
    const list = listArgument(other);
    checkSize(machine, self.length + list.length);
    return [...self, ...list];
  },
  '-': (_machine, self, [other]) => without(self, listArgument(other)),
  difference: (_machine, self, lists) =>
    without(
      self,
      lists.flatMap((list) => listArgument(list)),
    ),
  '*': (machine, self, [by]) => {
    if (by instanceof RubyString) return str(joined(machine, self, by.text));
    const times = indexArgument(by);
    if (times < 0) throw argumentError('argument must be non-negative');
    checkSize(machine, self.length * times);
    return Array.from({ length: times }, () => self).flat();
  },
  '&': (_machine, self, [other]) => {
    const keys = new Set(listArgument(other).map(hashKeyOf));
    return unique(self.filter((item) => keys.has(hashKeyOf(item))));
  },
  '|': (_machine, self, [other]) => unique([...self, ...listArgument(other)]),
  union: (_machine, self, lists) => unique([...self, ...lists.flatMap((list) => listArgument(list))]),
  intersection: (_machine, self, lists) => {
    const keys = lists.map((list) => new Set(listArgument(list).map(hashKeyOf)));
    return unique(self.filter((item) => keys.every((set) => set.has(hashKeyOf(item)))));
  },
  'intersect?': (_machine, self, [other]) => {
    const keys = new Set(listArgument(other).map(hashKeyOf));
    return self.some((item) => keys.has(hashKeyOf(item)));
  },
  '<=>': (_machine, self, [other = null]) => {
    if (!Array.isArray(other)) return null;
    return compare(self, other);
  },
  combination: (machine, self, [count], block) =>
    eachOf(machine, combinations(machine, self, indexArgument(count)), block),
  compact: (_machine, self) => self.filter((item) => item !== null),
  flatten: (_machine, self, [depth]) => flattened(self, optionalIndex(depth, -1)),
  product: (machine, self, [other]) => {
    const list = listArgument(other);
    checkSize(machine, self.length * list.length);
    return self.flatMap((a) => list.map((b) => [a, b]));
  },
  reverse: (_machine, self) => self.slice().reverse(),
  rotate: (_machine, self, [by]) => {
    const count = self.length === 0 ? 0 : ((optionalIndex(by, 1) % self.length) + self.length) % self.length;
    return [...self.slice(count), ...self.slice(0, count)];
  },
  shuffle: (machine, self) =>
    self
      .map((item) => ({ item, rank: machine.random() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item),
  transpose: (_machine, self) => {
    const rows = self.map((row) => listArgument(row));
    return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null));
  },
};

const unique = (items: readonly Value[]): Value[] => uniqueItems({} as Machine, items, null);

function without(self: readonly Value[], list: readonly Value[]): Value[] {
  const keys = new Set(list.map(hashKeyOf));
  return self.filter((item) => !keys.has(hashKeyOf(item)));
}

function eachOf(machine: Machine, items: Value[], block: RubyProc | null): Value {
  if (block === null) return items;
  for (const item of items) {
    machine.step();
    block.run([item], null);
  }
  return items;
}

function combinations(machine: Machine, items: readonly Value[], count: number): Value[] {
  if (count === 0) return [[]];
  const made: Value[] = [];
  for (const [index, item] of items.entries()) {
    for (const rest of combinations(machine, items.slice(index + 1), count - 1)) {
      machine.grow(count);
      machine.step();
      made.push([item, ...listArgument(rest)]);
    }
  }
  return made;
}

const CHANGING: Methods<Value[]> = {
  '<<': (machine, self, [item = null]) => push(machine, self, [item]),
  '[]=': (machine, self, args) => store(machine, self, args),
  append: push,
  push,
  add: push,
  clear: (_machine, self) => replace(self, []),
  concat: (machine, self, lists) =>
    push(
      machine,
      self,
      lists.flatMap((list) => listArgument(list)),
    ),
  delete: (_machine, self, [wanted = null]) => {
    const had = self.some((item) => equals(item, wanted));
    replace(
      self,
      self.filter((item) => !equals(item, wanted)),
    );
    return had ? wanted : null;
  },
  delete_at: (_machine, self, [index]) => {
    const wanted = indexArgument(index);
    const own = wanted < 0 ? self.length + wanted : wanted;
    return own < 0 || own >= self.length ? null : (self.splice(own, 1)[0] ?? null);
  },
  fill,
  insert: (_machine, self, [index, ...items]) => {
    const wanted = indexArgument(index);
    while (self.length < wanted && self.length < LENGTH_MAX) self.push(null);
    self.splice(wanted < 0 ? self.length + wanted + 1 : wanted, 0, ...items);
    return self;
  },
  pop: (_machine, self, [count]) =>
    count === undefined ? (self.pop() ?? null) : self.splice(Math.max(0, self.length - indexArgument(count))),
  prepend: (_machine, self, items) => replace(self, [...items, ...self]),
  unshift: (_machine, self, items) => replace(self, [...items, ...self]),
  replace: (_machine, self, [other]) => replace(self, listArgument(other).slice()),
  shift: (_machine, self, [count]) =>
    count === undefined ? (self.shift() ?? null) : self.splice(0, indexArgument(count)),
  'slice!': (_machine, self, args) => {
    const found = slice(self, args);
    const removed = Array.isArray(found) && (args.length > 1 || args[0] instanceof RubyRange) ? found : [found];
    const from = args[0] instanceof RubyRange ? (rangeBounds(args[0], self.length)?.from ?? 0) : indexArgument(args[0]);
    if (found !== null) self.splice(from < 0 ? self.length + from : from, removed.length);
    return found;
  },
  ...inPlace('compact!', (_machine, self) => self.filter((item) => item !== null)),
  ...inPlace('flatten!', (_machine, self, [depth]) => flattened(self, optionalIndex(depth, -1))),
  ...inPlace('uniq!', (machine, self, _args, block) => uniqueItems(machine, self, block)),
  ...inPlace('select!', filtering(true)),
  ...inPlace('filter!', filtering(true)),
  ...inPlace('reject!', filtering(false)),
  keep_if: (machine, self, args, block) => replace(self, filtering(true)(machine, self, args, block)),
  delete_if: (machine, self, args, block) => replace(self, filtering(false)(machine, self, args, block)),
  'map!': (machine, self, _args, block) => replace(self, mapped(machine, self, block)),
  'collect!': (machine, self, _args, block) => replace(self, mapped(machine, self, block)),
  'reverse!': (_machine, self) => self.reverse(),
  'sort!': (machine, self, _args, block) => self.sort(orderBy(machine, block)),
  'sort_by!': (machine, self, _args, block) => (block === null ? self : replace(self, sortedBy(machine, self, block))),
};

type Change = (machine: Machine, self: Value[], args: readonly Value[], block: RubyProc | null) => Value[];

/** Answers nil when nothing changed, as the methods with a mark do. */
function inPlace(name: string, change: Change): Methods<Value[]> {
  return {
    [name]: (machine, self, args, block) => {
      const changed = change(machine, self, args, block);
      const isSame = changed.length === self.length;
      replace(self, changed);
      return isSame ? null : self;
    },
  };
}

function filtering(keeps: boolean): Change {
  return (machine, self, _args, block) =>
    self.filter((item) => {
      machine.step();
      return block === null || truthy(block.run([item], null)) === keeps;
    });
}

function mapped(machine: Machine, self: Value[], block: RubyProc | null): Value[] {
  return self.map((item) => {
    machine.step();
    return block === null ? item : block.run([item], null);
  });
}

export function defineArrays(): void {
  ARRAY.define({ ...READING, ...COMBINING, ...CHANGING });
  ARRAY.defineOnClass({
    new: (machine, _self, [size, fill = null], block) => {
      if (size === undefined) return [];
      if (Array.isArray(size)) return size.slice();
      if (numberOf(size) === null) throw cannotConvert(size, 'Integer');
      const length = checkSize(machine, indexArgument(size));
      if (length < 0) throw argumentError('negative array size');
      return Array.from({ length }, (_, index) => (block === null ? fill : block.run([index], null)));
    },
  });
}

/** `Array(value)`. */
export function asArray(machine: Machine, value: Value): Value[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  return value instanceof RubyHash || value instanceof RubyRange || value instanceof RubyEnumerator
    ? [...itemsOf(machine, value)]
    : [value];
}
