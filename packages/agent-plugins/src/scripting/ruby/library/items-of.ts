/**
 * What can be gone through, as a list of its items.
 */

import { checkSize } from '../arguments/arguments.ts';
import { daysBetween } from '../time/calendar-methods.ts';
import { compare } from '../values/equality.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { kindName, noMethod, typeError } from '../values/ruby-exception.ts';
import { RubySet } from '../values/ruby-set.ts';
import { RubyTime, TIME } from '../values/ruby-time.ts';
import { type Machine, RubyHash, RubyProc, RubyRange, RubyString, type Value } from '../values/ruby-value.ts';
import { integersOf } from './number-methods.ts';

/** Never changed by the caller. */
export function itemsOf(machine: Machine, value: Value): readonly Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof RubyHash) return value.pairs();
  if (value instanceof RubySet) return value.items;
  if (value instanceof RubyRange) return rangeItems(machine, value);
  if (value instanceof RubyEnumerator) return enumeratorItems(machine, value);
  throw noMethod('each', value);
}

function rangeItems(machine: Machine, range: RubyRange): readonly Value[] {
  const integers = integersOf(machine, range);
  if (integers !== null) return integers;
  if (range.from instanceof RubyTime && range.from.rubyClass !== TIME)
    return daysBetween(machine, range.from, range.to, range.isExclusive);
  if (!(range.from instanceof RubyString)) throw typeError(`can't iterate from ${kindName(range.from)}`);
  const items: Value[] = [];
  for (let at: Value = range.from; ; at = machine.call(at, 'succ')) {
    machine.grow(1);
    const order = compare(at, range.to);
    const isLonger = lengthOf(at) > lengthOf(range.to);
    if (order === null || isLonger || (order > 0 && lengthOf(at) >= lengthOf(range.to))) return items;
    if (order === 0) return range.isExclusive ? items : [...items, at];
    items.push(at);
  }
}

function lengthOf(value: Value): number {
  return value instanceof RubyString ? value.text.length : 0;
}

/** What the method would give its block, one by one. */
function enumeratorItems(machine: Machine, { receiver, method, args }: RubyEnumerator): readonly Value[] {
  const items: Value[] = [];
  const collect = new RubyProc((given) => {
    checkSize(machine, 1);
    items.push(given.length === 1 ? (given[0] ?? null) : [...given]);
    return null;
  });
  machine.call(receiver, method, args, collect);
  return items;
}
