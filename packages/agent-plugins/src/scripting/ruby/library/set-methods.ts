/**
 * Sets: what they have besides being gone through.
 */
import { blockArgument } from '../arguments/arguments.ts';
import { argumentError, checkFrozen } from '../values/ruby-exception.ts';
import { RubySet, SET } from '../values/ruby-set.ts';
import { ENUMERABLE, type Machine, type Methods, type RubyProc, truthy, type Value } from '../values/ruby-value.ts';
import { itemsOf } from './items-of.ts';

function add(machine: Machine, self: RubySet, item: Value): boolean {
  checkFrozen(self);
  if (self.has(item)) return false;
  machine.grow(1);
  self.hash.set(item, true);
  return true;
}

function remove(self: RubySet, item: Value): boolean {
  checkFrozen(self);
  const isThere = self.has(item);
  self.hash.delete(item);
  return isThere;
}

/** A copy that takes memory of its own. */
function setOf(machine: Machine, items: readonly Value[]): RubySet {
  machine.grow(items.length);
  return RubySet.of(items);
}

function other(value: Value | undefined): RubySet {
  if (value instanceof RubySet) return value;
  throw argumentError('value must be a set');
}

/** Sets are made of all that can be gone through. */
function given(machine: Machine, value: Value | undefined): readonly Value[] {
  return itemsOf(machine, value ?? null);
}

function chosen(machine: Machine, self: RubySet, block: RubyProc | null, isKept: boolean): Value[] {
  const test = blockArgument(block);
  return self.items.filter((item) => {
    machine.step();
    return truthy(test.run([item], null)) === isKept;
  });
}

function keep(self: RubySet, items: readonly Value[]): RubySet {
  checkFrozen(self);
  self.hash.entries.clear();
  for (const item of items) self.hash.set(item, true);
  return self;
}

/** Answers nil when nothing changed, as the methods with a mark do. */
const thinned =
  (isKept: boolean): Methods<RubySet>[string] =>
  (machine, self, _args, block) => {
    const items = chosen(machine, self, block, isKept);
    return items.length === self.size ? null : keep(self, items);
  };

const added: Methods<RubySet>[string] = (machine, self, [item = null]) => {
  add(machine, self, item);
  return self;
};

const CHANGING: Methods<RubySet> = {
  '<<': added,
  add: added,
  'add?': (machine, self, [item = null]) => (add(machine, self, item) ? self : null),
  clear: (_machine, self) => keep(self, []),
  delete: (_machine, self, [item = null]) => {
    remove(self, item);
    return self;
  },
  'delete?': (_machine, self, [item = null]) => (remove(self, item) ? self : null),
  delete_if: (machine, self, _args, block) => keep(self, chosen(machine, self, block, false)),
  keep_if: (machine, self, _args, block) => keep(self, chosen(machine, self, block, true)),
  'select!': thinned(true),
  'filter!': thinned(true),
  'reject!': thinned(false),
  merge: (machine, self, args) => {
    for (const one of args) for (const item of given(machine, one)) add(machine, self, item);
    return self;
  },
  subtract: (machine, self, [one]) => {
    for (const item of given(machine, one)) remove(self, item);
    return self;
  },
};

const union: Methods<RubySet>[string] = (machine, self, [one]) =>
  setOf(machine, [...self.items, ...given(machine, one)]);
const intersection: Methods<RubySet>[string] = (machine, self, [one]) =>
  setOf(
    machine,
    given(machine, one).filter((item) => self.has(item)),
  );
const difference: Methods<RubySet>[string] = (machine, self, [one]) => {
  const without = setOf(machine, given(machine, one));
  return setOf(
    machine,
    self.items.filter((item) => !without.has(item)),
  );
};
const includes: Methods<RubySet>[string] = (_machine, self, [item = null]) => self.has(item);
const size: Methods<RubySet>[string] = (_machine, self) => self.size;
const isSubset: Methods<RubySet>[string] = (_machine, self, [one]) => self.isWithin(other(one));
const isSuperset: Methods<RubySet>[string] = (_machine, self, [one]) => other(one).isWithin(self);

const isProperSubset: Methods<RubySet>[string] = (_machine, self, [one]) =>
  self.isWithin(other(one)) && self.size < other(one).size;
const isProperSuperset: Methods<RubySet>[string] = (_machine, self, [one]) =>
  other(one).isWithin(self) && self.size > other(one).size;

const ASKING: Methods<RubySet> = {
  '&': intersection,
  intersection,
  '|': union,
  '+': union,
  union,
  '-': difference,
  difference,
  '^': (machine, self, [one]) => {
    const items = setOf(machine, given(machine, one));
    const onlyHere = self.items.filter((item) => !items.has(item));
    return setOf(machine, [...onlyHere, ...items.items.filter((item) => !self.has(item))]);
  },
  '===': includes,
  'include?': includes,
  'member?': includes,
  'contain?': includes,
  size,
  length: size,
  'empty?': (_machine, self) => self.size === 0,
  '<=': isSubset,
  'subset?': isSubset,
  '<': isProperSubset,
  'proper_subset?': isProperSubset,
  '>': isProperSuperset,
  'proper_superset?': isProperSuperset,
  '>=': isSuperset,
  'superset?': isSuperset,
  'disjoint?': (machine, self, [one]) => !given(machine, one).some((item) => self.has(item)),
  'intersect?': (machine, self, [one]) => given(machine, one).some((item) => self.has(item)),
  select: (machine, self, _args, block) => setOf(machine, chosen(machine, self, block, true)),
  filter: (machine, self, _args, block) => setOf(machine, chosen(machine, self, block, true)),
  reject: (machine, self, _args, block) => setOf(machine, chosen(machine, self, block, false)),
  each: (machine, self, _args, block) => {
    const run = blockArgument(block);
    for (const item of self.items) {
      machine.step();
      run.run([item], null);
    }
    return self;
  },
  dup: (machine, self) => setOf(machine, self.items),
  clone: (machine, self) => setOf(machine, self.items),
  to_set: (_machine, self) => self,
};

export function defineSets(): void {
  SET.define({ ...CHANGING, ...ASKING });
  SET.defineOnClass({
    new: (machine, _self, [items = null], block) => {
      const list = items === null ? [] : given(machine, items);
      return setOf(machine, block === null ? list : list.map((item) => block.run([item], null)));
    },
    '[]': (machine, _self, items) => setOf(machine, items),
  });
  ENUMERABLE.define({ to_set: (machine, self) => setOf(machine, itemsOf(machine, self)) });
}
