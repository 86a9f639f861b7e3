/**
 * Hashes: what they have besides being gone through as pairs.
 */

import { blockArgument, hashArgument, listArgument, optionalIndex } from '../arguments/arguments.ts';
import { equals } from '../values/equality.ts';
import { inspect } from '../values/inspect.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { argumentError, checkFrozen, exception } from '../values/ruby-exception.ts';
import { HASH, type Machine, type Methods, RubyHash, RubyProc, truthy, type Value } from '../values/ruby-value.ts';

/** Hashes beyond this are mistakes or attacks. */
const SIZE_MAX = 5_000_000;

function getOrDefault(self: RubyHash, key: Value): Value {
  const found = self.get(key);
  if (found !== undefined) return found;
  return self.fallbackBlock === null ? self.fallback : self.fallbackBlock.run([self, key], null);
}

function store(machine: Machine, self: RubyHash, [key = null, value = null]: readonly Value[]): Value {
  checkFrozen(self);
  machine.grow(1);
  if (self.entries.size >= SIZE_MAX) throw argumentError('hash too big');
  self.set(key, value);
  return value;
}

function replace(self: RubyHash, pairs: Iterable<readonly [Value, Value]>): RubyHash {
  checkFrozen(self);
  const kept = [...pairs];
  self.entries.clear();
  for (const [key, value] of kept) self.set(key, value);
  return self;
}

function yieldPair(machine: Machine, block: RubyProc, [key, value]: readonly [Value, Value]): Value {
  machine.step();
  // A lambda of two gets the two; any other block takes a pair apart by itself.
  return block.run(block.arity === 2 || block.isLambda ? [key, value] : [[key, value]], null);
}

type PairsOf = (machine: Machine, self: RubyHash, block: RubyProc) => [Value, Value][];

const selected: PairsOf = (machine, self, block) =>
  self.pairs().filter((pair) => truthy(yieldPair(machine, block, pair)));
const rejected: PairsOf = (machine, self, block) =>
  self.pairs().filter((pair) => !truthy(yieldPair(machine, block, pair)));
const withValues: PairsOf = (machine, self, block) =>
  self.pairs().map(([key, value]) => {
    machine.step();
    return [key, block.run([value], null)];
  });
const withKeys: PairsOf = (machine, self, block) =>
  self.pairs().map(([key, value]) => {
    machine.step();
    return [block.run([key], null), value];
  });

/** One form makes a hash, one changes its own and answers nil when nothing changed, if the method says so. */
function both(name: string, own: string, pairsOf: PairsOf, answersNil: boolean): Methods<RubyHash> {
  const methods: Record<string, Methods<RubyHash>[string]> = {
    [own]: (machine, self, args, block) => {
      if (block === null) return new RubyEnumerator(self, own, args);
      const before = self.entries.size;
      replace(self, pairsOf(machine, self, block));
      return answersNil && self.entries.size === before ? null : self;
    },
  };
  if (name !== '') {
    methods[name] = (machine, self, args, block) =>
      block === null ? new RubyEnumerator(self, name, args) : RubyHash.of(pairsOf(machine, self, block));
  }
  return methods;
}

function each(name: string, give: (pair: [Value, Value]) => Value): Methods<RubyHash> {
  return {
    [name]: (machine, self, _args, block) => {
      if (block === null) return new RubyEnumerator(self, name);
      for (const pair of self.pairs()) {
        machine.step();
        block.run([give(pair)], null);
      }
      return self;
    },
  };
}

function merged(machine: Machine, self: RubyHash, others: readonly Value[], block: RubyProc | null): RubyHash {
  for (const other of others) {
    for (const [key, value] of hashArgument(other).pairs()) {
      const own = block === null ? undefined : self.get(key);
      store(machine, self, [key, own === undefined || block === null ? value : block.run([key, own, value], null)]);
    }
  }
  return self;
}

function copy(self: RubyHash): RubyHash {
  const made = RubyHash.of(self.pairs());
  made.fallback = self.fallback;
  made.fallbackBlock = self.fallbackBlock;
  return made;
}

const hasKey: Methods<RubyHash>[string] = (_machine, self, [key = null]) => self.get(key) !== undefined;
const hasValue: Methods<RubyHash>[string] = (_machine, self, [wanted = null]) =>
  self.pairs().some(([, value]) => equals(value, wanted));

const READING: Methods<RubyHash> = {
  '[]': (_machine, self, [key = null]) => getOrDefault(self, key),
  '==': (_machine, self, [other = null]) => equals(self, other),
  ...each('each', (pair) => pair),
  ...each('each_pair', (pair) => pair),
  ...each('each_key', ([key]) => key),
  ...each('each_value', ([, value]) => value),
  'any?': (machine, self, args, block) => {
    if (block === null)
      return args.length === 0
        ? self.entries.size > 0
        : self.pairs().some((pair) => truthy(machine.call(args[0] ?? null, '===', [pair])));
    return self.pairs().some((pair) => truthy(yieldPair(machine, block, pair)));
  },
  assoc: (_machine, self, [key = null]) => self.pairs().find(([own]) => equals(own, key)) ?? null,
  default: (_machine, self) => self.fallback,
  dig: (machine, self, [key = null, ...rest]) => {
    const found = getOrDefault(self, key);
    return rest.length === 0 || found === null ? found : machine.call(found, 'dig', rest);
  },
  'empty?': (_machine, self) => self.entries.size === 0,
  fetch: (_machine, self, [key = null, otherwise], block) => {
    const found = self.get(key);
    if (found !== undefined) return found;
    if (block !== null) return block.run([key], null);
    if (otherwise !== undefined) return otherwise;
    throw exception('KeyError', `key not found: ${inspect(key)}`);
  },
  fetch_values: (_machine, self, keys) =>
    keys.map((key) => {
      const found = self.get(key);
      if (found === undefined) throw exception('KeyError', `key not found: ${inspect(key)}`);
      return found;
    }),
  'has_key?': hasKey,
  'key?': hasKey,
  'include?': hasKey,
  'member?': hasKey,
  'has_value?': hasValue,
  'value?': hasValue,
  key: (_machine, self, [wanted = null]) => self.pairs().find(([, value]) => equals(value, wanted))?.[0] ?? null,
  keys: (_machine, self) => self.pairs().map(([key]) => key),
  length: (_machine, self) => self.entries.size,
  size: (_machine, self) => self.entries.size,
  slice: (_machine, self, keys) => RubyHash.of(keys.flatMap((key) => pairOf(self, key))),
  to_a: (_machine, self) => self.pairs(),
  to_h: (machine, self, _args, block) => (block === null ? copy(self) : machine.call(self.pairs(), 'to_h', [], block)),
  to_hash: (_machine, self) => self,
  to_proc: (_machine, self) => new RubyProc(([key = null]) => getOrDefault(self, key), 1, true),
  values: (_machine, self) => self.pairs().map(([, value]) => value),
  values_at: (_machine, self, keys) => keys.map((key) => getOrDefault(self, key)),
};

function pairOf(self: RubyHash, key: Value): [Value, Value][] {
  const value = self.get(key);
  return value === undefined ? [] : [[key, value]];
}

const MAKING: Methods<RubyHash> = {
  compact: (_machine, self) => RubyHash.of(self.pairs().filter(([, value]) => value !== null)),
  except: (_machine, self, keys) => RubyHash.of(self.pairs().filter(([own]) => !keys.some((key) => equals(key, own)))),
  ...both('filter', 'filter!', selected, true),
  ...both('select', 'select!', selected, true),
  ...both('reject', 'reject!', rejected, true),
  ...both('', 'keep_if', selected, false),
  ...both('', 'delete_if', rejected, false),
  ...both('transform_values', 'transform_values!', withValues, false),
  filter_map: (machine, self, _args, block) =>
    self
      .pairs()
      .map((pair) => yieldPair(machine, blockArgument(block), pair))
      .filter(truthy),
  find: (machine, self, _args, block) =>
    self.pairs().find((pair) => truthy(yieldPair(machine, blockArgument(block), pair))) ?? null,
  invert: (_machine, self) => RubyHash.of(self.pairs().map(([key, value]) => [value, key])),
  merge: (machine, self, others, block) => merged(machine, copy(self), others, block),
  transform_keys: (machine, self, args, block) => RubyHash.of(renamed(machine, self, args, block)),
  'transform_keys!': (machine, self, args, block) => replace(self, renamed(machine, self, args, block)),
  flatten: (machine, self, [depth]) => machine.call(self.pairs(), 'flatten', [optionalIndex(depth, 1)]),
};

function renamed(
  machine: Machine,
  self: RubyHash,
  [names]: readonly Value[],
  block: RubyProc | null,
): [Value, Value][] {
  if (!(names instanceof RubyHash)) return withKeys(machine, self, blockArgument(block));
  return self.pairs().map(([key, value]) => [names.get(key) ?? key, value]);
}

const CHANGING: Methods<RubyHash> = {
  '[]=': store,
  store,
  clear: (_machine, self) => replace(self, []),
  'compact!': (_machine, self) => {
    const before = self.entries.size;
    replace(
      self,
      self.pairs().filter(([, value]) => value !== null),
    );
    return self.entries.size === before ? null : self;
  },
  'default=': (_machine, self, [value = null]) => (self.fallback = value),
  delete: (_machine, self, [key = null], block) => {
    checkFrozen(self);
    const found = self.get(key);
    if (found === undefined) return block === null ? null : block.run([key], null);
    self.delete(key);
    return found;
  },
  'merge!': merged,
  update: merged,
  replace: (_machine, self, [other]) => replace(self, hashArgument(other).pairs()),
  shift: (_machine, self) => {
    const [first] = self.pairs();
    if (first === undefined) return null;
    self.delete(first[0]);
    return first;
  },
  compare_by_identity: (_machine, self) => self,
};

export function defineHashes(): void {
  HASH.define({ ...READING, ...MAKING, ...CHANGING });
  HASH.defineOnClass({
    new: (_machine, _self, [fallback = null], block) => {
      const made = new RubyHash();
      if (!(fallback instanceof RubyHash && fallback.isKeywords)) made.fallback = fallback;
      made.fallbackBlock = block;
      return made;
    },
    '[]': (machine, _self, [pairs, ...rest]) => {
      if (pairs instanceof RubyHash) return copy(pairs);
      if (rest.length === 0) return machine.call(listArgument(pairs), 'to_h');
      const made = new RubyHash();
      const all = [pairs ?? null, ...rest];
      for (let i = 0; i < all.length; i += 2) made.set(all[i] ?? null, all[i + 1] ?? null);
      return made;
    },
  });
}
