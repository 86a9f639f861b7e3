/**
 * Methods of all that can be gone through: those that pick items, and those that make something of them.
 */

import { blockArgument, checkSize, indexArgument, nameArgument } from '../arguments/arguments.ts';
import { equals } from '../values/equality.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { kindName, typeError } from '../values/ruby-exception.ts';
import {
  ENUMERABLE,
  float,
  hashKeyOf,
  type Machine,
  type Methods,
  numberOf,
  RubyHash,
  RubyProc,
  truthy,
  type Value,
} from '../values/ruby-value.ts';
import { itemsOf } from './items-of.ts';
import { least, type Order, orderBy, orderOrThrow, sortedBy } from './order-values.ts';

type Test = (item: Value) => boolean;

/** By a pattern, by the block, or by the items themselves. */
function testOf(machine: Machine, args: readonly Value[], block: RubyProc | null): Test {
  const [pattern] = args;
  if (pattern !== undefined) return (item) => truthy(machine.call(pattern, '===', [item]));
  return block === null ? truthy : (item) => truthy(yieldOne(machine, block, item));
}

function yieldOne(machine: Machine, block: RubyProc, item: Value): Value {
  machine.step();
  return block.run([item], null);
}

const later = (self: Value, method: string, args: readonly Value[] = []): Value =>
  new RubyEnumerator(self, method, args);

/** Methods that want a block, and wait for one when it is not given. */
function withBlock(
  name: string,
  run: (machine: Machine, items: readonly Value[], block: RubyProc, self: Value, args: readonly Value[]) => Value,
): Methods {
  return {
    [name]: (machine, self, args, block) =>
      block === null ? later(self, name, args) : run(machine, itemsOf(machine, self), block, self, args),
  };
}

const PICKING: Methods = {
  'all?': (machine, self, args, block) => itemsOf(machine, self).every(testOf(machine, args, block)),
  'any?': (machine, self, args, block) => itemsOf(machine, self).some(testOf(machine, args, block)),
  'none?': (machine, self, args, block) => !itemsOf(machine, self).some(testOf(machine, args, block)),
  'one?': (machine, self, args, block) => itemsOf(machine, self).filter(testOf(machine, args, block)).length === 1,
  count: (machine, self, args, block) => {
    const items = itemsOf(machine, self);
    const [wanted] = args;
    if (wanted !== undefined) return items.filter((item) => equals(item, wanted)).length;
    return block === null ? items.length : items.filter((item) => truthy(yieldOne(machine, block, item))).length;
  },
  drop: (machine, self, [count]) => itemsOf(machine, self).slice(indexArgument(count)),
  first: (machine, self, [count]) => {
    const items = itemsOf(machine, self);
    return count === undefined ? (items[0] ?? null) : items.slice(0, indexArgument(count));
  },
  grep: (machine, self, [pattern = null], block) => {
    const found = itemsOf(machine, self).filter((item) => truthy(machine.call(pattern, '===', [item])));
    return block === null ? found : found.map((item) => yieldOne(machine, block, item));
  },
  grep_v: (machine, self, [pattern = null], block) => {
    const found = itemsOf(machine, self).filter((item) => !truthy(machine.call(pattern, '===', [item])));
    return block === null ? found : found.map((item) => yieldOne(machine, block, item));
  },
  'include?': (machine, self, [wanted = null]) => itemsOf(machine, self).some((item) => equals(item, wanted)),
  'member?': (machine, self, [wanted = null]) => itemsOf(machine, self).some((item) => equals(item, wanted)),
  take: (machine, self, [count]) => itemsOf(machine, self).slice(0, indexArgument(count)),
  uniq: (machine, self, _args, block) => uniqueItems(machine, itemsOf(machine, self), block),
  ...withBlock('drop_while', (machine, items, block) => {
    const from = items.findIndex((item) => !truthy(yieldOne(machine, block, item)));
    return from < 0 ? [] : items.slice(from);
  }),
  ...withBlock('take_while', (machine, items, block) => {
    const to = items.findIndex((item) => !truthy(yieldOne(machine, block, item)));
    return to < 0 ? items.slice() : items.slice(0, to);
  }),
  ...withBlock('find', (machine, items, block) => items.find((item) => truthy(yieldOne(machine, block, item))) ?? null),
  ...withBlock(
    'detect',
    (machine, items, block) => items.find((item) => truthy(yieldOne(machine, block, item))) ?? null,
  ),
  ...withBlock('select', (machine, items, block) => items.filter((item) => truthy(yieldOne(machine, block, item)))),
  ...withBlock('filter', (machine, items, block) => items.filter((item) => truthy(yieldOne(machine, block, item)))),
  ...withBlock('reject', (machine, items, block) => items.filter((item) => !truthy(yieldOne(machine, block, item)))),
  ...withBlock('partition', (machine, items, block) => {
    const sides: [Value[], Value[]] = [[], []];
    for (const item of items) sides[truthy(yieldOne(machine, block, item)) ? 0 : 1].push(item);
    return sides;
  }),
  ...withBlock('filter_map', (machine, items, block) =>
    items.map((item) => yieldOne(machine, block, item)).filter(truthy),
  ),
};

export function uniqueItems(machine: Machine, items: readonly Value[], block: RubyProc | null): Value[] {
  const seen = new Map<unknown, Value>();
  for (const item of items) {
    const key = hashKeyOf(block === null ? item : yieldOne(machine, block, item));
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

const ORDERING: Methods = {
  max: (machine, self, [count], block) => extreme(machine, self, count, reversed(orderBy(machine, block))),
  min: (machine, self, [count], block) => extreme(machine, self, count, orderBy(machine, block)),
  minmax: (machine, self, _args, block) => {
    const items = itemsOf(machine, self);
    const order = orderBy(machine, block);
    return [least(items, order), least(items, reversed(order))];
  },
  ...withBlock('minmax_by', (machine, items, block) => {
    const sorted = sortedBy(machine, items, block);
    return [sorted[0] ?? null, sorted.at(-1) ?? null];
  }),
  sort: (machine, self, _args, block) => itemsOf(machine, self).slice().sort(orderBy(machine, block)),
  ...withBlock('sort_by', (machine, items, block) => sortedBy(machine, items, block)),
  ...withBlock('max_by', (machine, items, block, _self, [count]) => {
    const sorted = sortedBy(machine, items, block);
    if (count !== undefined) return sorted.reverse().slice(0, indexArgument(count));
    return least(items, (a, b) => orderOrThrow(yieldOne(machine, block, b), yieldOne(machine, block, a)));
  }),
  ...withBlock('min_by', (machine, items, block, _self, [count]) =>
    count !== undefined
      ? sortedBy(machine, items, block).slice(0, indexArgument(count))
      : least(items, (a, b) => orderOrThrow(yieldOne(machine, block, a), yieldOne(machine, block, b))),
  ),
};

function reversed(order: Order): Order {
  return (a, b) => order(b, a);
}

function extreme(machine: Machine, self: Value, count: Value | undefined, order: Order): Value {
  const items = itemsOf(machine, self);
  return count === undefined || count === null
    ? least(items, order)
    : items.slice().sort(order).slice(0, indexArgument(count));
}

const FOLDING: Methods = {
  inject: (machine, self, args, block) => fold(machine, itemsOf(machine, self), args, block),
  reduce: (machine, self, args, block) => fold(machine, itemsOf(machine, self), args, block),
  sum: (machine, self, [start = 0], block) => sum(machine, itemsOf(machine, self), start, block),
  tally: (machine, self) => {
    const counts = new RubyHash();
    for (const item of itemsOf(machine, self)) counts.set(item, (numberOf(counts.get(item) ?? 0) ?? 0) + 1);
    return counts;
  },
  to_a: (machine, self) => itemsOf(machine, self).slice(),
  entries: (machine, self) => itemsOf(machine, self).slice(),
  to_set: (machine, self) => uniqueItems(machine, itemsOf(machine, self), null),
  to_h: (machine, self, _args, block) => {
    const made = new RubyHash();
    for (const item of itemsOf(machine, self)) {
      const pair = block === null ? item : yieldOne(machine, block, item);
      if (!Array.isArray(pair) || pair.length !== 2)
        throw typeError(`wrong element type ${kindName(pair)} (expected array)`);
      made.set(pair[0] ?? null, pair[1] ?? null);
    }
    return made;
  },
  zip: (machine, self, others) => {
    const lists = others.map((other) => itemsOf(machine, other));
    return itemsOf(machine, self).map((item, index) => [item, ...lists.map((list) => list[index] ?? null)]);
  },
  ...withBlock('group_by', (machine, items, block) => {
    const groups = new RubyHash();
    for (const item of items) {
      const key = yieldOne(machine, block, item);
      const group = groups.get(key);
      if (Array.isArray(group)) group.push(item);
      else groups.set(key, [item]);
    }
    return groups;
  }),
  ...withBlock('map', (machine, items, block) => items.map((item) => yieldOne(machine, block, item))),
  ...withBlock('collect', (machine, items, block) => items.map((item) => yieldOne(machine, block, item))),
  ...withBlock('flat_map', (machine, items, block) => items.flatMap((item) => yieldOne(machine, block, item))),
  ...withBlock('collect_concat', (machine, items, block) => items.flatMap((item) => yieldOne(machine, block, item))),
  cycle: (machine, self, [count = null], block) => {
    if (block === null) return later(self, 'cycle', count === null ? [] : [count]);
    const rounds = count === null ? Number.POSITIVE_INFINITY : indexArgument(count);
    const items = itemsOf(machine, self);
    const body = block;
    for (let round = 0; round < rounds && items.length > 0; round++)
      for (const item of items) yieldOne(machine, body, item);
    return null;
  },
  ...withBlock('each_entry', (machine, items, block, self) => {
    for (const item of items) yieldOne(machine, block, item);
    return self;
  }),
  ...withBlock('reverse_each', (machine, items, block, self) => {
    for (const item of items.slice().reverse()) yieldOne(machine, block, item);
    return self;
  }),
  ...withBlock('each_with_index', (machine, items, block, self) => {
    for (const [index, item] of items.entries()) {
      machine.step();
      block.run([item, index], null);
    }
    return self;
  }),
  ...withBlock('each_with_object', (machine, items, block, _self, [memo = null]) => {
    for (const item of items) {
      machine.step();
      block.run([item, memo], null);
    }
    return memo;
  }),
  ...withBlock('each_slice', (machine, items, block, self, [size]) => {
    for (const slice of slices(machine, items, size)) yieldOne(machine, block, slice);
    return self;
  }),
  ...withBlock('each_cons', (machine, items, block, self, [size]) => {
    const count = indexArgument(size);
    for (let at = 0; at + count <= items.length; at++) yieldOne(machine, block, items.slice(at, at + count));
    return self;
  }),
  ...withBlock('chunk_while', (machine, items, block) =>
    chunks(items, (a, b) => truthy(callTwo(machine, block, a, b))),
  ),
  ...withBlock('slice_when', (machine, items, block) =>
    chunks(items, (a, b) => !truthy(callTwo(machine, block, a, b))),
  ),
  lazy: (_machine, self) => self,
  force: (machine, self) => itemsOf(machine, self).slice(),
};

function callTwo(machine: Machine, block: RubyProc, a: Value, b: Value): Value {
  machine.step();
  return block.run([a, b], null);
}

function slices(machine: Machine, items: readonly Value[], size: Value | undefined): Value[][] {
  const count = Math.max(1, indexArgument(size));
  const made: Value[][] = [];
  for (let at = 0; at < items.length; at += count) made.push(items.slice(at, at + count));
  checkSize(machine, items.length);
  return made;
}

function chunks(items: readonly Value[], belongs: (a: Value, b: Value) => boolean): Value[] {
  const made: Value[][] = [];
  for (const [index, item] of items.entries()) {
    const last = made.at(-1);
    if (last !== undefined && belongs(items[index - 1] ?? null, item)) last.push(item);
    else made.push([item]);
  }
  return made;
}

function fold(machine: Machine, items: readonly Value[], args: readonly Value[], block: RubyProc | null): Value {
  const name = block === null ? args.at(-1) : undefined;
  const start = block === null ? (args.length > 1 ? args[0] : undefined) : args[0];
  const step: RubyProc =
    name === undefined
      ? blockArgument(block)
      : new RubyProc(([memo = null, item = null]) => machine.call(memo, nameArgument(name), [item]));
  let memo: Value | undefined = start;
  for (const item of items) {
    machine.step();
    memo = memo === undefined ? item : step.run([memo, item], null);
  }
  return memo ?? null;
}

function sum(machine: Machine, items: readonly Value[], start: Value, block: RubyProc | null): Value {
  let total = start;
  let compensation = 0;
  for (const item of items) {
    const value = block === null ? item : yieldOne(machine, block, item);
    const [a, b] = [numberOf(total), numberOf(value)];
    const isWhole =
      typeof total === 'bigint' || typeof value === 'bigint' || (Number.isInteger(total) && Number.isInteger(value));
    if (a === null || b === null || isWhole) {
      total = machine.call(total, '+', [value]);
      continue;
    }
    // The error of each addition is added at the end (Kahan and Babuska), so that ten times 0.1 is 1.
    const sumNow = a + b;
    if (Number.isFinite(sumNow)) compensation += Math.abs(a) >= Math.abs(b) ? a - sumNow + b : b - sumNow + a;
    total = float(sumNow);
  }
  return compensation === 0 ? total : float((numberOf(total) ?? 0) + compensation);
}

export function defineEnumerable(): void {
  ENUMERABLE.define({ ...PICKING, ...ORDERING, ...FOLDING });
}
