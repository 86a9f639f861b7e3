/**
 * Fields that the text of `query_string` or `q=` names: `title:lamp AND price:>5`, `_exists_:title`.
 *
 * Only of a text that was answered without an error, and so can be read: what is skipped here closes again.
 */

/**
 * From the left, whichever comes first: a quoted text, a regular expression, a range, or a name with its colon, in which everything but
 * a special character stands for itself, and that too behind a backslash.
 */
const PARTS =
  /"(?:\\[\s\S]|[^"\\])*"|(?<=^|[\s(:+\-!])\/(?:\\[\s\S]|[^/\\])*\/|[[{][^\]}]*[\]}]|(?<name>(?:\\[\s\S]|[^\s\\+\-!():^[\]"{}~*?/&|])(?:\\[\s\S]|[^\s\\!():^[\]"{}~*?/])*):|\\[\s\S]/g;
const EXISTS = '_exists_';
/** The field that `_exists_:` asks for. */
const EXISTING = /^\s*"?((?:\\[\s\S]|[^\s\\!():^[\]"{}~*?/])+)/;

/** @returns names and patterns */
export function fieldsOfQueryText(text: string): readonly string[] {
  const names: string[] = [];
  for (const found of text.matchAll(PARTS)) {
    const name = found.groups?.name;
    if (name === undefined) continue;
    const [, asked] = name === EXISTS ? (EXISTING.exec(text.slice(found.index + found[0].length)) ?? []) : [null, name];
    if (asked !== undefined) names.push(asked.replace(/\\([\s\S])/g, '$1'));
  }
  return names;
}
