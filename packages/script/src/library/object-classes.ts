/**
 * `Object`, `Objects`, `Boolean`, `Optional` and what has no better place among the classes of `java.lang` and `java.util`.
 */

import { call, callPredicate, comparing } from '../contract/calls.ts';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction } from '../machine/script-machine.ts';
import { compareObjects, equalObjects, hashOf } from '../values/equality.ts';
import { noSuchElement, nullPointer } from '../values/java-exception.ts';
import { type JavaIterator, JavaOptional } from '../values/java-map.ts';
import { boxed } from '../values/java-numbers.ts';
import { textOf } from '../values/java-text.ts';

const OBJECT = 'java.lang.Object';

const OPTIONALS = [
  ['java.util.Optional', 'def', 'get'],
  ['java.util.OptionalInt', 'int', 'getAsInt'],
  ['java.util.OptionalLong', 'long', 'getAsLong'],
  ['java.util.OptionalDouble', 'double', 'getAsDouble'],
] as const;

function optionalClass([name, type, getter]: (typeof OPTIONALS)[number]): ScriptClass {
  const present = ({ value }: JavaOptional): unknown => {
    if (value === null) throw noSuchElement('No value present');
    return value;
  };
  return scriptClass(name, [OBJECT], {
    [`${type} ${getter}()`]: (_m, self: JavaOptional) => present(self),
    'boolean isPresent()': (_m, self: JavaOptional) => self.value !== null,
    [`${type} orElse(${type})`]: (_m, self: JavaOptional, other: unknown) => self.value ?? other,
    ...(type === 'def'
      ? {
          'Optional map(Function)': (m, self: JavaOptional, fn: ScriptFunction) =>
            self.value === null ? self : new JavaOptional(call(m, fn, self.value)),
          'Optional filter(Function)': (m, self: JavaOptional, fn: ScriptFunction) =>
            self.value === null || callPredicate(m, fn, self.value) ? self : new JavaOptional(null),
          'def orElseGet(Function)': (m, self: JavaOptional, fn: ScriptFunction) => self.value ?? call(m, fn),
          'static Optional of(def)': (_m, _s, value: unknown) => new JavaOptional(value),
          'static Optional ofNullable(def)': (_m, _s, value: unknown) => new JavaOptional(value),
          'static Optional empty()': () => new JavaOptional(null),
        }
      : {}),
    'void ifPresent(Function)': (m, self: JavaOptional, fn: ScriptFunction) => {
      if (self.value !== null) call(m, fn, boxed(self.value, type));
    },
  });
}

export const OBJECT_CLASSES: readonly ScriptClass[] = [
  scriptClass(OBJECT, [], {
    'boolean equals(def)': (_m, self: unknown, other: unknown) => equalObjects(self, other),
    'int hashCode()': (_m, self: unknown) => hashOf(self),
    'String toString()': (m, self: unknown) => {
      const text = textOf(self);
      m.grow(text.length);
      return text;
    },
  }),
  scriptClass('java.lang.Comparable', [OBJECT], {
    'int compareTo(def)': (_m, self: unknown, other: unknown) => compareObjects(self, other),
  }),
  scriptClass('java.lang.Boolean', ['java.lang.Comparable', OBJECT], {
    'boolean booleanValue()': (_m, self: boolean) => self,
    'static boolean parseBoolean(String)': (_m, _s, text: string | null) => text?.toLowerCase() === 'true',
    'static Boolean valueOf(boolean)': (_m, _s, value: boolean) => value,
    'static String toString(boolean)': (_m, _s, value: boolean) => String(value),
    'static int compare(boolean,boolean)': (_m, _s, a: boolean, b: boolean) => Number(a) - Number(b),
    'static boolean logicalAnd(boolean,boolean)': (_m, _s, a: boolean, b: boolean) => a && b,
    'static boolean logicalOr(boolean,boolean)': (_m, _s, a: boolean, b: boolean) => a || b,
    'static boolean logicalXor(boolean,boolean)': (_m, _s, a: boolean, b: boolean) => a !== b,
    'const boolean TRUE': true,
    'const boolean FALSE': false,
  }),
  scriptClass('java.util.Objects', [OBJECT], {
    'static boolean equals(def,def)': (_m, _s, a: unknown, b: unknown) => equalObjects(a, b),
    'static int hashCode(def)': (_m, _s, value: unknown) => hashOf(value),
    'static boolean isNull(def)': (_m, _s, value: unknown) => value === null,
    'static boolean nonNull(def)': (_m, _s, value: unknown) => value !== null,
    'static String toString(def)': (_m, _s, value: unknown) => textOf(value),
    'static String toString(def,String)': (_m, _s, value: unknown, other: string) =>
      value === null ? other : textOf(value),
    'static int compare(def,def,Function)': (m, _s, a: unknown, b: unknown, fn: ScriptFunction) =>
      comparing(m, fn, compareObjects)(a, b),
    'static def requireNonNull(def)': (_m, _s, value: unknown) => {
      if (value === null) throw nullPointer();
      return value;
    },
    'static def requireNonNull(def,String)': (_m, _s, value: unknown, text: string) => {
      if (value === null) throw nullPointer(text);
      return value;
    },
  }),
  scriptClass('java.util.Iterator', [OBJECT], {
    'boolean hasNext()': (_m, self: JavaIterator) => self.position < self.items.length,
    'def next()': (m, self: JavaIterator) => {
      m.step();
      if (self.position >= self.items.length) throw noSuchElement('');
      return self.items[self.position++];
    },
    'void remove()': (_m, self: JavaIterator) => self.remove(self.items[self.position - 1]),
  }),
  ...OPTIONALS.map(optionalClass),
];
