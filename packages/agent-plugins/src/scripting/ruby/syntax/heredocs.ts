/**
 * Texts that stand behind the line that names them (`<<~END`). They are cut out before the grammar sees the script; blanks take
 * their place, so that offsets stay true.
 */

export interface Heredoc {
  /** Offset of `<<`. */
  readonly start: number;
  /** Offset of the text itself. */
  readonly textAt: number;
  readonly text: string;
  readonly isPlain: boolean;
}

const START = /(?<![\w)\]])<<([-~]?)(["']?)([A-Za-z_]\w*)\2/g;

export function cutHeredocs(source: string): { readonly text: string; readonly heredocs: readonly Heredoc[] } {
  const heredocs: Heredoc[] = [];
  let text = source;
  for (const match of source.matchAll(START)) {
    const [, style = '', quote = '', name = ''] = match;
    // Cut already: what looks like one stands inside another.
    if (text.slice(match.index, match.index + 2) !== '<<') continue;
    const found = findText(text, match.index, style, name);
    if (found === null) continue;
    const body = source.slice(found.from, found.to);
    heredocs.push({
      start: match.index,
      textAt: found.from,
      text: style === '~' ? withoutIndent(body) : body,
      isPlain: quote === "'",
    });
    text = text.slice(0, found.from) + blank(text.slice(found.from, found.end)) + text.slice(found.end);
  }
  return { text, heredocs };
}

/** The text begins on the next line. A second one of the same line is not looked for. */
function findText(
  text: string,
  start: number,
  style: string,
  name: string,
): { readonly from: number; readonly to: number; readonly end: number } | null {
  const from = text.indexOf('\n', start) + 1;
  if (from === 0) return null;
  for (let line = from; line <= text.length; ) {
    const next = text.indexOf('\n', line);
    const end = next < 0 ? text.length : next;
    const content = text.slice(line, end).replace(/\r$/, '');
    if ((style === '' ? content : content.trimStart()) === name) return { from, to: line, end };
    if (next < 0) return null;
    line = next + 1;
  }
  return null;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function withoutIndent(text: string): string {
  const lines = text.split('\n');
  const depths = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = depths.length === 0 ? 0 : Math.min(...depths);
  return lines.map((line) => line.slice(Math.min(least, /^[ \t]*/.exec(line)?.[0].length ?? 0))).join('\n');
}
