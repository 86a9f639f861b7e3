/**
 * Less usual methods of what can be gone through: pieces of it, searches in sorted arrays, orders, what an enumerator gives.
 */
import { blockArgument, checkSize, hashArgument, indexArgument, optionalIndex } from '../arguments/arguments.ts';
import { equals } from '../values/equality.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { exception, kindName, typeError } from '../values/ruby-exception.ts';
import {
  ARRAY,
  ENUMERABLE,
  ENUMERATOR,
  HASH,
  type Machine,
  type Method,
  type Methods,
  numberOf,
  type RubyHash,
  RubyProc,
  RubySymbol,
  truthy,
  type Value,
} from '../values/ruby-value.ts';
import { itemsOf } from './items-of.ts';

/** Puts each item beside the one before it, or begins a piece with it. */
function pieces(machine: Machine, items: readonly Value[], begins: (item: Value, before: Value) => boolean): Value[] {
  const made: Value[][] = [];
  for (const [index, item] of items.entries()) {
    machine.step();
    const last = made.at(-1);
    if (last === undefined || begins(item, items[index - 1] ?? null)) made.push([item]);
    else last.push(item);
  }
  return made;
}

/** Items belong to a pattern, or to a block that answers so. */
function tester(machine: Machine, [pattern]: readonly Value[], block: RubyProc | null): (item: Value) => boolean {
  if (pattern !== undefined) return (item) => truthy(machine.call(pattern, '===', [item]));
  const run = blockArgument(block);
  return (item) => truthy(run.run([item], null));
}

const found: Method = (machine, self, args, block) =>
  block === null
    ? new RubyEnumerator(self, 'find_all', args)
    : machine.call(machine.call(self, 'to_a'), 'select', [], block);

const SEQUENCES: Methods = {
  find_all: found,
  find_index: (machine, self, args, block) => {
    const [wanted] = args;
    if (wanted === undefined && block === null) return new RubyEnumerator(self, 'find_index');
    const test = wanted === undefined ? tester(machine, [], block) : (item: Value): boolean => equals(item, wanted);
    const index = itemsOf(machine, self).findIndex((item) => {
      machine.step();
      return test(item);
    });
    return index < 0 ? null : index;
  },
  chain: (machine, self, others) => {
    const items = [self, ...others].flatMap((one) => itemsOf(machine, one));
    checkSize(machine, items.length);
    return items;
  },
  chunk: (machine, self, _args, block) => {
    const run = blockArgument(block);
    const made: [Value, Value[]][] = [];
    for (const item of itemsOf(machine, self)) {
      machine.step();
      const key = run.run([item], null);
      // An item of the key nil, or of this symbol, is in no piece; the next one begins a new one.
      if (key === null || (key instanceof RubySymbol && key.name === '_separator')) made.push([null, []]);
      else {
        const last = made.at(-1);
        const isAlone = key instanceof RubySymbol && key.name === '_alone';
        if (last !== undefined && !isAlone && equals(last[0], key)) last[1].push(item);
        else made.push([key, [item]]);
      }
    }
    return made.filter(([key]) => key !== null);
  },
  slice_before: (machine, self, args, block) => pieces(machine, itemsOf(machine, self), tester(machine, args, block)),
  slice_after: (machine, self, args, block) => {
    const test = tester(machine, args, block);
    return pieces(machine, itemsOf(machine, self), (_item, before) => test(before));
  },
  compact: (machine, self) => itemsOf(machine, self).filter((item) => item !== null),
};

/** Where the block, which answers true and false or an order, first says so; null for nowhere. */
function bisected(machine: Machine, self: readonly Value[], block: RubyProc | null): number | null {
  const run = blockArgument(block);
  let [low, high] = [0, self.length];
  let match: number | null = null;
  while (low < high) {
    machine.step();
    const middle = Math.floor((low + high) / 2);
    const answer = run.run([self[middle] ?? null], null);
    const order = numberOf(answer);
    if (order === 0) return middle;
    if (order === null && answer !== true && answer !== false && answer !== null)
      throw typeError(`wrong argument type ${kindName(answer)} (must be numeric, true, false or nil)`);
    if (answer === true) match = middle;
    if (answer === true || (order !== null && order < 0)) high = middle;
    else low = middle + 1;
  }
  return match;
}

function permuted(machine: Machine, items: readonly Value[], count: number): Value[][] {
  if (count === 0) return [[]];
  if (count < 0 || count > items.length) return [];
  return items.flatMap((item, index) => {
    const others = [...items.slice(0, index), ...items.slice(index + 1)];
    return permuted(machine, others, count - 1).map((rest) => {
      machine.grow(count);
      return [item, ...rest];
    });
  });
}

function replaced(self: Value[], items: readonly Value[]): Value[] {
  for (const [index, item] of items.entries()) self[index] = item;
  return self;
}

const ARRAYS: Methods<Value[]> = {
  bsearch: (machine, self, _args, block) => {
    const index = bisected(machine, self, block);
    return index === null ? null : (self[index] ?? null);
  },
  bsearch_index: (machine, self, _args, block) => bisected(machine, self, block),
  permutation: (machine, self, [count], block) => {
    const all = permuted(machine, self, optionalIndex(count, self.length));
    if (block === null) return all;
    for (const one of all) block.run([one], null);
    return self;
  },
  rassoc: (_machine, self, [wanted = null]) =>
    self.find((item) => Array.isArray(item) && equals(item[1] ?? null, wanted)) ?? null,
  'rotate!': (machine, self, args) => replaced(self, machine.call(self, 'rotate', args) as Value[]),
  'shuffle!': (machine, self) => replaced(self, machine.call(self, 'shuffle') as Value[]),
};

function isPartOf(a: RubyHash, b: RubyHash): boolean {
  return a.pairs().every(([key, value]) => {
    const other = b.get(key);
    return other !== undefined && equals(value, other);
  });
}

const within =
  (isReversed: boolean, isProper: boolean): Methods<RubyHash>[string] =>
  (_machine, self, [other]) => {
    const [part, whole] = isReversed ? [hashArgument(other), self] : [self, hashArgument(other)];
    return isPartOf(part, whole) && !(isProper && part.entries.size === whole.entries.size);
  };

const HASHES: Methods<RubyHash> = {
  '<=': within(false, false),
  '<': within(false, true),
  '>=': within(true, false),
  '>': within(true, true),
  rassoc: (_machine, self, [wanted = null]) => self.pairs().find(([, value]) => equals(value, wanted)) ?? null,
};

/** Ends a method that gives its block more items than are wanted. */
class Enough {}

/** At most so many items: an enumerator may have no end. */
function firstItems(machine: Machine, { receiver, method, args }: RubyEnumerator, count: number): Value[] {
  const items: Value[] = [];
  if (count <= 0) return items;
  const enough = new Enough();
  const collect = new RubyProc((given) => {
    checkSize(machine, 1);
    items.push(given.length === 1 ? (given[0] ?? null) : [...given]);
    if (items.length >= count) throw enough;
    return null;
  });
  try {
    machine.call(receiver, method, args, collect);
  } catch (error) {
    if (error !== enough) throw error;
  }
  return items;
}

const ENUMERATORS: Methods<RubyEnumerator> = {
  first: (machine, self, [count]) =>
    count === undefined ? (firstItems(machine, self, 1)[0] ?? null) : firstItems(machine, self, indexArgument(count)),
  take: (machine, self, [count]) => firstItems(machine, self, indexArgument(count)),
  next: (machine, self) => {
    const items = firstItems(machine, self, self.position + 1);
    if (self.position >= items.length) throw exception('StopIteration', 'iteration reached an end');
    return items[self.position++] ?? null;
  },
  peek: (machine, self) => {
    const items = firstItems(machine, self, self.position + 1);
    if (self.position >= items.length) throw exception('StopIteration', 'iteration reached an end');
    return items[self.position] ?? null;
  },
};

export function defineSequences(): void {
  ENUMERABLE.define(SEQUENCES);
  ARRAY.define(ARRAYS);
  HASH.define(HASHES);
  ENUMERATOR.define(ENUMERATORS);
}
