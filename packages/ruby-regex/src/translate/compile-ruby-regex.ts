/**
 * Regular expressions in Ruby's dialect, as configurations and grok patterns are written, on V8.
 *
 * Differences that matter: `^` and `$` are anchors of lines, `\w \d \s` are ASCII, with a named group plain brackets do not
 * capture, groups may be atomic, and names of groups may repeat or hold brackets. The dot matches a line break in grok alone.
 *
 * Flag `v` of V8 is used only where nothing else will do: on Node 20 a repeated group with a negated class in it fails under
 * `v` on texts with characters beyond ASCII (`^(?:[^,]*,){2}` on `a,ž,c`), and matches under `u`.
 */
import { isShoalError, messageOf, ShoalError } from '@shoal/core';
import { EmulatedRegExp, toRegExpDetails } from 'oniguruma-to-es';
import { numberGroups } from './number-groups.ts';
import { rewritePattern, simplifiedPattern } from './pattern-tree.ts';
import { RecentResults } from './recent-results.ts';
import { restoreCaptures } from './repeated-captures.ts';

/** Configurations are written by people: anything longer is a mistake. */
const PATTERN_LENGTH_MAX = 2_000_000;

/** Grok compiles its patterns with Ruby's MULTILINE. */
const GROK_FLAGS = 'm';

export interface TranslatedPattern {
  /** Names of the named groups as written, in the order of their opening brackets. */
  readonly names: readonly string[];
  /** Position in a match array of each named group. */
  readonly positions: readonly number[];
  /** The first match in the text. What V8 forgets of repeated groups is put back into it. */
  exec(text: string): RegExpExecArray | null;
}

/**
 * A `RegExp` that matches what Ruby would. Groups are numbered as in Ruby; numbered names (`g0`) stand for named ones.
 *
 * @param flags `i` ignores case, `m` lets the dot match a line break, `g` as in `RegExp`
 * @throws ShoalError when the pattern is none
 */
export function compileRubyRegex(source: string, flags = ''): RegExp {
  const { source: numbered } = prepare(source);
  const details = translateForAnyText(source, numbered, flags.replace('g', ''));
  const jsFlags = flags.includes('g') ? `${details.flags}g` : details.flags;
  return details.options === undefined
    ? new RegExp(details.pattern, jsFlags)
    : new EmulatedRegExp(details.pattern, jsFlags, details.options);
}

/** For grok: named groups only, read by their positions; the dot matches a line break. Who asks for the same gets the same. */
export function translateRubyPattern(source: string): TranslatedPattern {
  return TRANSLATED.of(source);
}

const TRANSLATED = new RecentResults(translateForGrok);

function translateForGrok(source: string): TranslatedPattern {
  const { source: numbered, names, asWritten } = prepare(source);
  const ascii = asciiPattern(source, numbered);
  const { pattern, flags } = ascii ?? translateForAnyText(source, numbered, GROK_FLAGS);
  const positions = positionsOf(pattern, names.length);
  const forAscii = new RegExp(withoutNames(pattern, positions), flags);
  const restore = restoreInto(source, asWritten, positions);
  // To translate a large pattern takes as long as hundreds of matches: for texts beyond ASCII that is done when one comes.
  const forAnyText = ascii === null ? null : anyTextLater(source, numbered, positions);
  const find = (text: string): RegExpExecArray | null =>
    forAnyText !== null && NON_ASCII.test(text) ? forAnyText(text) : forAscii.exec(text);
  if (restore === null) return { names, positions, exec: find };
  return {
    names,
    positions,
    exec: (text) => {
      const found = find(text);
      if (found !== null) restore(text, found);
      return found;
    },
  };
}

const NON_ASCII = /[\u0080-\uffff]/;

/** Matches any text, with the groups at the positions that they have in a match of an ASCII text. */
function anyTextLater(
  source: string,
  numbered: string,
  wanted: readonly number[],
): (text: string) => RegExpExecArray | null {
  let general: RegExp | null = null;
  let positions: readonly number[] = wanted;
  return (text) => {
    if (general === null) {
      const details = translateForAnyText(source, numbered, GROK_FLAGS);
      positions = positionsOf(details.pattern, wanted.length);
      general = new RegExp(withoutNames(details.pattern, positions), details.flags);
    }
    const found = general.exec(text);
    // The two differ in their borders of words alone, so that groups stand where they stand; nothing here depends on it.
    if (found !== null && positions.some((position, index) => position !== wanted[index]))
      move(found, positions, wanted);
    return found;
  };
}

function move(found: RegExpExecArray, from: readonly number[], to: readonly number[]): void {
  const texts = from.map((position) => found[position]);
  // The library's types leave out that a group which took no part has no text.
  for (const [index, position] of to.entries()) found[position] = texts[index] as string;
}

/** null when V8 cannot forget anything. @param numbered the pattern with its groups numbered, not yet rewritten */
function restoreInto(
  source: string,
  numbered: string,
  positions: readonly number[],
): ((text: string, found: RegExpExecArray) => void) | null {
  if (positions.length === 0) return null;
  const translatePart = (part: string): RegExpDetails => translateForAnyText(source, part, GROK_FLAGS);
  const restored = restoreCaptures(simplifiedPattern(numbered), translatePart);
  if (restored === null) return null;
  return (text, found) =>
    restored(text, (index, value) => {
      found[positions[index] ?? 0] = value;
    });
}

/** A pattern with its groups numbered: as it was written, and as `source` rewritten for V8. */
interface PreparedPattern {
  readonly source: string;
  readonly asWritten: string;
  readonly names: readonly string[];
}

function prepare(source: string): PreparedPattern {
  if (source.length > PATTERN_LENGTH_MAX) throw invalid(source.slice(0, 100), 'it is too long');
  const numbered = numberGroups(source);
  try {
    return { source: rewritePattern(numbered.source), asWritten: numbered.source, names: numbered.names };
  } catch (error) {
    throw invalid(source, messageOf(error));
  }
}

interface TranslateOptions {
  readonly isAscii: boolean;
  readonly flags: string;
  /** ES2018: flag `u`. ES2024: flag `v`. */
  readonly target: 'ES2018' | 'ES2024';
}

type RegExpDetails = ReturnType<typeof toRegExpDetails>;

function translateForAnyText(source: string, numbered: string, flags: string): RegExpDetails {
  try {
    return translate(source, numbered, { isAscii: false, flags, target: 'ES2018' });
  } catch (error) {
    if (!isShoalError(error)) throw error;
    // What only `v` can say, such as `\X`; a pattern that is none fails again, with its own reason.
    return translate(source, numbered, { isAscii: false, flags, target: 'ES2024' });
  }
}

function translate(source: string, numbered: string, options: TranslateOptions): RegExpDetails {
  try {
    return toRegExpDetails(numbered, {
      flags: options.flags,
      rules: { captureGroup: false, asciiWordBoundaries: options.isAscii },
      target: options.target,
    });
  } catch (error) {
    throw invalid(source, messageOf(error));
  }
}

/** null when the pattern needs what only newer flags have. */
function asciiPattern(source: string, numbered: string): { readonly pattern: string; readonly flags: string } | null {
  try {
    const { pattern, flags } = translate(source, numbered, { isAscii: true, flags: GROK_FLAGS, target: 'ES2018' });
    // Without code points in the pattern the flag `u` changes nothing on ASCII texts, and costs time.
    const needsUnicode = /\\p\{|\\P\{|\\u\{|[\ud800-\udfff]/u.test(pattern);
    return { pattern, flags: needsUnicode ? flags : flags.replace('u', '') };
  } catch (error) {
    // Some sets cannot be written without flag `v`: the general form is right for ASCII too.
    if (isShoalError(error)) return null;
    throw error;
  }
}

/** A match with named groups builds an object of them, which takes longer than the match itself. */
function withoutNames(pattern: string, positions: readonly number[]): string {
  return pattern.replace(GROUP_OR_REFERENCE, (token, reference?: string, group?: string) => {
    if (group !== undefined) return '(';
    return reference === undefined ? token : `(?:\\${positions[Number(reference)]})`;
  });
}

const GROUP_OR_REFERENCE = /\\k<g(\d+)>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<g(\d+)>/gs;
const GROUP = /\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?<g(\d+)>/gs;

function positionsOf(pattern: string, count: number): readonly number[] {
  const positions: number[] = new Array(count).fill(0);
  let position = 0;
  for (const match of pattern.matchAll(GROUP)) {
    if (!match[0].startsWith('(')) continue;
    position++;
    if (match[1] !== undefined) positions[Number(match[1])] = position;
  }
  return positions;
}

function invalid(source: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `invalid regular expression [${source}]: ${why}`);
}
