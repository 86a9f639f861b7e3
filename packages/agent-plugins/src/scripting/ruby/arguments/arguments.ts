/**
 * Arguments of methods in the kinds that the methods want, and the errors where they are not.
 */
import { argumentCount, cannotConvert, exception } from '../values/ruby-exception.ts';
import { RubyRegexp } from '../values/ruby-regexp.ts';
import {
  type Machine,
  numberOf,
  RubyHash,
  RubyProc,
  type RubyRange,
  RubyString,
  RubySymbol,
  type Value,
} from '../values/ruby-value.ts';

/** Longer strings and arrays are mistakes or attacks. */
export const SIZE_MAX: number = 64 * 1024 * 1024;

export function textArgument(value: Value | undefined): string {
  if (value instanceof RubyString) return value.text;
  throw cannotConvert(value ?? null, 'String');
}

/** Names of fields, keys and methods may be symbols too. */
export function nameArgument(value: Value | undefined): string {
  return value instanceof RubySymbol ? value.name : textArgument(value);
}

/** Whole part of a number. */
export function indexArgument(value: Value | undefined): number {
  const number = numberOf(value ?? null);
  if (number === null) throw cannotConvert(value ?? null, 'Integer');
  return Math.trunc(number);
}

export function optionalIndex(value: Value | undefined, otherwise: number): number {
  return value === undefined || value === null ? otherwise : indexArgument(value);
}

export function listArgument(value: Value | undefined): Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof RubyHash) return value.pairs();
  throw cannotConvert(value ?? null, 'Array');
}

export function hashArgument(value: Value | undefined): RubyHash {
  if (value instanceof RubyHash) return value;
  throw cannotConvert(value ?? null, 'Hash');
}

/** A string is a pattern that matches just itself. */
export function patternArgument(value: Value | undefined): RubyRegexp | string {
  return value instanceof RubyRegexp ? value : textArgument(value);
}

export function blockArgument(block: RubyProc | null): RubyProc {
  if (block === null) throw exception('LocalJumpError', 'no block given (yield)');
  return block;
}

export function checkCount(args: readonly Value[], least: number, most: number = least): void {
  if (args.length >= least && args.length <= most) return;
  throw argumentCount(
    args.length,
    least === most ? least : most === Number.POSITIVE_INFINITY ? `${least}+` : `${least}..${most}`,
  );
}

export function checkSize(machine: Machine, size: number): number {
  if (size > SIZE_MAX) throw exception('ArgumentError', 'argument too big');
  machine.grow(size);
  return size;
}

/** A named option of a call: `parse(text, symbolize_names: true)`. */
export function option(args: readonly Value[], name: string): Value | undefined {
  const last = args.at(-1);
  return last instanceof RubyHash ? last.get(new RubySymbol(name)) : undefined;
}

/** First and number of the items that a range means in something of this size; null when it begins outside. */
export function rangeBounds(range: RubyRange, size: number): { readonly from: number; readonly count: number } | null {
  let from = range.from === null ? 0 : indexArgument(range.from);
  let to = range.to === null ? size - 1 : indexArgument(range.to);
  if (from < 0) from += size;
  if (to < 0) to += size;
  if (range.to !== null && range.isExclusive) to--;
  if (from < 0 || from > size) return null;
  return { from, count: Math.max(0, Math.min(to, size - 1) - from + 1) };
}

/** A symbol given as a block: a call of the method of that name. */
export function blockOf(machine: Machine, value: Value): RubyProc | null {
  if (value === null || value instanceof RubyProc) return value;
  if (value instanceof RubySymbol) {
    return new RubyProc(([first = null, ...rest]) => machine.call(first, value.name, rest), -2, true);
  }
  return machine.call(value, 'to_proc') as RubyProc;
}
