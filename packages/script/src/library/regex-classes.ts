/**
 * `Pattern` and `Matcher`, and what painless adds to strings for them.
 */

import { call, nativeFunction } from '../contract/calls.ts';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { illegalArgumentException, indexOutOfBounds, JavaException } from '../values/java-exception.ts';
import { JavaArray, JavaStream } from '../values/java-map.ts';
import { JavaMatcher, type JavaPattern } from '../values/java-pattern.ts';
import { textOf } from '../values/java-text.ts';

const OBJECT = 'java.lang.Object';

function found(self: JavaMatcher): RegExpExecArray {
  if (self.match === null) throw new JavaException('java.lang.IllegalStateException', 'No match found');
  return self.match;
}

function group(self: JavaMatcher, index: number): string | null {
  const match = found(self);
  if (index < 0 || index >= match.length) throw indexOutOfBounds(`No group ${index}`);
  return match[index] ?? null;
}

function take(self: JavaMatcher, match: RegExpExecArray | null): boolean {
  self.match = match;
  if (match !== null) self.next = match.index + Math.max(1, match[0].length);
  return match !== null;
}

function edges(self: JavaMatcher, index: number): readonly [number, number] {
  group(self, index);
  return found(self).indices?.[index] ?? [-1, -1];
}

/** `$1`, `${name}` and `\x` in a replacement. */
function expanded(template: string, match: RegExpExecArray): string {
  return template.replace(/\\(.)|\$(\d)|\$\{(\w+)\}/g, (_all, plain, digit, name) => {
    if (plain !== undefined) return plain;
    if (digit !== undefined) {
      if (Number(digit) >= match.length) throw indexOutOfBounds(`No group ${digit}`);
      return match[Number(digit)] ?? '';
    }
    if (match.groups === undefined || !(name in match.groups)) {
      throw illegalArgumentException(`No group with name {${name}}`);
    }
    return match.groups[name] ?? '';
  });
}

function replaced(
  machine: ScriptMachine,
  pattern: JavaPattern,
  input: string,
  replace: (match: RegExpExecArray) => string,
  timesMax: number,
): string {
  let out = '';
  let at = 0;
  let from = 0;
  for (let times = 0; times < timesMax && from <= input.length; times++) {
    machine.step();
    const match = pattern.find(input, from);
    if (match === null) break;
    const text = replace(match);
    machine.grow(match.index - at + text.length);
    out += input.slice(at, match.index) + text;
    at = match.index + match[0].length;
    from = match[0] === '' ? at + 1 : at;
  }
  return out + input.slice(at);
}

const ANY_TIMES = Number.POSITIVE_INFINITY;

function splitBy(machine: ScriptMachine, pattern: JavaPattern, input: string, limit: number): string[] {
  const parts: string[] = [];
  let at = 0;
  let from = 0;
  while (limit <= 0 || parts.length < limit - 1) {
    machine.step();
    const match = from > input.length ? null : pattern.find(input, from);
    if (match === null) break;
    const end = match.index + match[0].length;
    from = match[0] === '' ? end + 1 : end;
    if (end === 0 || (match[0] === '' && match.index >= input.length)) continue;
    parts.push(input.slice(at, match.index));
    at = end;
  }
  parts.push(input.slice(at));
  if (limit === 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  machine.grow(parts.length);
  return parts;
}

function withFunction(machine: ScriptMachine, pattern: JavaPattern, input: string, fn: ScriptFunction) {
  return (match: RegExpExecArray): string => {
    const matcher = new JavaMatcher(pattern, input);
    matcher.match = match;
    return textOf(call(machine, fn, matcher));
  };
}

const PATTERN = scriptClass('java.util.regex.Pattern', [OBJECT], {
  'Matcher matcher(CharSequence)': (_m, self: JavaPattern, text: unknown) => new JavaMatcher(self, textOf(text)),
  'String pattern()': (_m, self: JavaPattern) => self.source,
  'String[] split(CharSequence)': (m, self: JavaPattern, text) =>
    new JavaArray('java.lang.String', splitBy(m, self, textOf(text), 0)),
  'String[] split(CharSequence,int)': (m, self: JavaPattern, text, limit: number) =>
    new JavaArray('java.lang.String', splitBy(m, self, textOf(text), limit)),
  'Stream splitAsStream(CharSequence)': (m, self: JavaPattern, text) =>
    new JavaStream(splitBy(m, self, textOf(text), 0)),
  'Function asPredicate()': (_m, self: JavaPattern) =>
    nativeFunction(1, (_machine, [text]) => self.find(textOf(text), 0) !== null),
  'static String quote(String)': (_m, _s, text: string) => `\\Q${text}\\E`,
});

const MATCHER = scriptClass('java.util.regex.Matcher', [OBJECT], {
  'boolean find()': (m, self: JavaMatcher) => {
    m.step();
    return self.next <= self.input.length && take(self, self.pattern.find(self.input, self.next))
      ? true
      : take(self, null);
  },
  'boolean find(int)': (m, self: JavaMatcher, from: number) => {
    m.step();
    if (from < 0 || from > self.input.length) throw indexOutOfBounds('Illegal start index');
    return take(self, self.pattern.find(self.input, from));
  },
  'boolean matches()': (_m, self: JavaMatcher) => take(self, self.pattern.matches(self.input)),
  'boolean lookingAt()': (_m, self: JavaMatcher) => {
    const match = self.pattern.find(self.input, 0);
    return take(self, match?.index === 0 ? match : null);
  },
  'String group()': (_m, self: JavaMatcher) => group(self, 0),
  'String group(int)': (_m, self: JavaMatcher, index: number) => group(self, index),
  'String namedGroup(String)': (_m, self: JavaMatcher, name: string) => {
    const { groups } = found(self);
    if (groups === undefined || !(name in groups)) throw illegalArgumentException(`No group with name <${name}>`);
    return groups[name] ?? null;
  },
  'int groupCount()': (_m, self: JavaMatcher) => {
    const counted = new RegExp(`${self.pattern.regex.source}|`, self.pattern.regex.flags).exec('');
    return (counted?.length ?? 1) - 1;
  },
  'int start()': (_m, self: JavaMatcher) => edges(self, 0)[0],
  'int start(int)': (_m, self: JavaMatcher, index: number) => edges(self, index)[0],
  'int end()': (_m, self: JavaMatcher) => edges(self, 0)[1],
  'int end(int)': (_m, self: JavaMatcher, index: number) => edges(self, index)[1],
  'Matcher reset()': (_m, self: JavaMatcher) => {
    self.match = null;
    self.next = 0;
    return self;
  },
  'String replaceAll(String)': (m, self: JavaMatcher, template: string) =>
    replaced(m, self.pattern, self.input, (match) => expanded(template, match), ANY_TIMES),
  'String replaceFirst(String)': (m, self: JavaMatcher, template: string) =>
    replaced(m, self.pattern, self.input, (match) => expanded(template, match), 1),
});

/** Methods of text that take a pattern. */
const TEXT = scriptClass('java.lang.CharSequence', [OBJECT], {
  'String replaceAll(Pattern,Function)': (m, self: unknown, pattern: JavaPattern, fn: ScriptFunction) =>
    replaced(m, pattern, textOf(self), withFunction(m, pattern, textOf(self), fn), ANY_TIMES),
  'String replaceFirst(Pattern,Function)': (m, self: unknown, pattern: JavaPattern, fn: ScriptFunction) =>
    replaced(m, pattern, textOf(self), withFunction(m, pattern, textOf(self), fn), 1),
});

/** The last of them adds to a class that is declared elsewhere. */
export const REGEX_CLASSES: readonly ScriptClass[] = [PATTERN, MATCHER, TEXT];
