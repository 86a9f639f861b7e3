/**
 * What texts are made of and cut with: `String.format`, `StringTokenizer`, `StringJoiner` and `UUID`.
 */
import { createHash } from 'node:crypto';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { formatted } from '../decimals/text-format.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import type { JavaLocale } from '../time/java-locale.ts';
import { hashOf } from '../values/equality.ts';
import { illegalArgumentException, noSuchElement, nullPointer } from '../values/java-exception.ts';
import type { JavaArray } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import { ScriptObject } from '../values/script-object.ts';

const OBJECT = 'java.lang.Object';

function given<T>(value: T | null): T {
  if (value === null) throw nullPointer();
  return value;
}

function made(machine: ScriptMachine, text: string): string {
  machine.grow(text.length);
  return text;
}

/** Letters of Turkish, Azeri and Lithuanian differ by locale; those of `ROOT` are the same everywhere. */
/** Languages with letters whose other case is their own. */
const OWN_CASES: ReadonlySet<string> = new Set(['tr', 'az', 'lt']);

/** @throws IllegalArgumentException for a language whose letters have a case of their own */
function checkCases(locale: JavaLocale): void {
  if (!OWN_CASES.has(locale.language)) return;
  throw illegalArgumentException(`upper and lower case in locale [${locale.text()}] are not supported`);
}

/** Methods of texts that take a locale or a format. */
const STRING = scriptClass('java.lang.String', [OBJECT], {
  'static String format(String,def[])': (m, _s, format: string, args: JavaArray) =>
    formatted(m, given(format), given(args).boxedItems()),
  'static String format(Locale,String,def[])': (m, _s, locale: JavaLocale | null, format: string, args: JavaArray) => {
    if (locale !== null && !locale.isEnglish) {
      throw illegalArgumentException(`String.format in locale [${locale.text()}] is not supported`);
    }
    return formatted(m, given(format), given(args).boxedItems());
  },
  'String toLowerCase(Locale)': (m, s: string, locale: JavaLocale) => {
    checkCases(given(locale));
    return made(m, s.toLowerCase());
  },
  'String toUpperCase(Locale)': (m, s: string, locale: JavaLocale) => {
    checkCases(given(locale));
    return made(m, s.toUpperCase());
  },
});

class Tokenizer extends ScriptObject {
  readonly javaClass = 'java.util.StringTokenizer';
  readonly tokens: readonly string[];
  next = 0;

  constructor(machine: ScriptMachine, text: string, delimiters: string, keepsDelimiters: boolean) {
    super();
    machine.step(1 + text.length / 16);
    const tokens: string[] = [];
    let token = '';
    for (const char of text) {
      if (!delimiters.includes(char)) {
        token += char;
        continue;
      }
      if (token !== '') tokens.push(token);
      if (keepsDelimiters) tokens.push(char);
      token = '';
    }
    if (token !== '') tokens.push(token);
    machine.grow(tokens.length);
    this.tokens = tokens;
  }

  text(): string {
    return `${this.javaClass}@0`;
  }
}

const WHITE = ' \t\n\r\f';

const TOKENIZER = scriptClass('java.util.StringTokenizer', [OBJECT], {
  'new(String)': (m, _s, text: string) => new Tokenizer(m, given(text), WHITE, false),
  'new(String,String)': (m, _s, text: string, delimiters: string) =>
    new Tokenizer(m, given(text), given(delimiters), false),
  'new(String,String,boolean)': (m, _s, text: string, delimiters: string, keeps: boolean) =>
    new Tokenizer(m, given(text), given(delimiters), keeps),
  'int countTokens()': (_m, self: Tokenizer) => self.tokens.length - self.next,
  'boolean hasMoreTokens()': (_m, self: Tokenizer) => self.next < self.tokens.length,
  'String nextToken()': (m, self: Tokenizer) => {
    m.step();
    const token = self.tokens[self.next];
    if (token === undefined) throw noSuchElement('');
    self.next++;
    return token;
  },
});

class Joiner extends ScriptObject {
  readonly javaClass = 'java.util.StringJoiner';
  readonly parts: string[] = [];
  readonly between: string;
  readonly before: string;
  readonly behind: string;
  empty: string | null = null;

  constructor(between: string, before: string, behind: string) {
    super();
    this.between = between;
    this.before = before;
    this.behind = behind;
  }

  text(): string {
    if (this.parts.length === 0 && this.empty !== null) return this.empty;
    return `${this.before}${this.parts.join(this.between)}${this.behind}`;
  }
}

const JOINER = scriptClass('java.util.StringJoiner', [OBJECT], {
  'new(CharSequence)': (_m, _s, between: unknown) => new Joiner(textOf(given(between)), '', ''),
  'new(CharSequence,CharSequence,CharSequence)': (_m, _s, between: unknown, before: unknown, behind: unknown) =>
    new Joiner(textOf(given(between)), textOf(given(before)), textOf(given(behind))),
  'StringJoiner add(CharSequence)': (m, self: Joiner, text: unknown) => {
    self.parts.push(made(m, textOf(text)));
    return self;
  },
  'StringJoiner setEmptyValue(CharSequence)': (_m, self: Joiner, text: unknown) => {
    self.empty = textOf(given(text));
    return self;
  },
  'StringJoiner merge(StringJoiner)': (m, self: Joiner, other: Joiner) => {
    if (given(other).parts.length > 0) self.parts.push(made(m, other.parts.join(other.between)));
    return self;
  },
  'int length()': (_m, self: Joiner) => self.text().length,
});

class Uuid extends ScriptObject {
  readonly javaClass = 'java.util.UUID';
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = BigInt.asUintN(128, value);
  }

  text(): string {
    const hex = this.value.toString(16).padStart(32, '0');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  get most(): bigint {
    return BigInt.asIntN(64, this.value >> 64n);
  }

  get least(): bigint {
    return BigInt.asIntN(64, this.value);
  }

  override key(): unknown {
    return this.text();
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof Uuid && other.value === this.value;
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof Uuid)) return null;
    if (this.most !== other.most) return this.most < other.most ? -1 : 1;
    return this.least === other.least ? 0 : this.least < other.least ? -1 : 1;
  }
}

function uuidOf(text: string): Uuid {
  const parts = text.split('-');
  if (parts.length !== 5 || !parts.every((part) => /^[0-9a-fA-F]{1,12}$/.test(part))) {
    throw illegalArgumentException(`Invalid UUID string: ${text}`);
  }
  const widths = [8, 4, 4, 4, 12];
  return new Uuid(
    BigInt(`0x${parts.map((part, i) => part.padStart(widths[i] ?? 0, '0').slice(-(widths[i] ?? 0))).join('')}`),
  );
}

function namedUuid(bytes: JavaArray): Uuid {
  const digest = createHash('md5')
    .update(Uint8Array.from(bytes.items as number[]))
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x30;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return new Uuid(BigInt(`0x${digest.toString('hex')}`));
}

const UUIDS = scriptClass('java.util.UUID', ['java.lang.Comparable', OBJECT], {
  'new(long,long)': (_m, _s, most: bigint, least: bigint) => new Uuid((most << 64n) | BigInt.asUintN(64, least)),
  'static UUID fromString(String)': (_m, _s, text: string) => uuidOf(given(text)),
  'static UUID nameUUIDFromBytes(byte[])': (_m, _s, bytes: JavaArray) => namedUuid(given(bytes)),
  'long getMostSignificantBits()': (_m, self: Uuid) => self.most,
  'long getLeastSignificantBits()': (_m, self: Uuid) => self.least,
  'int version()': (_m, self: Uuid) => Number((self.value >> 76n) & 15n),
  'int variant()': (_m, self: Uuid) => {
    const top = Number((self.value >> 61n) & 7n);
    return top < 4 ? 0 : top < 6 ? 2 : top;
  },
});

export const TEXT_CLASSES: readonly ScriptClass[] = [
  STRING,
  TOKENIZER,
  JOINER,
  UUIDS,
  scriptClass('java.util.Objects', [OBJECT], {
    'static int hash(def[])': (_m, _s, items: JavaArray) => hashOf(given(items).boxedItems()),
  }),
];
