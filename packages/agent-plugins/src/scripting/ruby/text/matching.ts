/**
 * Matching of patterns, and replacing what matches.
 */

import { checkSize, patternArgument, textArgument } from '../arguments/arguments.ts';
import { toText } from '../values/inspect.ts';
import { argumentError } from '../values/ruby-exception.ts';
import type { RubyMatch, RubyRegexp } from '../values/ruby-regexp.ts';
import { type Machine, RubyHash, type RubyProc, RubyString, str, type Value } from '../values/ruby-value.ts';

/** The first match from there, which is `$~` afterwards. */
export function matched(machine: Machine, pattern: RubyRegexp, text: string, from = 0): RubyMatch | null {
  const match = pattern.exec(text, from);
  machine.lastMatch = match;
  return match;
}

/** All matches that do not overlap; behind an empty one the search goes on a character later. */
export function matchesOf(machine: Machine, pattern: RubyRegexp, text: string): RubyMatch[] {
  const found: RubyMatch[] = [];
  for (let from = 0; from <= text.length; ) {
    machine.step();
    const match = pattern.exec(text, from);
    if (match === null) break;
    machine.grow(1);
    found.push(match);
    from = match.end > match.found.index ? match.end : behindCharacter(text, match.end);
  }
  return found;
}

/** The match that begins last, at `unit` or before it, which is `$~` afterwards. One that begins there may be part of a longer one. */
export function lastMatched(machine: Machine, pattern: RubyRegexp, text: string, unit: number): RubyMatch | null {
  let last: RubyMatch | null = null;
  let match = pattern.exec(text);
  while (match !== null && match.found.index <= unit) {
    machine.step();
    last = match;
    match = pattern.exec(text, behindCharacter(text, match.found.index));
  }
  machine.lastMatch = last;
  return last;
}

function behindCharacter(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

/** The text with the first or all places replaced; null when there is none. */
export function substituted(
  machine: Machine,
  text: string,
  args: readonly Value[],
  block: RubyProc | null,
  isGlobal: boolean,
): string | null {
  const [wanted, replacement] = args;
  if (replacement === undefined && block === null)
    throw argumentError('wrong number of arguments (given 1, expected 2)');
  const pattern = patternArgument(wanted);
  if (typeof pattern === 'string') return substitutedText(machine, text, pattern, replacement, block, isGlobal);
  const first = isGlobal ? null : matched(machine, pattern, text);
  const found = isGlobal ? matchesOf(machine, pattern, text) : first === null ? [] : [first];
  machine.lastMatch = found.at(-1) ?? null;
  if (found.length === 0) return null;
  let made = '';
  let from = 0;
  for (const match of found) {
    made += text.slice(from, match.found.index);
    made += replacementOf(machine, match, replacement, block);
    from = match.end;
  }
  made += text.slice(from);
  checkSize(machine, made.length);
  return made;
}

function replacementOf(
  machine: Machine,
  match: RubyMatch,
  replacement: Value | undefined,
  block: RubyProc | null,
): string {
  if (replacement instanceof RubyHash) return toText(replacement.get(str(match.found[0])) ?? null);
  if (replacement !== undefined) return expanded(textArgument(replacement), match);
  machine.step();
  machine.lastMatch = match;
  return toText(block?.run([str(match.found[0])], null) ?? null);
}

/** `\1`, `\k<name>`, `\0`, `\&` and their like in a replacement. */
function expanded(text: string, match: RubyMatch): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:k<([^>]+)>|([0-9&`'\\]))/g,
    (_whole, name: string | undefined, mark: string | undefined) => {
      if (name !== undefined) return toText(match.named(name) ?? null);
      if (mark === '\\') return '\\';
      if (mark === '&') return match.found[0];
      if (mark === '`') return match.text.slice(0, match.found.index);
      if (mark === "'") return match.text.slice(match.end);
      return match.found[Number(mark)] ?? '';
    },
  );
}

function substitutedText(
  machine: Machine,
  text: string,
  wanted: string,
  replacement: Value | undefined,
  block: RubyProc | null,
  isGlobal: boolean,
): string | null {
  if (!text.includes(wanted)) return null;
  const plain =
    replacement instanceof RubyString
      ? replacement.text.replace(/\\([0&\\])/g, (_, mark) => (mark === '\\' ? '\\' : wanted))
      : null;
  const next = (): string => {
    if (plain !== null) return plain;
    if (replacement instanceof RubyHash) return toText(replacement.get(str(wanted)) ?? null);
    if (replacement !== undefined) return textArgument(replacement);
    machine.step();
    return toText(block?.run([str(wanted)], null) ?? null);
  };
  const made = isGlobal ? text.replaceAll(wanted, next) : text.replace(wanted, next);
  checkSize(machine, made.length);
  return made;
}
