/**
 * `Array#fill`, in its forms with a count, a range and a block.
 */
import { checkSize, indexArgument, optionalIndex } from '../arguments/arguments.ts';
import { cannotConvert } from '../values/ruby-exception.ts';
import { type Machine, type RubyProc, RubyRange, type Value } from '../values/ruby-value.ts';

/** Arrays beyond this are mistakes or attacks. */
export const LENGTH_MAX = 10_000_000;

/** `fill(value)`, `fill(value, from, count)`, `fill(value, range)`; with a block, which gets the index, without the value. */
export function fill(machine: Machine, self: Value[], args: readonly Value[], block: RubyProc | null): Value {
  const [value = null, start = null, size = null] = block === null ? args : [null, ...args];
  let [from, count] = [0, self.length];
  if (typeof start === 'object' && start !== null) {
    if (!(start instanceof RubyRange)) throw cannotConvert(start, 'Integer');
    const last = start.to === null ? self.length : indexArgument(start.to);
    from = optionalIndex(start.from, 0);
    if (from < 0) from += self.length;
    count = (last < 0 ? self.length + last : last) + (start.isExclusive || start.to === null ? 0 : 1) - from;
  } else {
    from = optionalIndex(start, 0);
    if (from < 0) from = Math.max(0, from + self.length);
    count = optionalIndex(size, self.length - from);
  }
  const to = Math.min(from + count, LENGTH_MAX);
  checkSize(machine, Math.max(0, to - self.length));
  while (self.length < from && count > 0) self.push(null);
  for (let at = from; at < to; at++) self[at] = block === null ? value : block.run([at], null);
  return self;
}
