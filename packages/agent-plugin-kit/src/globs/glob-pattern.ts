/**
 * Patterns of file names as shells write them: `*`, `?`, `[a-z]`, `{a,b}`. Pure: who walks folders decides how.
 */

/** Characters that make a part of a path a pattern. */
export const GLOB_CHARACTERS: RegExp = /[*?[{]/;

/** Test for one name without slashes. A leading dot is matched by a dot only, as shells do. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const regexes = expandBraces(pattern).map(partPattern);
  return (name) => regexes.some((regex) => regex.test(name));
}

/** The pattern once for each choice of its braces. */
export function expandBraces(pattern: string): string[] {
  const match = /\{([^{}]*)\}/.exec(pattern);
  if (match === null) return [pattern];
  const before = pattern.slice(0, match.index);
  const after = pattern.slice(match.index + match[0].length);
  return (match[1] ?? '').split(',').flatMap((choice) => expandBraces(before + choice + after));
}

/** One part of a path, without braces, as a regular expression. */
export function partPattern(part: string): RegExp {
  let source = '';
  for (let i = 0; i < part.length; i++) {
    const character = part[i] ?? '';
    const close = character === '[' ? part.indexOf(']', i + 2) : -1;
    if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (close > 0) {
      const body = part
        .slice(i + 1, close)
        .replace(/\\/g, '\\\\')
        .replace(/^[!^]/, '^');
      source += `[${body}]`;
      i = close;
    } else source += character.replace(/[.+^${}()|\\[\]]/g, '\\$&');
  }
  return new RegExp(`^${part.startsWith('.') ? '' : '(?!\\.)'}${source}$`);
}
