/**
 * A grok pattern, compiled: text in, captured texts out.
 *
 * A match that may take long, by its pattern and the length of its text, runs inside a script that V8 can interrupt, which
 * costs some 70 µs; all others run directly.
 */

import { type BlowUp, patternRisk, TIMED_OUT, translateRubyPattern } from '@shoal/ruby-regex';
import { type ExpandOptions, expandPattern, GROUP_MARK, type GrokCapture } from './expand-pattern.ts';
import { WatchedMatches } from './watched-matches.ts';

export interface CompileGrokOptions extends ExpandOptions {
  /** A match that takes longer is ended. 0: never. */
  readonly timeoutMs: number;
}

export interface CompiledGrok {
  readonly pattern: string;
  /** In Ruby's dialect, with nothing left to expand. */
  readonly expanded: string;
  /** Captures in the order in which `match` returns their texts. Fields may repeat. */
  readonly captures: readonly GrokCapture[];
  /** Parts that may take exponential time. */
  readonly blowUps: readonly BlowUp[];
  /**
   * Captured texts in the order of `captures`, undefined where a group took no part; null when there is no match.
   *
   * @param limitMs time for this match, in place of that of the options
   */
  match(text: string, limitMs?: number): readonly (string | undefined)[] | null | typeof TIMED_OUT;
  /** The same as `match`, with the texts where the platform has them: each capture's at its index in `positions`. */
  matchGroups(text: string, limitMs?: number): readonly (string | undefined)[] | null | typeof TIMED_OUT;
  readonly positions: readonly number[];
  /**
   * Announces the texts of the next matches, in place of those before. It is worth while for patterns that can blow up, whose
   * matches are watched: those of all these texts are watched as one.
   *
   * @returns texts that certainly do not match
   */
  prepare(texts: readonly string[]): readonly string[];
  /** Start and end of the match; null when there is none. */
  span(text: string): { readonly start: number; readonly end: number } | null;
}

/** @throws ShoalError for unknown names and for what is no pattern */
export function compileGrok(pattern: string, options: CompileGrokOptions): CompiledGrok {
  const expanded = expandPattern(pattern, options);
  const translated = translateRubyPattern(expanded.source);
  const captures = translated.names.map((name) => captureOf(name, expanded.captures));
  const risk = patternRisk(expanded.source);
  const watched =
    options.timeoutMs === 0 ? null : new WatchedMatches(translated.exec, options.timeoutMs, risk.lengthMax);
  const exec = watched === null ? translated.exec : (text: string, limitMs?: number) => watched.exec(text, limitMs);
  return {
    pattern,
    expanded: readable(expanded.source, expanded.captures),
    captures,
    blowUps: risk.blowUps,
    matchGroups: exec,
    positions: translated.positions,
    prepare: (texts) => watched?.prepare(texts) ?? [],
    match: (text, limitMs) => {
      const found = exec(text, limitMs);
      if (found === null || found === TIMED_OUT) return found;
      const texts: (string | undefined)[] = [];
      for (const position of translated.positions) texts.push(found[position]);
      return texts;
    },
    span: (text) => {
      const found = exec(text);
      if (found === null || found === TIMED_OUT) return null;
      return { start: found.index, end: found.index + (found[0] ?? '').length };
    },
  };
}

/** Groups of `%{…}` carry a number; groups written natively their name. */
function captureOf(name: string, captures: readonly GrokCapture[]): GrokCapture {
  const marked = name.startsWith(GROUP_MARK) ? captures[Number(name.slice(GROUP_MARK.length))] : undefined;
  return marked ?? { field: name, type: 'text', isClean: false };
}

function readable(source: string, captures: readonly GrokCapture[]): string {
  return source.replace(
    new RegExp(`${GROUP_MARK}(\\d+)`, 'g'),
    (_, index: string) => captures[Number(index)]?.field ?? '',
  );
}
