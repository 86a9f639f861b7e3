/**
 * Gives named groups of a Ruby pattern numbers for names: in Ruby names may repeat and may hold brackets, in V8 not.
 */

export interface NumberedPattern {
  /** Named groups are called `g0`, `g1`, … by position. */
  readonly source: string;
  /** Names as they were written, by position. */
  readonly names: readonly string[];
}

/** Escapes and whole classes are passed over, so that what looks like a group in them is left alone. */
const TOKEN = /\\k<([^>]+)>|\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]|\(\?<(?![=!])([^>]+)>/gsu;

/** In `[\w-.]` Ruby takes the hyphen as itself; the translator looks for a range. */
const CLASS_BEFORE_HYPHEN = /(\\[wdshWDSH])-(?!\])/g;

export function numberGroups(pattern: string): NumberedPattern {
  const names: string[] = [];
  const source = pattern.replace(TOKEN, (token, reference?: string, name?: string) => {
    if (name !== undefined) return `(?<g${names.push(name) - 1}>`;
    if (token.startsWith('[')) return token.replace(CLASS_BEFORE_HYPHEN, '$1\\-');
    if (reference === undefined) return token;
    // The last group of that name before it. Ruby tries all of them, which no known pattern needs.
    const index = names.lastIndexOf(reference);
    return index < 0 ? token : `\\k<g${index}>`;
  });
  return { source, names };
}
