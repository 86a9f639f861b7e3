/**
 * Names of a restore: which indices of a snapshot a request means, and what they are called then.
 */
import { illegalArgument, indexNotFound, simpleMatch } from '@shoal/core';
import { TIMED_OUT, watchedCall } from '@shoal/ruby-regex';

/** Most names of one restore are replaced in this time; a pattern that backtracks for ever takes no more. */
const RENAME_MS_MAX = 500;
const PATTERN_CHARS_MAX = 1_000;

export interface WantedIndices {
  /** Names, patterns, and exclusions that begin with `-`; none: all. */
  readonly patterns: readonly string[];
  readonly ignoresUnavailable: boolean;
  readonly allowsNoIndices: boolean;
}

/**
 * @param there names in the snapshot
 * @throws index_not_found_exception for a name that the snapshot does not have
 */
export function wantedIndices(there: readonly string[], wanted: WantedIndices): readonly string[] {
  const { patterns, ignoresUnavailable, allowsNoIndices } = wanted;
  if (patterns.length === 0 || (patterns.length === 1 && (patterns[0] === '_all' || patterns[0] === '*'))) return there;
  const found = new Set<string>();
  let sawWildcard = false;
  for (const pattern of patterns) {
    const isWildcard = pattern.includes('*') || pattern === '_all';
    if (sawWildcard && pattern.startsWith('-')) {
      for (const name of there) if (simpleMatch(pattern.slice(1), name)) found.delete(name);
      continue;
    }
    sawWildcard ||= isWildcard;
    const matches = there.filter((name) =>
      isWildcard ? pattern === '_all' || simpleMatch(pattern, name) : name === pattern,
    );
    const isMissing = matches.length === 0 && (isWildcard ? !allowsNoIndices : !ignoresUnavailable);
    if (isMissing) throw indexNotFound(pattern);
    for (const name of matches) found.add(name);
  }
  return there.filter((name) => found.has(name));
}

/**
 * New names, in order.
 *
 * @param pattern regular expression, all matches of which are replaced; null: names stay
 * @param replacement in Java's form: `$1`, `${name}`, a backslash before what is meant as it is
 * @throws illegal_argument_exception
 */
export function renamed(
  names: readonly string[],
  pattern: string | null,
  replacement: string | null,
): readonly string[] {
  if (pattern === null || replacement === null) return names;
  if (pattern.length > PATTERN_CHARS_MAX) {
    throw illegalArgument(`[rename_pattern] has more than [${PATTERN_CHARS_MAX}] characters`);
  }
  const expression = compiled(pattern);
  const parts = replacementParts(replacement);
  const replaced = watchedCall(RENAME_MS_MAX)(() =>
    names.map((name) => name.replace(expression, (...match) => expanded(parts, match))),
  );
  if (replaced === TIMED_OUT) throw illegalArgument(`[rename_pattern] takes too long to match: [${pattern}]`);
  return replaced;
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gu');
  } catch (error) {
    throw illegalArgument(`[rename_pattern] is no regular expression: ${(error as Error).message}`);
  }
}

/** Text as it is, or a group of the match by number or name. */
type Part = { readonly text: string } | { readonly group: number | string };

function replacementParts(replacement: string): readonly Part[] {
  const parts: Part[] = [];
  const token = /\\(.)|\$(\d)|\$\{([A-Za-z][A-Za-z0-9]*)\}|([^\\$]+)|(.)/gsu;
  for (const [, escaped, number, name, text, stray] of replacement.matchAll(token)) {
    if (stray !== undefined)
      throw illegalArgument(`[rename_replacement] has an illegal group reference: [${replacement}]`);
    if (number !== undefined) parts.push({ group: Number(number) });
    else if (name !== undefined) parts.push({ group: name });
    else parts.push({ text: escaped ?? text ?? '' });
  }
  return parts;
}

/** @param match arguments of a replacer: the match, its groups, position, text, and named groups when there are any */
function expanded(parts: readonly Part[], match: readonly unknown[]): string {
  const last = match.at(-1);
  const named = new Map(typeof last === 'object' && last !== null ? Object.entries(last) : []);
  const groupCount = match.length - (named.size > 0 ? 4 : 3);
  const texts = parts.map((part) => {
    if ('text' in part) return part.text;
    const { group } = part;
    const isThere = typeof group === 'number' ? group <= groupCount : named.has(group);
    if (!isThere)
      throw illegalArgument(`[rename_replacement] names the group [${group}], which the pattern does not have`);
    return String((typeof group === 'number' ? match[group] : named.get(group)) ?? '');
  });
  return texts.join('');
}
