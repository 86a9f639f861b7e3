/**
 * `String`, `CharSequence` and `StringBuilder`, with what painless adds to them.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { compareObjects } from '../values/equality.ts';
import { illegalArgumentException, JavaException, nullPointer } from '../values/java-exception.ts';
import { JavaArray, JavaStream, JavaStringBuilder } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';

const OBJECT = 'java.lang.Object';
const SEQUENCE = 'java.lang.CharSequence';
const SPACE = 0x20;

function outOfBounds(text: string): JavaException {
  return new JavaException('java.lang.StringIndexOutOfBoundsException', text);
}

function cut(text: string, begin: number, end: number): string {
  if (begin < 0 || begin > end || end > text.length) {
    throw outOfBounds(`begin ${begin}, end ${end}, length ${text.length}`);
  }
  return text.slice(begin, end);
}

function unitAt(text: string, index: number): number {
  if (index < 0 || index >= text.length) throw outOfBounds(`index ${index}, length ${text.length}`);
  return text.charCodeAt(index);
}

function made(machine: ScriptMachine, text: string): string {
  machine.grow(text.length);
  return text;
}

function required(value: string | null): string {
  if (value === null) throw nullPointer();
  return value;
}

/** Character or piece of text to look for. */
const sought = (value: unknown): string => required(value === null ? null : textOf(value));

function replaced(machine: ScriptMachine, text: string, from: string, to: string): string {
  const pieces = from === '' ? text.length + 1 : text.split(from).length - 1;
  machine.grow(text.length + pieces * to.length);
  return text.replaceAll(from, () => to);
}

function splitOn(machine: ScriptMachine, text: string, token: string, limit: number): JavaArray {
  if (token === '') throw illegalArgumentException('The token must not be empty');
  machine.step(text.length / 16);
  const parts: string[] = [];
  let at = 0;
  while (limit < 0 || parts.length < limit - 1) {
    const next = text.indexOf(token, at);
    if (next < 0) break;
    parts.push(text.slice(at, next));
    at = next + token.length;
  }
  parts.push(text.slice(at));
  if (limit < 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  machine.grow(parts.length);
  return new JavaArray('java.lang.String', parts);
}

function decoded(text: string): string {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw illegalArgumentException('Illegal base64 character');
  return Buffer.from(text, 'base64').toString('utf8');
}

/** Without the characters up to the space at both ends, which is what Java trims. */
function trimmed(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && text.charCodeAt(begin) <= SPACE) begin++;
  while (end > begin && text.charCodeAt(end - 1) <= SPACE) end--;
  return text.slice(begin, end);
}

const CLASS_OF_STRING = scriptClass('java.lang.String', [SEQUENCE, 'java.lang.Comparable', OBJECT], {
  'new()': () => '',
  'static String valueOf(def)': (m, _s, value) => made(m, textOf(value)),
  'static String copyValueOf(char[])': (_m, _s, value: JavaArray) => String.fromCharCode(...(value.items as number[])),
  'static String join(CharSequence,def)': (m, _s, between: string, items: unknown) =>
    made(m, (Array.isArray(items) ? items : (items as JavaArray).items).map((item) => textOf(item)).join(between)),
  'int codePointAt(int)': (_m, s: string, index: number) => {
    unitAt(s, index);
    return s.codePointAt(index);
  },
  'int compareToIgnoreCase(String)': (_m, s: string, other: string) =>
    compareObjects(s.toUpperCase().toLowerCase(), required(other).toUpperCase().toLowerCase()),
  'String concat(String)': (m, s: string, other: string) => made(m, s + required(other)),
  'boolean contains(CharSequence)': (_m, s: string, other: unknown) => s.includes(sought(other)),
  'boolean contentEquals(CharSequence)': (_m, s: string, other: unknown) => s === textOf(other),
  'boolean endsWith(String)': (_m, s: string, other: string) => s.endsWith(required(other)),
  'boolean equalsIgnoreCase(String)': (_m, s: string, other: string | null) =>
    other !== null && s.toUpperCase().toLowerCase() === other.toUpperCase().toLowerCase(),
  'int indexOf(String)': (_m, s: string, other: string) => s.indexOf(required(other)),
  'int indexOf(String,int)': (_m, s: string, other: string, from: number) => s.indexOf(required(other), from),
  'boolean isEmpty()': (_m, s: string) => s === '',
  'int lastIndexOf(String)': (_m, s: string, other: string) => s.lastIndexOf(required(other)),
  'int lastIndexOf(String,int)': (_m, s: string, other: string, from: number) =>
    from < 0 ? -1 : s.lastIndexOf(required(other), from),
  'String replace(CharSequence,CharSequence)': (m, s: string, from: unknown, to: unknown) =>
    replaced(m, s, sought(from), sought(to)),
  'boolean startsWith(String)': (_m, s: string, other: string) => s.startsWith(required(other)),
  'boolean startsWith(String,int)': (_m, s: string, other: string, from: number) =>
    from >= 0 && s.startsWith(required(other), from),
  'String substring(int)': (m, s: string, begin: number) => made(m, cut(s, begin, s.length)),
  'String substring(int,int)': (m, s: string, begin: number, end: number) => made(m, cut(s, begin, end)),
  'char[] toCharArray()': (m, s: string) => {
    m.grow(s.length);
    return new JavaArray(
      'char',
      Array.from({ length: s.length }, (_, i) => s.charCodeAt(i)),
    );
  },
  'String toLowerCase()': (m, s: string) => made(m, s.toLowerCase()),
  'String toUpperCase()': (m, s: string) => made(m, s.toUpperCase()),
  'String trim()': (m, s: string) => made(m, trimmed(s)),
  'String encodeBase64()': (m, s: string) => made(m, Buffer.from(s, 'utf8').toString('base64')),
  'String decodeBase64()': (m, s: string) => made(m, decoded(s)),
  'String[] splitOnToken(String)': (m, s: string, token: string) => splitOn(m, s, required(token), -1),
  'String[] splitOnToken(String,int)': (m, s: string, token: string, limit: number) =>
    splitOn(m, s, required(token), limit),
});

const CLASS_OF_SEQUENCE = scriptClass(SEQUENCE, [OBJECT], {
  'int length()': (_m, s: unknown) => textOf(s).length,
  'char charAt(int)': (_m, s: unknown, index: number) => unitAt(textOf(s), index),
  'CharSequence subSequence(int,int)': (m, s: unknown, begin: number, end: number) =>
    made(m, cut(textOf(s), begin, end)),
  'IntStream chars()': (m, s: unknown) => {
    const text = textOf(s);
    m.grow(text.length);
    return new JavaStream(
      Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
      'int',
    );
  },
});

function grown(machine: ScriptMachine, self: JavaStringBuilder, text: string): JavaStringBuilder {
  machine.grow(text.length);
  self.text += text;
  return self;
}

const CLASS_OF_BUILDER = scriptClass('java.lang.StringBuilder', [SEQUENCE, OBJECT], {
  'new()': () => new JavaStringBuilder(),
  'new(CharSequence)': (m, _s, text: unknown) => grown(m, new JavaStringBuilder(), textOf(text)),
  'StringBuilder append(def)': (m, self: JavaStringBuilder, value) => grown(m, self, textOf(value)),
  'StringBuilder append(CharSequence,int,int)': (m, self: JavaStringBuilder, value, begin: number, end: number) =>
    grown(m, self, cut(textOf(value), begin, end)),
  'StringBuilder insert(int,def)': (m, self: JavaStringBuilder, index: number, value) => {
    const text = textOf(value);
    m.grow(text.length);
    self.text = `${cut(self.text, 0, index)}${text}${self.text.slice(index)}`;
    return self;
  },
  'StringBuilder delete(int,int)': (_m, self: JavaStringBuilder, begin: number, end: number) => {
    self.text = `${cut(self.text, 0, begin)}${self.text.slice(Math.max(begin, end))}`;
    return self;
  },
  'StringBuilder deleteCharAt(int)': (_m, self: JavaStringBuilder, index: number) => {
    unitAt(self.text, index);
    self.text = `${self.text.slice(0, index)}${self.text.slice(index + 1)}`;
    return self;
  },
  'StringBuilder replace(int,int,String)': (m, self: JavaStringBuilder, begin: number, end: number, text: string) => {
    m.grow(text.length);
    self.text = `${cut(self.text, 0, begin)}${text}${self.text.slice(Math.max(begin, end))}`;
    return self;
  },
  'StringBuilder reverse()': (_m, self: JavaStringBuilder) => {
    self.text = [...self.text].reverse().join('');
    return self;
  },
  'void setLength(int)': (m, self: JavaStringBuilder, length: number) => {
    if (length < 0) throw outOfBounds(`String index out of range: ${length}`);
    m.grow(Math.max(0, length - self.text.length));
    self.text = self.text.slice(0, length).padEnd(length, '\u0000');
  },
  'void setCharAt(int,char)': (_m, self: JavaStringBuilder, index: number, unit: number) => {
    unitAt(self.text, index);
    self.text = `${self.text.slice(0, index)}${String.fromCharCode(unit)}${self.text.slice(index + 1)}`;
  },
  'int indexOf(String)': (_m, self: JavaStringBuilder, text: string) => self.text.indexOf(required(text)),
  'int lastIndexOf(String)': (_m, self: JavaStringBuilder, text: string) => self.text.lastIndexOf(required(text)),
  'String substring(int)': (m, self: JavaStringBuilder, begin: number) =>
    made(m, cut(self.text, begin, self.text.length)),
  'String substring(int,int)': (m, self: JavaStringBuilder, begin: number, end: number) =>
    made(m, cut(self.text, begin, end)),
});

export const STRING_CLASSES: readonly ScriptClass[] = [CLASS_OF_SEQUENCE, CLASS_OF_STRING, CLASS_OF_BUILDER];
