/**
 * Strings: parts of them, and searching.
 */

import {
  checkSize,
  indexArgument,
  nameArgument,
  optionalIndex,
  patternArgument,
  rangeBounds,
  textArgument,
} from '../arguments/arguments.ts';
import { compare, equals } from '../values/equality.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { argumentError, checkFrozen, exception, typeError } from '../values/ruby-exception.ts';
import { type RubyMatch, RubyRegexp } from '../values/ruby-regexp.ts';
import {
  type Machine,
  type Methods,
  type RubyProc,
  RubyRange,
  RubyString,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { lastMatched, matched, matchesOf } from './matching.ts';
import {
  bytesOf,
  characterCount,
  characterIndex,
  characterSlice,
  charactersOf,
  isBroken,
  unitIndex,
} from './string-bytes.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Units of the text that an index means; null for nothing. */
function spanOf(machine: Machine, self: RubyString, args: readonly Value[]): Span | null {
  const [first = null, second] = args;
  const { text } = self;
  if (first instanceof RubyRegexp) {
    const match = matched(machine, first, text);
    if (match === null) return null;
    const group = second === undefined ? match.found[0] : groupText(match, second);
    if (group === null) return null;
    const from = text.indexOf(group, match.found.index);
    return { from, to: from + group.length };
  }
  if (first instanceof RubyString) {
    const from = text.indexOf(first.text);
    return from < 0 ? null : { from, to: from + first.text.length };
  }
  const size = characterCount(text);
  const bounds =
    first instanceof RubyRange ? rangeBounds(first, size) : countBounds(indexArgument(first), second, size);
  if (bounds === null) return null;
  return { from: unitIndex(text, bounds.from), to: unitIndex(text, bounds.from + bounds.count) };
}

function groupText(match: RubyMatch, group: Value): string | null {
  const value = typeof group === 'number' ? match.group(group) : (match.named(nameArgument(group)) ?? null);
  return value instanceof RubyString ? value.text : null;
}

function countBounds(index: number, count: Value | undefined, size: number): { from: number; count: number } | null {
  const from = index < 0 ? size + index : index;
  if (count === undefined) return from < 0 || from >= size ? null : { from, count: 1 };
  const wanted = indexArgument(count);
  return from < 0 || from > size || wanted < 0 ? null : { from, count: Math.min(wanted, size - from) };
}

function part(machine: Machine, self: RubyString, args: readonly Value[]): Value {
  const span = spanOf(machine, self, args);
  return span === null ? null : new RubyString(self.text.slice(span.from, span.to), self.isBinary);
}

function storePart(machine: Machine, self: RubyString, args: readonly Value[]): Value {
  checkFrozen(self);
  const value = args.at(-1) ?? null;
  const span = spanOf(machine, self, args.slice(0, -1));
  if (span === null)
    throw exception('IndexError', args[0] instanceof RubyString ? 'string not matched' : 'index out of string');
  self.text = self.text.slice(0, span.from) + textArgument(value) + self.text.slice(span.to);
  return value;
}

function indexOf(machine: Machine, self: RubyString, args: readonly Value[], isLast: boolean): Value {
  const [wanted, start] = args;
  const size = characterCount(self.text);
  let from = optionalIndex(start, isLast ? size : 0);
  if (from < 0) from += size;
  if (from < 0 || (!isLast && from > size)) return null;
  const unit = unitIndex(self.text, from);
  const pattern = patternArgument(wanted);
  let at: number;
  if (typeof pattern === 'string')
    at = isLast ? self.text.lastIndexOf(pattern, unit) : self.text.indexOf(pattern, unit);
  else if (!isLast) at = matched(machine, pattern, self.text, unit)?.found.index ?? -1;
  else at = lastMatched(machine, pattern, self.text, unit)?.found.index ?? -1;
  return at < 0 ? null : characterIndex(self.text, at);
}

/** Text before, at and behind the first or the last place of a pattern. */
function partition(machine: Machine, self: RubyString, wanted: Value | undefined, isLast: boolean): Value {
  const pattern = patternArgument(wanted);
  let span: Span | null = null;
  if (typeof pattern === 'string') {
    const from = isLast ? self.text.lastIndexOf(pattern) : self.text.indexOf(pattern);
    if (from >= 0) span = { from, to: from + pattern.length };
  } else {
    const match = isLast
      ? lastMatched(machine, pattern, self.text, self.text.length)
      : matched(machine, pattern, self.text);
    if (match !== null) span = { from: match.found.index, to: match.end };
  }
  if (span === null) return isLast ? [str(''), str(''), str(self.text)] : [str(self.text), str(''), str('')];
  return [str(self.text.slice(0, span.from)), str(self.text.slice(span.from, span.to)), str(self.text.slice(span.to))];
}

function split(machine: Machine, self: RubyString, args: readonly Value[]): Value[] {
  const [separator = null, count] = args;
  const limit = optionalIndex(count, 0);
  const parts = splitAll(machine, self.text, separator, limit);
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop();
  checkSize(machine, parts.length + self.text.length);
  return parts.map((one) => new RubyString(one, self.isBinary));
}

function splitAll(machine: Machine, text: string, separator: Value, limit: number): string[] {
  if (text === '') return [];
  if (limit === 1) return [text];
  if (separator === null || (separator instanceof RubyString && separator.text === ' ')) return splitWords(text, limit);
  const pattern = patternArgument(separator);
  if (pattern === '') return splitCharacters(text, limit);
  const parts: string[] = [];
  let from = 0;
  if (typeof pattern === 'string') {
    for (
      let at = text.indexOf(pattern);
      at >= 0 && !(limit > 0 && parts.length === limit - 1);
      at = text.indexOf(pattern, from)
    ) {
      parts.push(text.slice(from, at));
      from = at + pattern.length;
    }
    return [...parts, text.slice(from)];
  }
  for (const match of matchesOf(machine, pattern, text)) {
    if (limit > 0 && parts.length >= limit - 1) break;
    const { index } = match.found;
    if (match.end === index) {
      // An empty match splits between characters, never before the first or behind the last.
      if (index === from && index === 0) continue;
      if (index >= text.length) break;
    }
    parts.push(text.slice(from, index));
    for (const group of match.found.slice(1)) if (group !== undefined) parts.push(group);
    from = match.end;
  }
  return [...parts, text.slice(from)];
}

function splitWords(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text.replace(/^[\s\0]+/, '');
  while (rest !== '' && !(limit > 0 && parts.length === limit - 1)) {
    const at = rest.search(/[ \t\n\v\f\r\0]/);
    if (at < 0) break;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).replace(/^[\s\0]+/, '');
    if (rest === '') return limit === 0 ? parts : [...parts, ''];
  }
  return rest === '' ? parts : [...parts, rest];
}

function splitCharacters(text: string, limit: number): string[] {
  const characters = charactersOf(text);
  if (limit <= 0 || characters.length <= limit - 1) return limit < 0 ? [...characters, ''] : [...characters];
  return [...characters.slice(0, limit - 1), characters.slice(limit - 1).join('')];
}

function eachPart(
  machine: Machine,
  self: RubyString,
  parts: readonly Value[],
  block: RubyProc | null,
  method: string,
): Value {
  if (block === null) return new RubyEnumerator(self, method);
  for (const one of parts) {
    machine.step();
    block.run([one], null);
  }
  return self;
}

function regexpOf(machine: Machine, pattern: Value): Value {
  return pattern instanceof RubyRegexp ? pattern : machine.regexp(textArgument(pattern), '');
}

function lines(self: RubyString): Value[] {
  return (self.text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => str(line));
}

const characters = (self: RubyString): Value[] =>
  charactersOf(self.text).map((one) => new RubyString(one, self.isBinary));

/** Whether it begins with one of these. */
function startsWith(machine: Machine, self: RubyString, wanted: Value): boolean {
  if (wanted instanceof RubyRegexp) return matched(machine, wanted, self.text)?.found.index === 0;
  return self.text.startsWith(textArgument(wanted));
}

export const STRING_PARTS: Methods<RubyString> = {
  '[]': part,
  slice: part,
  '[]=': storePart,
  'slice!': (machine, self, args) => {
    checkFrozen(self);
    const span = spanOf(machine, self, args);
    if (span === null) return null;
    const removed = self.text.slice(span.from, span.to);
    self.text = self.text.slice(0, span.from) + self.text.slice(span.to);
    return str(removed);
  },
  '==': (_machine, self, [other = null]) => equals(self, other),
  '===': (_machine, self, [other = null]) => equals(self, other),
  '<=>': (_machine, self, [other = null]) => compare(self, other),
  '=~': (machine, self, [pattern = null]) => {
    if (pattern instanceof RubyString) throw typeError('wrong argument type String (expected Regexp)');
    return machine.call(pattern, '=~', [self]);
  },
  'ascii_only?': (_machine, self) => !/[^\0-\x7f]/.test(self.text),
  bytes: (_machine, self) => [...bytesOf(self)],
  bytesize: (_machine, self) => bytesOf(self).length,
  byteslice: (_machine, self, args) => {
    const raw = new RubyString(Buffer.from(bytesOf(self)).toString('latin1'), true);
    const [first = null, count] = args;
    const bounds =
      first instanceof RubyRange
        ? rangeBounds(first, raw.text.length)
        : countBounds(indexArgument(first), count, raw.text.length);
    if (bounds === null) return null;
    const piece = raw.text.slice(bounds.from, bounds.from + bounds.count);
    return self.isBinary ? new RubyString(piece, true) : str(Buffer.from(piece, 'latin1').toString('utf8'));
  },
  casecmp: (_machine, self, [other = null]) =>
    other instanceof RubyString ? compare(str(self.text.toLowerCase()), str(other.text.toLowerCase())) : null,
  'casecmp?': (_machine, self, [other = null]) =>
    other instanceof RubyString ? self.text.toLowerCase() === other.text.toLowerCase() : null,
  chars: (_machine, self) => characters(self),
  chr: (_machine, self) => str(characterSlice(self.text, 0, 1)),
  codepoints: (_machine, self) => charactersOf(self.text).map((one) => one.codePointAt(0) ?? 0),
  each_byte: (machine, self, _args, block) => eachPart(machine, self, [...bytesOf(self)], block, 'each_byte'),
  each_char: (machine, self, _args, block) => eachPart(machine, self, characters(self), block, 'each_char'),
  each_line: (machine, self, _args, block) => eachPart(machine, self, lines(self), block, 'each_line'),
  'empty?': (_machine, self) => self.text === '',
  'end_with?': (_machine, self, wanted) => wanted.some((one) => self.text.endsWith(textArgument(one))),
  getbyte: (_machine, self, [index]) => bytesOf(self).at(indexArgument(index)) ?? null,
  'include?': (_machine, self, [wanted]) => self.text.includes(textArgument(wanted)),
  sum: (_machine, self, [bits]) => {
    const total = bytesOf(self).reduce((sum, byte) => sum + byte, 0);
    const width = bits === undefined ? 16 : indexArgument(bits);
    return width <= 0 || width > 52 ? total : total % 2 ** width;
  },
  index: (machine, self, args) => indexOf(machine, self, args, false),
  rindex: (machine, self, args) => indexOf(machine, self, args, true),
  length: (_machine, self) => characterCount(self.text),
  size: (_machine, self) => characterCount(self.text),
  lines: (_machine, self) => lines(self),
  match: (machine, self, [pattern = null, ...from], block) =>
    machine.call(regexpOf(machine, pattern), 'match', [self, ...from], block),
  'match?': (machine, self, [pattern = null, ...from]) =>
    machine.call(regexpOf(machine, pattern), 'match?', [self, ...from]),
  ord: (_machine, self) => {
    if (self.text === '') throw argumentError('empty string');
    return self.text.codePointAt(0) ?? 0;
  },
  partition: (machine, self, [wanted]) => partition(machine, self, wanted, false),
  rpartition: (machine, self, [wanted]) => partition(machine, self, wanted, true),
  scan: (machine, self, [wanted], block) => {
    const pattern = patternArgument(wanted);
    const regexp = typeof pattern === 'string' ? (machine.regexp(escapePattern(pattern), '') as RubyRegexp) : pattern;
    const found = matchesOf(machine, regexp, self.text);
    const values = found.map((match): Value => (match.found.length > 1 ? match.captures() : str(match.found[0])));
    machine.lastMatch = found.at(-1) ?? null;
    if (block === null) return values;
    for (const [index, value] of values.entries()) {
      machine.lastMatch = found[index] ?? null;
      block.run([value], null);
    }
    return self;
  },
  split: (machine, self, args, block) => {
    const parts = split(machine, self, args);
    return block === null ? parts : eachPart(machine, self, parts, block, 'split');
  },
  'start_with?': (machine, self, wanted) => wanted.some((one) => startsWith(machine, self, one)),
  'valid_encoding?': (_machine, self) => self.isBinary || !isBroken(self.text),
};

export function escapePattern(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '\f': '\\f',
    '\v': '\\v',
    ' ': '\\ ',
  };
  return text.replace(/[.*?+^$|\\()[\]{}#\-\s]/g, (char) => names[char] ?? `\\${char}`);
}
