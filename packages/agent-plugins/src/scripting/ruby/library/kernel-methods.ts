/**
 * Methods that every value has, and those of nil, true and false.
 */

import { blockArgument, nameArgument } from '../arguments/arguments.ts';
import { equals, isSame } from '../values/equality.ts';
import { inspect, toText } from '../values/inspect.ts';
import { argumentError, noMethod, typeError } from '../values/ruby-exception.ts';
import {
  BASIC_OBJECT,
  COMPARABLE,
  classOf,
  FALSE,
  hashKeyOf,
  KERNEL,
  type Methods,
  NIL,
  RubyClass,
  RubyHash,
  RubyObject,
  RubyProc,
  RubyRange,
  RubyString,
  str,
  TRUE,
  truthy,
  type Value,
} from '../values/ruby-value.ts';
import { ScriptObject } from '../values/script-objects.ts';

export function copyOf(value: Value): Value {
  if (value instanceof RubyString) return new RubyString(value.text, value.isBinary);
  if (Array.isArray(value)) return value.slice();
  if (!(value instanceof RubyHash)) return value;
  const copy = RubyHash.of(value.pairs());
  copy.fallback = value.fallback;
  copy.fallbackBlock = value.fallbackBlock;
  return copy;
}

const isA = (value: Value, other: Value | undefined): boolean => {
  if (!(other instanceof RubyClass)) throw typeError('class or module required');
  return classOf(value).isWithin(other);
};

const BASIC: Methods = {
  '==': (_machine, self, [other = null]) => equals(self, other),
  '!=': (machine, self, args) => !truthy(machine.call(self, '==', args)),
  'equal?': (_machine, self, [other = null]) =>
    self === other || (!(self instanceof RubyObject) && equals(self, other)),
  '!': (_machine, self) => !truthy(self),
};

const OBJECT_METHODS: Methods = {
  '===': (machine, self, [other = null]) => machine.call(self, '==', [other]),
  '=~': () => null,
  '<=>': (_machine, self, [other = null]) => (equals(self, other) ? 0 : null),
  class: (_machine, self) => classOf(self),
  clone: (_machine, self) => copyOf(self),
  display: (machine, self) => {
    machine.log(toText(self), 'info');
    return null;
  },
  dup: (_machine, self) => copyOf(self),
  'eql?': (_machine, self, [other = null]) => isSame(self, other),
  freeze: (_machine, self) => {
    if (self instanceof RubyObject) self.isFrozen = true;
    return self;
  },
  'frozen?': (_machine, self) => (self instanceof RubyObject ? self.isFrozen : !Array.isArray(self)),
  hash: (_machine, self) => hashNumber(String(hashKeyOf(self))),
  inspect: (_machine, self) => str(inspect(self)),
  'instance_of?': (_machine, self, [other = null]) => classOf(self) === other,
  instance_variable_get: (_machine, self, [name]) =>
    self instanceof ScriptObject ? (self.variables.get(nameArgument(name).replace(/^@/, '')) ?? null) : null,
  'instance_variable_defined?': (_machine, self, [name]) =>
    self instanceof ScriptObject && self.variables.has(nameArgument(name).replace(/^@/, '')),
  instance_variable_set: (_machine, self, [name, value = null]) => {
    if (!(self instanceof ScriptObject)) throw typeError('only the script itself has instance variables here');
    self.variables.set(nameArgument(name).replace(/^@/, ''), value);
    return value;
  },
  'is_a?': (_machine, self, [other]) => isA(self, other),
  itself: (_machine, self) => self,
  'kind_of?': (_machine, self, [other]) => isA(self, other),
  method: (machine, self, [name]) => {
    const called = nameArgument(name);
    if (!truthy(machine.call(self, 'respond_to?', [name ?? null, true]))) throw noMethod(called, self);
    return new RubyProc((args, block) => machine.call(self, called, args, block), -1, true);
  },
  'nil?': (_machine, self) => self === null,
  object_id: (_machine, self) => hashNumber(inspect(self)),
  public_send: (machine, self, [name, ...args], block) => machine.call(self, nameArgument(name), args, block),
  send: (machine, self, [name, ...args], block) => machine.call(self, nameArgument(name), args, block),
  __send__: (machine, self, [name, ...args], block) => machine.call(self, nameArgument(name), args, block),
  tap: (_machine, self, _args, block) => {
    blockArgument(block).run([self], null);
    return self;
  },
  ['then' as string]: (_machine, self, _args, block) => blockArgument(block).run([self], null),
  to_enum: (_machine, self) => self,
  to_s: (_machine, self) => str(toText(self)),
  yield_self: (_machine, self, _args, block) => blockArgument(block).run([self], null),
};

/** The same for the same text; no more is promised. */
function hashNumber(text: string): number {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) % 0x1f_ffff_ffff;
  return hash;
}

const NIL_METHODS: Methods = {
  '&': () => false,
  '|': (_machine, _self, [other = null]) => truthy(other),
  to_a: () => [],
  to_f: (machine) => machine.call(0, 'to_f'),
  to_h: () => new RubyHash(),
  to_i: () => 0,
  to_s: () => str(''),
};

const BOOLEAN_METHODS: Methods = {
  '&': (_machine, self, [other = null]) => truthy(self) && truthy(other),
  '|': (_machine, self, [other = null]) => truthy(self) || truthy(other),
  '^': (_machine, self, [other = null]) => truthy(self) !== truthy(other),
};

function order(self: Value, other: Value | undefined, result: Value): number {
  if (typeof result === 'number') return result;
  const shown =
    other instanceof RubyObject || other === null || Array.isArray(other)
      ? classOf(other ?? null).name
      : toText(other ?? null);
  throw argumentError(`comparison of ${classOf(self).name} with ${other === null ? 'nil' : shown} failed`);
}

const COMPARISONS: Methods = {
  '<': (machine, self, [other]) => order(self, other, machine.call(self, '<=>', [other ?? null])) < 0,
  '<=': (machine, self, [other]) => order(self, other, machine.call(self, '<=>', [other ?? null])) <= 0,
  '>': (machine, self, [other]) => order(self, other, machine.call(self, '<=>', [other ?? null])) > 0,
  '>=': (machine, self, [other]) => order(self, other, machine.call(self, '<=>', [other ?? null])) >= 0,
  'between?': (machine, self, [least = null, most = null]) =>
    truthy(machine.call(self, '>=', [least])) && truthy(machine.call(self, '<=', [most])),
  clamp: (machine, self, args) => {
    const [first = null] = args;
    const [least = null, most = null] = first instanceof RubyRange ? [first.from, first.to] : args;
    if (least !== null && truthy(machine.call(self, '<', [least]))) return least;
    return most !== null && truthy(machine.call(self, '>', [most])) ? most : self;
  },
};

export function defineKernel(): void {
  BASIC_OBJECT.define(BASIC);
  KERNEL.define({
    ...OBJECT_METHODS,
    'respond_to?': (_machine, self, [name]) => {
      const called = nameArgument(name);
      if (self instanceof RubyClass) return self.findOnClass(called) !== null;
      return classOf(self).find(called) !== null;
    },
  });
  COMPARABLE.define(COMPARISONS);
  NIL.define(NIL_METHODS);
  TRUE.define(BOOLEAN_METHODS);
  FALSE.define(BOOLEAN_METHODS);
}
