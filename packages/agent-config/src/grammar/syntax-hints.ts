/**
 * What people usually mean where the grammar refuses: found by looking at the text around the position.
 */

interface Hint {
  /** Text that ends at the position. Absent: any. */
  readonly before?: RegExp;
  /** Text that starts at the position. Absent: any. */
  readonly after?: RegExp;
  readonly text: string;
}

const CONTEXT_CHARACTERS = 200;

/** The first that fits is shown. */
const HINTS: readonly Hint[] = [
  { before: /\bif\s+[A-Za-z_@][\w.-]*\s*$/, text: 'a field stands in brackets: [name]' },
  { after: /^=\s+>/, text: 'write => without a blank inside' },
  { before: /=\s+$/, after: /^>/, text: 'write => without a blank inside' },
  { after: /^:/, text: 'write => between a name and its value, not ":"' },
  { before: /\b(?:elsif|elif|elseif)\s*$/, text: 'write "else if"' },
  { after: /^(?:elsif|elif|elseif)\b/, text: 'write "else if"' },
  { after: /^&&/, text: 'write "and"' },
  { after: /^\|\|/, text: 'write "or"' },
  { after: /^===/, text: 'write == to compare' },
  { before: /\bif\b[^{\n]*$/, after: /^=(?![=~>])/, text: 'write == to compare' },
  { before: /[\w"'\])}]\s*$/, after: /^=(?!>)/, text: 'write => between a name and its value' },
  { before: /,\s*$/, after: /^[\]}]/, text: 'remove the comma before the closing bracket' },
  { after: /^,\s*[\]}]/, text: 'remove the comma before the closing bracket' },
  { after: /^,/, text: 'options and entries of a hash are separated by white space, not by commas' },
  { before: /(?:=>|[[,])\s*[A-Za-z_]\s*$/, text: 'a single letter needs quotes' },
  { before: /(?:=>|[[,])\s*$/, after: /^[A-Za-z_](?![A-Za-z0-9_])/, text: 'a single letter needs quotes' },
  { before: /(?:=>|[[,])\s*$/, after: /^[/.~*$%@\\]/, text: 'this value needs quotes' },
  { before: /=>\s*[\w]+$/, after: /^[-./:@\\]/, text: 'this value needs quotes' },
  { before: /\bnot\s*$/, text: 'write "not in", or ! before a field or a parenthesis' },
  { before: /!\s*$/, text: '! stands before a field in brackets or a parenthesis' },
];

/** null when nothing usual is found. */
export function hintAt(text: string, offset: number): string | null {
  const before = text.slice(Math.max(0, offset - CONTEXT_CHARACTERS), offset);
  const after = text.slice(offset, offset + CONTEXT_CHARACTERS);
  for (const hint of HINTS) {
    if (hint.before?.test(before) !== false && hint.after?.test(after) !== false) return hint.text;
  }
  return stringOverLines(before, text, offset);
}

/** A string that ends just before and spans lines: its first quote was probably one that should have ended another. */
function stringOverLines(before: string, text: string, offset: number): string | null {
  const quote = before[before.length - 1];
  if (quote !== '"' && quote !== "'") return null;
  const start = text.lastIndexOf(quote, offset - 2);
  if (start < 0 || !text.slice(start, offset).includes('\n')) return null;
  return 'the string that ends here began on an earlier line: is a quote missing there?';
}
