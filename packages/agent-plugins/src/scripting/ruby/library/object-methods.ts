/**
 * Ranges, blocks as objects, calls that wait for their block, exceptions, patterns and matches.
 */

import { checkSize, indexArgument, nameArgument, optionalIndex, textArgument } from '../arguments/arguments.ts';
import { matched } from '../text/matching.ts';
import { characterCount, characterIndex, unitIndex } from '../text/string-bytes.ts';
import { defineStringClass, stringMethods, symbolMethods } from '../text/string-methods.ts';
import { escapePattern } from '../text/string-parts.ts';
import { compare, equals } from '../values/equality.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { EXCEPTION, exception, RubyException, typeError } from '../values/ruby-exception.ts';
import { MATCH_DATA, REGEXP, type RubyMatch, RubyRegexp } from '../values/ruby-regexp.ts';
import {
  CLASS,
  classOf,
  ENUMERATOR,
  isInteger,
  type Machine,
  type Methods,
  MODULE,
  numberOf,
  PROC,
  RANGE,
  RubyClass,
  RubyHash,
  RubyProc,
  RubyRange,
  RubyString,
  RubySymbol,
  STRING,
  SYMBOL,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { itemsOf } from './items-of.ts';

function covers(self: RubyRange, value: Value): boolean {
  const above = self.from === null ? 0 : compare(self.from, value);
  const below = self.to === null ? -1 : compare(value, self.to);
  return above !== null && below !== null && above <= 0 && (self.isExclusive ? below < 0 : below <= 0);
}

const isEndless = (range: RubyRange): boolean => range.to === null || numberOf(range.to) === Number.POSITIVE_INFINITY;

const RANGES: Methods<RubyRange> = {
  '==': (_machine, self, [other = null]) => equals(self, other),
  '===': (_machine, self, [value = null]) => covers(self, value),
  begin: (_machine, self) => self.from,
  count: (machine, self, args, block) =>
    args.length === 0 && block === null
      ? itemsOf(machine, self).length
      : machine.call([...itemsOf(machine, self)], 'count', args, block),
  'cover?': (_machine, self, [value = null]) => covers(self, value),
  each: (machine, self, _args, block) => {
    if (block === null) return new RubyEnumerator(self, 'each');
    if (isEndless(self) && isInteger(self.from)) {
      for (let at = Number(self.from); ; at++) {
        machine.step();
        block.run([at], null);
      }
    }
    for (const item of itemsOf(machine, self)) {
      machine.step();
      block.run([item], null);
    }
    return self;
  },
  end: (_machine, self) => self.to,
  'exclude_end?': (_machine, self) => self.isExclusive,
  first: (machine, self, [count]) => {
    if (count === undefined) return self.from;
    const wanted = indexArgument(count);
    if (!isEndless(self) || !isInteger(self.from)) return itemsOf(machine, self).slice(0, wanted);
    const from = Number(self.from);
    return Array.from({ length: checkSize(machine, wanted) }, (_, index) => from + index);
  },
  'include?': (_machine, self, [value = null]) => covers(self, value),
  last: (machine, self, [count]) =>
    count === undefined ? self.to : itemsOf(machine, self).slice(-indexArgument(count)),
  max: (machine, self, args, block) =>
    args.length === 0 && block === null && !self.isExclusive && numberOf(self.to) !== null && !covers(self, self.to)
      ? null
      : machine.call([...itemsOf(machine, self)], 'max', args, block),
  'member?': (_machine, self, [value = null]) => covers(self, value),
  size: (machine, self) => (isInteger(self.from) ? itemsOf(machine, self).length : null),
  step: (machine, self, [by = 1], block) => {
    const step = numberOf(by) ?? 1;
    const items = stepped(machine, self, step);
    if (block === null) return items;
    for (const item of items) {
      machine.step();
      block.run([item], null);
    }
    return self;
  },
};

function stepped(machine: Machine, self: RubyRange, by: number): Value[] {
  if (by <= 0) throw exception('ArgumentError', "step can't be negative or 0");
  const items: Value[] = [];
  for (let at: Value = self.from; covers(self, at); at = machine.call(at, '+', [by])) {
    machine.grow(1);
    items.push(at);
  }
  return items;
}

const PROCS: Methods<RubyProc> = {
  call: (_machine, self, args, block) => self.run(args, block),
  '()': (_machine, self, args, block) => self.run(args, block),
  '[]': (_machine, self, args, block) => self.run(args, block),
  '===': (_machine, self, args, block) => self.run(args, block),
  yield: (_machine, self, args, block) => self.run(args, block),
  '>>': (machine, self, [next = null]) =>
    new RubyProc((args, block) => machine.call(next, 'call', [self.run(args, block)]), self.arity, true),
  '<<': (machine, self, [first = null]) =>
    new RubyProc((args, block) => self.run([machine.call(first, 'call', args, block)], null), -1, true),
  arity: (_machine, self) => self.arity,
  curry: (_machine, self) => curried(self, []),
  'lambda?': (_machine, self) => self.isLambda,
  to_proc: (_machine, self) => self,
};

function curried(self: RubyProc, given: readonly Value[]): RubyProc {
  const wanted = self.arity < 0 ? -self.arity - 1 : self.arity;
  return new RubyProc((args) => {
    const all = [...given, ...args];
    return all.length >= wanted ? self.run(all, null) : curried(self, all);
  });
}

/** The method of the enumerator with a block that gets an index too. */
function withIndex(machine: Machine, self: RubyEnumerator, start: number, block: RubyProc): Value {
  let index = start;
  const indexed = new RubyProc((args) => block.run([args.length === 1 ? (args[0] ?? null) : [...args], index++], null));
  return machine.call(self.receiver, self.method, self.args, indexed);
}

const ENUMERATORS: Methods<RubyEnumerator> = {
  each: (machine, self, _args, block) =>
    block === null ? self : machine.call(self.receiver, self.method, self.args, block),
  each_with_index: (machine, self, _args, block) =>
    block === null ? new RubyEnumerator(self, 'each_with_index') : withIndex(machine, self, 0, block),
  next: (machine, self) => {
    const items = itemsOf(machine, self);
    if (self.position >= items.length) throw exception('StopIteration', 'iteration reached an end');
    return items[self.position++] ?? null;
  },
  rewind: (_machine, self) => {
    self.position = 0;
    return self;
  },
  size: (machine, self) => itemsOf(machine, self).length,
  with_index: (machine, self, [start], block) =>
    block === null
      ? new RubyEnumerator(self, 'with_index', start === undefined ? [] : [start])
      : withIndex(machine, self, optionalIndex(start, 0), block),
  with_object: (machine, self, [memo = null], block) => {
    machine.call(
      self.receiver,
      self.method,
      self.args,
      new RubyProc((args) => block?.run([args.length === 1 ? (args[0] ?? null) : [...args], memo], null) ?? null),
    );
    return memo;
  },
};

const EXCEPTIONS: Methods<RubyException> = {
  backtrace: () => [],
  cause: () => null,
  exception: (_machine, self, [message]) => (message === undefined ? self : new RubyException(self.rubyClass, message)),
  full_message: (_machine, self) => str(`${self.text} (${self.rubyClass.name})`),
  message: (_machine, self) => str(self.text),
  set_backtrace: () => [],
  backtrace_locations: () => [],
};

/** Position in the text where a match is looked for; null outside. */
function startOf(text: string, from: Value | undefined): number | null {
  const size = characterCount(text);
  const wanted = optionalIndex(from, 0);
  const at = wanted < 0 ? wanted + size : wanted;
  return at < 0 || at > size ? null : unitIndex(text, at);
}

const REGEXPS: Methods<RubyRegexp> = {
  '=~': (machine, self, [text = null]) => {
    if (text === null) {
      machine.lastMatch = null;
      return null;
    }
    const subject = nameArgument(text);
    const match = matched(machine, self, subject);
    return match === null ? null : characterIndex(subject, match.found.index);
  },
  '===': (machine, self, [text = null]) => {
    if (!(text instanceof RubyString || text instanceof RubySymbol)) return false;
    return matched(machine, self, nameArgument(text)) !== null;
  },
  match: (machine, self, [text = null, from], block) => {
    const start = text === null ? null : startOf(nameArgument(text), from);
    const match = text === null || start === null ? null : matched(machine, self, nameArgument(text), start);
    machine.lastMatch = match;
    return match === null || block === null ? match : block.run([match], null);
  },
  'match?': (_machine, self, [text = null, from]) => {
    const start = text === null ? null : startOf(nameArgument(text), from);
    return start !== null && self.exec(nameArgument(text ?? undefined), start) !== null;
  },
  names: (_machine, self) => [...new Set(self.names)].map((name) => str(name)),
  options: (_machine, self) =>
    (self.flags.includes('i') ? 1 : 0) + (self.flags.includes('x') ? 2 : 0) + (self.flags.includes('m') ? 4 : 0),
  source: (_machine, self) => str(self.source),
  named_captures: (_machine, self) => {
    const groups = new RubyHash();
    for (const [index, name] of self.names.entries()) {
      const known = groups.get(str(name));
      if (Array.isArray(known)) known.push(index + 1);
      else groups.set(str(name), [index + 1]);
    }
    return groups;
  },
};

const MATCHES: Methods<RubyMatch> = {
  '[]': (_machine, self, [group = null, count]) => {
    if (typeof group === 'number' && count === undefined) return self.group(group);
    if (group instanceof RubyString || group instanceof RubySymbol) {
      const found = self.named(nameArgument(group));
      if (found === undefined) throw exception('IndexError', `undefined group name reference: ${nameArgument(group)}`);
      return found;
    }
    return Array.from({ length: self.found.length }, (_, index) => self.group(index)).slice(
      indexArgument(group),
      indexArgument(group) + indexArgument(count),
    );
  },
  begin: (_machine, self) => characterIndex(self.text, self.found.index),
  captures: (_machine, self) => self.captures(),
  end: (_machine, self) => characterIndex(self.text, self.end),
  length: (_machine, self) => self.found.length,
  size: (_machine, self) => self.found.length,
  named_captures: (_machine, self) =>
    RubyHash.of(self.regexp.names.map((name) => [str(name), self.named(name) ?? null])),
  names: (_machine, self) => [...new Set(self.regexp.names)].map((name) => str(name)),
  regexp: (_machine, self) => self.regexp,
  string: (_machine, self) => str(self.text),
  post_match: (_machine, self) => str(self.text.slice(self.end)),
  pre_match: (_machine, self) => str(self.text.slice(0, self.found.index)),
  to_a: (_machine, self) => [self.group(0), ...self.captures()],
  values_at: (_machine, self, groups) => groups.map((group) => self.group(indexArgument(group))),
};

function defineClasses(): void {
  MODULE.define<RubyClass>({
    '===': (_machine, self, [value = null]) => classOf(value).isWithin(self),
    '<=': (_machine, self, [other]) => other instanceof RubyClass && self.isWithin(other),
    '<': (_machine, self, [other]) => other instanceof RubyClass && self !== other && self.isWithin(other),
    name: (_machine, self) => str(self.name),
    ancestors: (_machine, self) => (self.parent === null ? [self] : [self, ...self.mixins, self.parent]),
  });
  CLASS.define<RubyClass>({
    superclass: (_machine, self) => self.parent,
    new: (_machine, self) => {
      throw exception('NoMethodError', `undefined method \`new' for ${self.name}:Class`);
    },
  });
  EXCEPTION.defineOnClass({
    new: (_machine, self, [message = null]) => new RubyException(self, message),
    exception: (_machine, self, [message = null]) => new RubyException(self, message),
  });
  REGEXP.defineOnClass({
    new: (machine, _self, [source = null, flags]) =>
      source instanceof RubyRegexp ? source : machine.regexp(textArgument(source), regexpFlags(flags)),
    compile: (machine, self, args) => machine.call(self, 'new', args),
    escape: (_machine, _self, [text]) => str(escapePattern(nameArgument(text))),
    quote: (_machine, _self, [text]) => str(escapePattern(nameArgument(text))),
    last_match: (machine, _self, [group]) =>
      group === undefined || machine.lastMatch === null
        ? machine.lastMatch
        : machine.call(machine.lastMatch, '[]', [group]),
    union: (machine, _self, patterns) =>
      machine.regexp(
        (patterns.length === 1 && Array.isArray(patterns[0]) ? patterns[0] : patterns)
          .map((one) => (one instanceof RubyRegexp ? one.print() : escapePattern(textArgument(one))))
          .join('|'),
        '',
      ),
  });
  PROC.defineOnClass({
    new: (_machine, _self, _args, block) => {
      if (block === null) throw exception('ArgumentError', 'tried to create Proc object without a block');
      return block;
    },
  });
  RANGE.defineOnClass({
    new: (_machine, _self, [from = null, to = null, isExclusive = false]) =>
      new RubyRange(from, to, isExclusive === true),
  });
}

function regexpFlags(value: Value | undefined): string {
  if (typeof value === 'number')
    return `${(value & 1) !== 0 ? 'i' : ''}${(value & 2) !== 0 ? 'x' : ''}${(value & 4) !== 0 ? 'm' : ''}`;
  if (value instanceof RubyString) return value.text;
  return value === undefined || value === null || value === false ? '' : 'i';
}

export function defineObjects(): void {
  RANGE.define(RANGES);
  PROC.define(PROCS);
  ENUMERATOR.define(ENUMERATORS);
  EXCEPTION.define(EXCEPTIONS);
  REGEXP.define(REGEXPS);
  MATCH_DATA.define(MATCHES);
  STRING.define(stringMethods());
  SYMBOL.define({
    ...symbolMethods(),
    to_proc: (machine: Machine, self: RubySymbol) =>
      new RubyProc(([first = null, ...rest]) => machine.call(first, self.name, rest), -2, true),
  });
  defineStringClass();
  defineClasses();
}

/** `raise` with a class, an exception or a text. */
export function raised(machine: Machine, args: readonly Value[]): RubyException {
  const [what, message] = args;
  if (what === undefined)
    return machine.currentError instanceof RubyException
      ? machine.currentError
      : exception('RuntimeError', 'unhandled exception');
  if (what instanceof RubyString) return exception('RuntimeError', what.text);
  if (what instanceof RubyException) return message === undefined ? what : new RubyException(what.rubyClass, message);
  if (what instanceof RubyClass && what.isWithin(EXCEPTION)) {
    const made = machine.call(what, 'new', message === undefined ? [] : [message]);
    if (made instanceof RubyException) return made;
  }
  throw typeError(`exception class/object expected`);
}
