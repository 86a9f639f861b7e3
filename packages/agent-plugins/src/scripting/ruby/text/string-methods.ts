/**
 * Strings: what makes other strings of them, in place too, and conversions.
 */

import { checkSize, indexArgument, nameArgument, option, SIZE_MAX, textArgument } from '../arguments/arguments.ts';
import { inspect, toText } from '../values/inspect.ts';
import { RubyEnumerator } from '../values/ruby-enumerator.ts';
import { argumentError, checkFrozen, exception } from '../values/ruby-exception.ts';
import {
  float,
  integer,
  type Machine,
  type Methods,
  type RubyProc,
  RubyString,
  RubySymbol,
  STRING,
  str,
  type Value,
} from '../values/ruby-value.ts';
import { characterSets, countSet, deleteSet, squeezed, translated } from './character-sets.ts';
import { parseEncodingName } from './encodings.ts';
import { formatted } from './format-text.ts';
import { substituted } from './matching.ts';
import { unpacked } from './pack-bytes.ts';
import { bytesOf, characterCount, charactersOf, isBroken, mended, ofBytes, textOfBytes } from './string-bytes.ts';
import { STRING_PARTS } from './string-parts.ts';
import { successor } from './successor.ts';

type Change = (
  machine: Machine,
  text: string,
  args: readonly Value[],
  block: RubyProc | null,
  self: RubyString,
) => string | null;

const BLANK = '[\\0\\t-\\r ]';
const LEADING = /^[\t-\r \0]+/;
const TRAILING = new RegExp(`${BLANK}+$`);

type CaseMapping = (text: string) => string;

const UPPER: CaseMapping = (text) => text.toUpperCase();
const LOWER: CaseMapping = (text) => text.toLowerCase();

/** A change of case under its option: `:ascii` leaves all other letters; `:turkic` and `:fold` are not here. */
function mapping(args: readonly Value[], change: CaseMapping): CaseMapping {
  if (args.length === 0) return change;
  const [option = null] = args;
  if (args.length > 1 || !(option instanceof RubySymbol) || option.name !== 'ascii')
    throw argumentError(`invalid option: ${args.map((one) => inspect(one)).join(', ')}`);
  return (text) => text.replace(/[A-Za-z]+/g, change);
}

function capitalized(text: string, args: readonly Value[]): string {
  const [first = '', ...rest] = charactersOf(text);
  return mapping(args, UPPER)(first) + mapping(args, LOWER)(rest.join(''));
}

function chomped(text: string, args: readonly Value[]): string {
  const [end] = args;
  if (end === undefined) return text.replace(/\r?\n$|\r$/, '');
  if (end === null) return text;
  const suffix = textArgument(end);
  if (suffix === '') return text.replace(/(?:\r?\n)+$/, '');
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

/** Each makes a new text; the form with a mark changes the string, and answers nil when nothing changes. */
const CHANGES: Readonly<Record<string, Change>> = {
  capitalize: (_machine, text, args) => capitalized(text, args),
  chomp: (_machine, text, args) => chomped(text, args),
  chop: (_machine, text) => (text.endsWith('\r\n') ? text.slice(0, -2) : charactersOf(text).slice(0, -1).join('')),
  delete: (_machine, text, args) => deleteSet(text, characterSets(args.map((one) => textArgument(one)))),
  delete_prefix: (_machine, text, [prefix]) =>
    text.startsWith(textArgument(prefix)) ? text.slice(textArgument(prefix).length) : text,
  delete_suffix: (_machine, text, [suffix]) =>
    textArgument(suffix) !== '' && text.endsWith(textArgument(suffix))
      ? text.slice(0, -textArgument(suffix).length)
      : text,
  downcase: (_machine, text, args) => mapping(args, LOWER)(text),
  gsub: (machine, text, args, block) => substituted(machine, text, args, block, true),
  lstrip: (_machine, text) => text.replace(LEADING, ''),
  next: (_machine, text) => successor(text),
  reverse: (_machine, text) => [...charactersOf(text)].reverse().join(''),
  rstrip: (_machine, text) => text.replace(TRAILING, ''),
  scrub: (_machine, text, [replacement], block) =>
    mended(text, (bad) =>
      block === null
        ? replacement === undefined
          ? '\ufffd'
          : textArgument(replacement)
        : toText(block.run([ofBytes(Uint8Array.of(bad.charCodeAt(0) - 0xdc00))], null)),
    ),
  squeeze: (_machine, text, args) =>
    squeezed(text, args.length === 0 ? null : characterSets(args.map((one) => textArgument(one)))),
  strip: (_machine, text) => text.replace(LEADING, '').replace(TRAILING, ''),
  sub: (machine, text, args, block) => substituted(machine, text, args, block, false),
  succ: (_machine, text) => successor(text),
  swapcase: (_machine, text, args) =>
    charactersOf(text)
      .map(mapping(args, (one) => (one === LOWER(one) ? UPPER(one) : LOWER(one))))
      .join(''),
  tr: (_machine, text, [from, to]) => translated(text, textArgument(from), textArgument(to), false),
  tr_s: (_machine, text, [from, to]) => translated(text, textArgument(from), textArgument(to), true),
  unicode_normalize: (_machine, text, [form]) =>
    text.normalize(form === undefined ? 'NFC' : nameArgument(form).toUpperCase()),
  upcase: (_machine, text, args) => mapping(args, UPPER)(text),
};

function changing(): Methods<RubyString> {
  const methods: Record<string, Methods<RubyString>[string]> = {};
  for (const [name, change] of Object.entries(CHANGES)) {
    methods[name] = (machine, self, args, block) => {
      machine.grow(self.text.length);
      if (block === null && args.length === 1 && /^g?sub$/.test(name)) return new RubyEnumerator(self, name, args);
      return new RubyString(change(machine, self.text, args, block, self) ?? self.text, self.isBinary);
    };
    methods[`${name}!`] = (machine, self, args, block) => {
      checkFrozen(self);
      const changed = change(machine, self.text, args, block, self);
      if (changed === null || changed === self.text)
        return /^(?:succ|next|reverse|scrub|unicode_normalize)$/.test(name) ? self : null;
      self.text = changed;
      return self;
    };
  }
  return methods;
}

function append(machine: Machine, self: RubyString, text: string): RubyString {
  checkFrozen(self);
  checkSize(machine, text.length);
  if (self.text.length + text.length > SIZE_MAX) throw argumentError('string size too big');
  self.text += text;
  return self;
}

const appended = (value: Value | undefined): string =>
  typeof value === 'number' && Number.isInteger(value) ? String.fromCodePoint(value) : textArgument(value);

function padded(machine: Machine, self: RubyString, args: readonly Value[], left: number): RubyString {
  const [width, filler] = args;
  const wanted = checkSize(machine, indexArgument(width));
  const fill = charactersOf(filler === undefined ? ' ' : textArgument(filler));
  if (fill.length === 0) throw argumentError('zero width padding');
  const missing = Math.max(0, wanted - characterCount(self.text));
  const before = left === 1 ? missing : left === 0 ? 0 : Math.floor(missing / 2);
  const pad = (count: number): string =>
    Array.from({ length: count }, (_, index) => fill[index % fill.length]).join('');
  return str(pad(before) + self.text + pad(missing - before));
}

const MAKING: Methods<RubyString> = {
  '%': (machine, self, [values = null]) =>
    str(formatted(machine, self.text, Array.isArray(values) ? values : [values])),
  '*': (machine, self, [times]) => {
    const count = indexArgument(times);
    if (count < 0)
      throw argumentError(
        'argument must be non-negative'.replace('argument must be non-negative', 'negative argument'),
      );
    checkSize(machine, self.text.length * count);
    return new RubyString(self.text.repeat(count), self.isBinary);
  },
  '+': (machine, self, [other]) => {
    const text = textArgument(other);
    checkSize(machine, self.text.length + text.length);
    return new RubyString(self.text + text, self.isBinary);
  },
  '+@': (_machine, self) => (self.isFrozen ? str(self.text) : self),
  '-@': (_machine, self) => self,
  '<<': (machine, self, [other]) => append(machine, self, appended(other)),
  concat: (machine, self, others) => append(machine, self, others.map((one) => appended(one)).join('')),
  center: (machine, self, args) => padded(machine, self, args, 0.5),
  ljust: (machine, self, args) => padded(machine, self, args, 0),
  rjust: (machine, self, args) => padded(machine, self, args, 1),
  clear: (_machine, self) => {
    checkFrozen(self);
    self.text = '';
    return self;
  },
  count: (_machine, self, args) => countSet(self.text, characterSets(args.map((one) => textArgument(one)))),
  insert: (_machine, self, [index, text]) => {
    checkFrozen(self);
    const characters = [...charactersOf(self.text)];
    const wanted = indexArgument(index);
    const at = wanted < 0 ? characters.length + wanted + 1 : wanted;
    if (at < 0 || at > characters.length) throw exception('IndexError', `index ${wanted} out of string`);
    characters.splice(at, 0, textArgument(text));
    self.text = characters.join('');
    return self;
  },
  prepend: (_machine, self, others) => {
    checkFrozen(self);
    self.text = others.map((one) => textArgument(one)).join('') + self.text;
    return self;
  },
  replace: (_machine, self, [other]) => {
    checkFrozen(self);
    self.text = textArgument(other);
    return self;
  },
  upto: (machine, self, [last = null], block) => {
    const stop = textArgument(last);
    const items: Value[] = [];
    for (let at = self.text; at.length <= stop.length; at = successor(at)) {
      machine.step();
      items.push(str(at));
      if (at === stop) break;
    }
    if (block === null) return items;
    for (const item of items) block.run([item], null);
    return self;
  },
};

/** Digits of a number at the begin of a text, in a base. */
function leadingInteger(text: string, base: number): Value {
  if (base < 2 || base > 36) throw argumentError(`invalid radix ${base}`);
  const prefix = base === 16 ? '(?:0[xX])?' : base === 2 ? '(?:0[bB])?' : base === 8 ? '(?:0[oO]?)?' : '';
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, base);
  const found = new RegExp(`^\\s*([-+]?)${prefix}([${digits}](?:_?[${digits}])*)`, 'i').exec(text);
  if (found === null) return 0;
  let value = 0n;
  const own = (found[2] ?? '').replace(/_/g, '').toLowerCase();
  if (base === 10) value = BigInt(own);
  else for (const digit of own) value = value * BigInt(base) + BigInt(digits.indexOf(digit));
  return integer(found[1] === '-' ? -value : value);
}

/** What is not ASCII is written by its code point. */
function dumped(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

const CONVERSIONS: Methods<RubyString> = {
  b: (_machine, self) => ofBytes(bytesOf(self)),
  encoding: (machine, self) => machine.call(str(self.isBinary ? 'ASCII-8BIT' : 'UTF-8'), 'to_sym'),
  encode: (machine, self, args) => encoded(machine, self, args),
  'encode!': (machine, self, args) => {
    const made = encoded(machine, self, args);
    self.text = made.text;
    self.isBinary = made.isBinary;
    return self;
  },
  force_encoding: (_machine, self, [name]) => {
    const wanted = parseEncodingName(toText(name ?? null));
    const bytes = bytesOf(self);
    self.isBinary = wanted === 'binary';
    self.text = wanted === 'utf-8' ? textOfBytes(bytes) : Buffer.from(bytes).toString('latin1');
    return self;
  },
  hex: (_machine, self) => leadingInteger(self.text, 16),
  oct: (_machine, self) => {
    const [, mark = ''] = /^\s*[-+]?0([xXbB])/.exec(self.text) ?? [];
    return leadingInteger(self.text, mark === '' ? 8 : /x/i.test(mark) ? 16 : 2);
  },
  inspect: (_machine, self) => str(inspect(self)),
  dump: (_machine, self) => str(dumped(inspect(self))),
  intern: (_machine, self) => new RubySymbol(self.text),
  to_sym: (_machine, self) => new RubySymbol(self.text),
  to_c: (machine, self) => machine.call(self, 'to_f'),
  to_f: (_machine, self) => {
    const found = /^\s*[-+]?(?:\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+)?/.exec(self.text);
    return float(found === null ? 0 : Number(found[0].replace(/_/g, '')));
  },
  to_i: (_machine, self, [base]) => leadingInteger(self.text, base === undefined ? 10 : indexArgument(base)),
  to_r: (machine, self) => machine.call(self, 'to_f'),
  to_s: (_machine, self) => self,
  to_str: (_machine, self) => self,
  unpack: (_machine, self, [format]) => unpacked(self, textArgument(format)),
  unpack1: (_machine, self, [format]) => unpacked(self, textArgument(format))[0] ?? null,
};

function encoded(_machine: Machine, self: RubyString, args: readonly Value[]): RubyString {
  const [target, source] = args;
  const wanted =
    target === undefined || !(target instanceof RubyString || target instanceof RubySymbol)
      ? 'utf-8'
      : parseEncodingName(toText(target));
  const from =
    source instanceof RubyString || source instanceof RubySymbol
      ? parseEncodingName(toText(source))
      : self.isBinary
        ? 'binary'
        : 'utf-8';
  const replacement = option(args, 'replace');
  const mends = option(args, 'invalid') !== undefined || option(args, 'undef') !== undefined;
  const filler = replacement === undefined ? (wanted === 'utf-8' ? '\ufffd' : '?') : textArgument(replacement);
  let text = from === 'utf-8' && self.isBinary ? textOfBytes(bytesOf(self)) : self.text;
  if (from === 'latin1' && !self.isBinary) text = Buffer.from(bytesOf(self)).toString('latin1');
  if (from === 'utf-8' && isBroken(text)) {
    if (!mends && wanted !== 'utf-8')
      throw exception('Encoding::InvalidByteSequenceError', 'invalid byte sequence in UTF-8');
    if (mends) text = mended(text, () => filler);
  }
  if (from === 'binary' && /[^\0-\x7f]/.test(text)) {
    if (!mends)
      throw exception(
        'Encoding::UndefinedConversionError',
        `${inspect(str(text.replace(/[\0-\x7f]/g, '').slice(0, 1)))} from ASCII-8BIT to UTF-8`,
      );
    text = text.replace(/[^\0-\x7f]/g, filler);
  }
  if (wanted === 'utf-8') return str(text);
  const limit = wanted === 'ascii' ? /[^\0-\x7f]/gu : /[^\0-\xff]/gu;
  if (!mends && limit.test(text))
    throw exception('Encoding::UndefinedConversionError', `a character cannot be converted to ${wanted}`);
  return new RubyString(text.replace(limit, filler), true);
}

const SYMBOLS: Methods<RubySymbol> = {
  '<=>': (machine, self, [other = null]) =>
    other instanceof RubySymbol ? machine.call(str(self.name), '<=>', [str(other.name)]) : null,
  '[]': (machine, self, args) => machine.call(str(self.name), '[]', args),
  to_proc: (machine, self) => machine.call(self, 'method_proc'),
  to_sym: (_machine, self) => self,
  name: (_machine, self) => str(self.name),
  id2name: (_machine, self) => str(self.name),
};

/** Methods of strings that symbols have too: those that answer symbols, and those that answer what strings answer. */
const OF_SYMBOLS = ['upcase', 'downcase', 'capitalize', 'succ', 'swapcase'];
const LIKE_STRINGS = ['length', 'size', 'empty?', 'start_with?', 'end_with?', 'match', 'match?', '=~'];

export function stringMethods(): Methods<RubyString> {
  return { ...STRING_PARTS, ...changing(), ...MAKING, ...CONVERSIONS };
}

export function symbolMethods(): Methods<RubySymbol> {
  const methods: Record<string, Methods<RubySymbol>[string]> = {};
  for (const name of OF_SYMBOLS) {
    methods[name] = (machine, self, args) => new RubySymbol(toText(machine.call(str(self.name), name, args)));
  }
  for (const name of LIKE_STRINGS) methods[name] = (machine, self, args) => machine.call(str(self.name), name, args);
  return { ...SYMBOLS, ...methods };
}

export function defineStringClass(): void {
  STRING.defineOnClass({ new: (_machine, _self, [text]) => str(text instanceof RubyString ? text.text : '') });
}
