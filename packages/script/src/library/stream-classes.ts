/**
 * Streams, collectors and comparators. A stream makes all items of a step before the next step begins.
 */

import { call, callNumber, callPredicate, comparing, nativeFunction } from '../contract/calls.ts';
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { compareNumbers, compareObjects } from '../values/equality.ts';
import { illegalArgumentException } from '../values/java-exception.ts';
import { JavaArray, JavaIterator, JavaMap, JavaOptional, JavaSet, JavaStream } from '../values/java-map.ts';
import { boxed, convertNumber, JavaInteger, rawNumber } from '../values/java-numbers.ts';
import { classOf, textOf } from '../values/java-text.ts';
import { itemsOf } from './items-of.ts';

const OBJECT = 'java.lang.Object';
type Kind = JavaStream['type'];
type Primitive = Exclude<Kind, 'def'>;

const boxedItems = (machine: ScriptMachine, self: JavaStream): readonly unknown[] => itemsOf(machine, self);
const rawOf = (value: unknown, type: Kind): unknown => (type === 'def' ? value : convertNumber(rawNumber(value), type));

function mapped(type: Kind): Invoke {
  return (m, self: JavaStream, fn: ScriptFunction) =>
    new JavaStream(
      boxedItems(m, self).map((item) => (type === 'def' ? call(m, fn, item) : callNumber(m, fn, type, item))),
      type,
    );
}

/** Members that streams of all kinds have, for one kind. */
function commonMembers(type: Kind): Record<string, Invoke> {
  const stream = { def: 'Stream', int: 'IntStream', long: 'LongStream', double: 'DoubleStream' }[type];
  const optional = { def: 'Optional', int: 'OptionalInt', long: 'OptionalLong', double: 'OptionalDouble' }[type];
  const of = (items: readonly unknown[]): JavaStream => new JavaStream(items, type);
  return {
    [`${stream} map(Function)`]: mapped(type),
    'Stream mapToObj(Function)': mapped('def'),
    'IntStream mapToInt(Function)': mapped('int'),
    'LongStream mapToLong(Function)': mapped('long'),
    'DoubleStream mapToDouble(Function)': mapped('double'),
    [`${stream} filter(Function)`]: (m, self: JavaStream, fn: ScriptFunction) =>
      of(
        boxedItems(m, self)
          .filter((item) => callPredicate(m, fn, item))
          .map((item) => rawOf(item, type)),
      ),
    [`${stream} distinct()`]: (m, self: JavaStream) =>
      of(new JavaSet('java.util.LinkedHashSet', boxedItems(m, self)).items().map((item) => rawOf(item, type))),
    [`${stream} limit(long)`]: (_m, self: JavaStream, count: bigint) => {
      if (count < 0n) throw illegalArgumentException(String(count));
      return of(self.items.slice(0, Number(count)));
    },
    [`${stream} skip(long)`]: (_m, self: JavaStream, count: bigint) => of(self.items.slice(Math.max(0, Number(count)))),
    [`${stream} sorted()`]: (m, self: JavaStream) =>
      of(
        [...self.items].sort(
          type === 'def'
            ? comparing(m, null, compareObjects)
            : (a, b) => compareNumbers(a as number | bigint, b as number | bigint),
        ),
      ),
    [`${stream} peek(Function)`]: (m, self: JavaStream, fn: ScriptFunction) => {
      for (const item of boxedItems(m, self)) call(m, fn, item);
      return self;
    },
    'boolean anyMatch(Function)': (m, self: JavaStream, fn: ScriptFunction) =>
      boxedItems(m, self).some((item) => callPredicate(m, fn, item)),
    'boolean allMatch(Function)': (m, self: JavaStream, fn: ScriptFunction) =>
      boxedItems(m, self).every((item) => callPredicate(m, fn, item)),
    'boolean noneMatch(Function)': (m, self: JavaStream, fn: ScriptFunction) =>
      !boxedItems(m, self).some((item) => callPredicate(m, fn, item)),
    'void forEach(Function)': (m, self: JavaStream, fn: ScriptFunction) => {
      for (const item of boxedItems(m, self)) call(m, fn, item);
    },
    'long count()': (_m, self: JavaStream) => BigInt(self.items.length),
    [`${optional} findFirst()`]: (_m, self: JavaStream) => new JavaOptional(self.items[0] ?? null, type),
    [`${optional} findAny()`]: (_m, self: JavaStream) => new JavaOptional(self.items[0] ?? null, type),
    [`${optional} reduce(Function)`]: (m, self: JavaStream, fn: ScriptFunction) => {
      const items = boxedItems(m, self);
      if (items.length === 0) return new JavaOptional(null, type);
      return new JavaOptional(
        rawOf(
          items.reduce((sum, item) => call(m, fn, sum, item)),
          type,
        ),
        type,
      );
    },
    [`${type} reduce(${type},Function)`]: (m, self: JavaStream, start: unknown, fn: ScriptFunction) =>
      rawOf(
        boxedItems(m, self).reduce((sum, item) => call(m, fn, sum, item), boxed(start, type)),
        type,
      ),
    'Iterator iterator()': (m, self: JavaStream) => new JavaIterator(boxedItems(m, self), () => {}),
    [`${type}[] toArray()`]: (_m, self: JavaStream) => new JavaArray(type, [...self.items]),
  };
}

function numberStream(type: Primitive, name: string): ScriptClass {
  const add = (items: readonly (number | bigint)[]): number | bigint =>
    type === 'long'
      ? BigInt.asIntN(
          64,
          items.reduce<bigint>((sum, item) => sum + (item as bigint), 0n),
        )
      : items.reduce<number>(
          (sum, item) => (type === 'int' ? (sum + (item as number)) | 0 : sum + (item as number)),
          0,
        );
  const numbers = (self: JavaStream): readonly (number | bigint)[] => self.items as readonly (number | bigint)[];
  const extreme = (self: JavaStream, sign: 1 | -1): JavaOptional => {
    const items = numbers(self);
    const [first = null] = items;
    return new JavaOptional(
      items.reduce<number | bigint | null>(
        (best, item) => (best !== null && compareNumbers(item, best) * sign > 0 ? item : best),
        first,
      ),
      type,
    );
  };
  const optional = `Optional${name.slice(0, -'Stream'.length)}`;
  return scriptClass(`java.util.stream.${name}`, [OBJECT], {
    ...commonMembers(type),
    'Stream boxed()': (m, self: JavaStream) => new JavaStream(boxedItems(m, self)),
    [`${type} sum()`]: (_m, self: JavaStream) => add(numbers(self)),
    'OptionalDouble average()': (_m, self: JavaStream) =>
      new JavaOptional(self.items.length === 0 ? null : Number(add(numbers(self))) / self.items.length, 'double'),
    [`${optional} max()`]: (_m, self: JavaStream) => extreme(self, 1),
    [`${optional} min()`]: (_m, self: JavaStream) => extreme(self, -1),
    'DoubleStream asDoubleStream()': (_m, self: JavaStream) => new JavaStream(numbers(self).map(Number), 'double'),
    'LongStream asLongStream()': (_m, self: JavaStream) =>
      new JavaStream(
        numbers(self).map((item) => convertNumber(item, 'long')),
        'long',
      ),
    ...(type === 'int'
      ? {
          'static IntStream range(int,int)': (m: ScriptMachine, _s: unknown, from: number, to: number) =>
            range(m, from, to),
          'static IntStream rangeClosed(int,int)': (m: ScriptMachine, _s: unknown, from: number, to: number) =>
            range(m, from, to + 1),
        }
      : {}),
  });
}

function range(machine: ScriptMachine, from: number, to: number): JavaStream {
  const count = Math.max(0, to - from);
  machine.grow(count);
  return new JavaStream(
    Array.from({ length: count }, (_, i) => from + i),
    'int',
  );
}

const STREAM = scriptClass('java.util.stream.Stream', [OBJECT], {
  ...commonMembers('def'),
  'Stream sorted(Function)': (m, self: JavaStream, fn: ScriptFunction) =>
    new JavaStream([...self.items].sort(comparing(m, fn, compareObjects))),
  'Stream flatMap(Function)': (m, self: JavaStream, fn: ScriptFunction) => {
    const items: unknown[] = [];
    for (const item of boxedItems(m, self)) {
      const inner = itemsOf(m, call(m, fn, item));
      m.grow(inner.length);
      items.push(...inner);
    }
    return new JavaStream(items);
  },
  'Optional max(Function)': (m, self: JavaStream, fn: ScriptFunction) => new JavaOptional(best(m, self, fn, 1)),
  'Optional min(Function)': (m, self: JavaStream, fn: ScriptFunction) => new JavaOptional(best(m, self, fn, -1)),
  'def collect(Function)': (m, self: JavaStream, collector: ScriptFunction) => {
    if (collector.arity !== COLLECTS) throw illegalArgumentException(`[${classOf(collector)}] is no collector`);
    return collector.call(m, [boxedItems(m, self)]);
  },
  'static Stream of(def[])': (_m, _s, array: JavaArray) => new JavaStream(array.boxedItems()),
  'static Stream empty()': () => new JavaStream([]),
  'static Stream concat(Stream,Stream)': (_m, _s, a: JavaStream, b: JavaStream) =>
    new JavaStream([...a.items, ...b.items]),
});

function best(machine: ScriptMachine, self: JavaStream, fn: ScriptFunction, sign: 1 | -1): unknown {
  const order = comparing(machine, fn, compareObjects);
  return boxedItems(machine, self).reduce((a, b) => (a === null || order(b, a) * sign > 0 ? b : a), null);
}

/** Arity that marks a function as a collector: it takes the items. */
const COLLECTS = -2;

function collector(run: (machine: ScriptMachine, items: readonly unknown[]) => unknown): ScriptFunction {
  return nativeFunction(COLLECTS, (machine, [items]) => run(machine, items as readonly unknown[]));
}

const toList = collector((_m, items) => [...items]);

function grouping(fn: ScriptFunction, inner: ScriptFunction): ScriptFunction {
  return collector((m, items) => {
    const groups = new JavaMap();
    for (const item of items) {
      const key = call(m, fn, item);
      const group = groups.get(key);
      if (Array.isArray(group)) group.push(item);
      else groups.set(key, [item]);
    }
    for (const [key, group] of groups.entries()) groups.set(key, inner.call(m, [group]));
    return groups;
  });
}

function average(type: Primitive): Invoke {
  return (_m, _s, fn: ScriptFunction) =>
    collector((m, items) => {
      if (items.length === 0) return 0;
      return items.reduce<number>((sum, item) => sum + Number(callNumber(m, fn, type, item)), 0) / items.length;
    });
}

function toMap(keys: ScriptFunction, values: ScriptFunction, merge: ScriptFunction | null): ScriptFunction {
  return collector((m, items) => {
    const map = new JavaMap();
    for (const item of items) {
      const key = call(m, keys, item);
      const value = call(m, values, item);
      if (!map.has(key)) map.set(key, value);
      else if (merge !== null) map.set(key, call(m, merge, map.get(key), value));
      else throw illegalArgumentException(`Duplicate key ${textOf(key)}`);
    }
    return map;
  });
}

const COLLECTORS = scriptClass('java.util.stream.Collectors', [OBJECT], {
  'static Function toList()': () => toList,
  'static Function toSet()': () => collector((_m, items) => new JavaSet('java.util.HashSet', items)),
  'static Function counting()': () => collector((_m, items) => BigInt(items.length)),
  'static Function joining()': () => joining('', '', ''),
  'static Function joining(CharSequence)': (_m, _s, between: string) => joining(between, '', ''),
  'static Function joining(CharSequence,CharSequence,CharSequence)': (_m, _s, between, before, behind) =>
    joining(between, before, behind),
  'static Function groupingBy(Function)': (_m, _s, fn) => grouping(fn, toList),
  'static Function groupingBy(Function,Function)': (_m, _s, fn, inner) => grouping(fn, inner),
  'static Function mapping(Function,Function)': (_m, _s, fn: ScriptFunction, inner: ScriptFunction) =>
    collector((m, items) => inner.call(m, [items.map((item) => call(m, fn, item))])),
  'static Function partitioningBy(Function)': (_m, _s, fn: ScriptFunction) =>
    collector((m, items) => {
      const map = new JavaMap();
      map.set(false, []);
      map.set(true, []);
      for (const item of items) (map.get(callPredicate(m, fn, item)) as unknown[]).push(item);
      return map;
    }),
  'static Function partitioningBy(Function,Function)': (_m, _s, fn: ScriptFunction, inner: ScriptFunction) =>
    collector((m, items) => {
      const parts: [unknown[], unknown[]] = [[], []];
      for (const item of items) parts[callPredicate(m, fn, item) ? 1 : 0].push(item);
      const map = new JavaMap();
      map.set(false, inner.call(m, [parts[0]]));
      map.set(true, inner.call(m, [parts[1]]));
      return map;
    }),
  'static Function collectingAndThen(Function,Function)': (_m, _s, inner: ScriptFunction, fn: ScriptFunction) =>
    collector((m, items) => call(m, fn, inner.call(m, [items]))),
  'static Function maxBy(Function)': (_m, _s, fn: ScriptFunction) =>
    collector((m, items) => new JavaOptional(best(m, new JavaStream(items), fn, 1))),
  'static Function minBy(Function)': (_m, _s, fn: ScriptFunction) =>
    collector((m, items) => new JavaOptional(best(m, new JavaStream(items), fn, -1))),
  'static Function reducing(def,Function)': (_m, _s, start: unknown, fn: ScriptFunction) =>
    collector((m, items) => items.reduce((sum, item) => call(m, fn, sum, item), start)),
  'static Function averagingInt(Function)': average('int'),
  'static Function averagingLong(Function)': average('long'),
  'static Function averagingDouble(Function)': average('double'),
  'static Function summingInt(Function)': (_m, _s, fn) =>
    collector((m, items) =>
      JavaInteger.of(items.reduce<number>((sum, item) => (sum + Number(callNumber(m, fn, 'int', item))) | 0, 0)),
    ),
  'static Function summingLong(Function)': (_m, _s, fn) =>
    collector((m, items) =>
      items.reduce<bigint>((sum, item) => BigInt.asIntN(64, sum + BigInt(callNumber(m, fn, 'long', item))), 0n),
    ),
  'static Function summingDouble(Function)': (_m, _s, fn) =>
    collector((m, items) => items.reduce<number>((sum, item) => sum + Number(callNumber(m, fn, 'double', item)), 0)),
  'static Function toMap(Function,Function)': (_m, _s, keys, values) => toMap(keys, values, null),
  'static Function toMap(Function,Function,Function)': (_m, _s, keys, values, merge) => toMap(keys, values, merge),
});

function joining(between: unknown, before: unknown, behind: unknown): ScriptFunction {
  return collector((m, items) => {
    const text = `${textOf(before)}${items.map((item) => textOf(item)).join(textOf(between))}${textOf(behind)}`;
    m.grow(text.length);
    return text;
  });
}

const byKey = (fn: ScriptFunction): ScriptFunction =>
  nativeFunction(2, (m, [a, b]) => JavaInteger.of(compareObjects(call(m, fn, a), call(m, fn, b))));
const reversed = (fn: ScriptFunction): ScriptFunction =>
  nativeFunction(2, (m, [a, b]) => JavaInteger.of(Math.sign(Number(callNumber(m, fn, 'int', b, a)))));
const natural = nativeFunction(2, (_m, [a, b]) => JavaInteger.of(compareObjects(a, b)));

function thenBy(first: ScriptFunction, second: ScriptFunction): ScriptFunction {
  return nativeFunction(2, (m, [a, b]) => {
    const order = Number(callNumber(m, first, 'int', a, b));
    return JavaInteger.of(order === 0 ? Number(callNumber(m, second, 'int', a, b)) : Math.sign(order));
  });
}

const COMPARATOR = scriptClass('java.util.Comparator', [OBJECT], {
  'static Function comparing(Function)': (_m, _s, fn) => byKey(fn),
  'static Function comparing(Function,Function)': (_m, _s, fn: ScriptFunction, order: ScriptFunction) =>
    nativeFunction(2, (m, [a, b]) => call(m, order, call(m, fn, a), call(m, fn, b))),
  'static Function comparingInt(Function)': (_m, _s, fn) => byKey(fn),
  'static Function comparingLong(Function)': (_m, _s, fn) => byKey(fn),
  'static Function comparingDouble(Function)': (_m, _s, fn) => byKey(fn),
  'static Function naturalOrder()': () => natural,
  'static Function reverseOrder()': () => reversed(natural),
});

/** Functions have the methods of the interfaces that Java would have given them. */
const LAMBDA = scriptClass('lambda', [OBJECT], {
  'def apply(def)': (m, fn, a) => call(m, fn, a),
  'def apply(def,def)': (m, fn, a, b) => call(m, fn, a, b),
  'boolean test(def)': (m, fn, a) => callPredicate(m, fn, a),
  'boolean test(def,def)': (m, fn, a, b) => callPredicate(m, fn, a, b),
  'void accept(def)': (m, fn, a) => void call(m, fn, a),
  'void accept(def,def)': (m, fn, a, b) => void call(m, fn, a, b),
  'def get()': (m, fn) => call(m, fn),
  'void run()': (m, fn) => void call(m, fn),
  'int compare(def,def)': (m, fn, a, b) => callNumber(m, fn, 'int', a, b),
  'int applyAsInt(def)': (m, fn, a) => callNumber(m, fn, 'int', a),
  'long applyAsLong(def)': (m, fn, a) => callNumber(m, fn, 'long', a),
  'double applyAsDouble(def)': (m, fn, a) => callNumber(m, fn, 'double', a),
  'Function reversed()': (_m, fn) => reversed(fn),
  'Function thenComparing(Function)': (_m, fn, other: ScriptFunction) =>
    thenBy(fn, other.arity === 1 ? byKey(other) : other),
  'Function andThen(Function)': (_m, fn: ScriptFunction, other: ScriptFunction) =>
    nativeFunction(fn.arity, (m, args) => call(m, other, fn.call(m, args))),
  'Function negate()': (_m, fn: ScriptFunction) =>
    nativeFunction(fn.arity, (m, args) => !callPredicate(m, fn, ...args)),
});

export const STREAM_CLASSES: readonly ScriptClass[] = [
  STREAM,
  numberStream('int', 'IntStream'),
  numberStream('long', 'LongStream'),
  numberStream('double', 'DoubleStream'),
  COLLECTORS,
  COMPARATOR,
  LAMBDA,
];
