/**
 * Sorting, and the least and the greatest.
 */
import { compare } from '../values/equality.ts';
import { toText } from '../values/inspect.ts';
import { argumentError } from '../values/ruby-exception.ts';
import { classOf, type Machine, numberOf, RubyObject, type RubyProc, type Value } from '../values/ruby-value.ts';

export type Order = (a: Value, b: Value) => number;

export function orderOrThrow(a: Value, b: Value): number {
  const order = compare(a, b);
  if (order !== null) return order;
  const isPlain = b !== null && !(b instanceof RubyObject) && !Array.isArray(b);
  throw argumentError(
    `comparison of ${classOf(a).name} with ${b === null ? 'nil' : isPlain ? toText(b) : classOf(b).name} failed`,
  );
}

/** For sorting, which compares a later item with an earlier one: errors name the earlier one first. */
function sortOrder(a: Value, b: Value): number {
  return compare(a, b) ?? -orderOrThrow(b, a);
}

/** By the block, or by the values themselves. */
export function orderBy(machine: Machine, block: RubyProc | null): Order {
  if (block === null) return sortOrder;
  return (a, b) => {
    machine.step();
    const result = numberOf(block.run([a, b], null));
    if (result === null) throw argumentError(`comparison of ${classOf(a).name} with ${classOf(b).name} failed`);
    return result;
  };
}

/** Items with the values that they are ordered by, in their order. */
export function sortedBy(machine: Machine, items: readonly Value[], block: RubyProc): Value[] {
  const keyed = items.map((item) => {
    machine.step();
    return { item, key: block.run([item], null) };
  });
  return keyed.sort((a, b) => orderOrThrow(a.key, b.key)).map(({ item }) => item);
}

export function least(items: readonly Value[], order: Order): Value {
  let found: Value | undefined;
  for (const item of items) if (found === undefined || order(item, found) < 0) found = item;
  return found ?? null;
}
