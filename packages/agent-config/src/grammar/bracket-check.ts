/**
 * Finds the bracket or quote that is not closed, where it stands. A grammar alone would complain at the next section.
 *
 * Knows strings, comments, and regular expressions behind `=~`. It only explains a refusal of the grammar, never refuses by
 * itself: what a slash means depends on its position, which only the grammar knows.
 */

export interface BracketFault {
  readonly offset: number;
  readonly message: string;
}

interface Opening {
  readonly char: string;
  readonly offset: number;
  /** Indentation of the bracket's line, in characters. */
  readonly indent: number;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const SECTION = /(?:input|filter|output)\s*\{/y;
const TOKEN =
  /"(?:\\"|[^"])*"|'(?:\\'|[^'])*'|#[^\r\n]*|[=!]~\s*\/(?:\\\/|[^/])*\/|["'{}[\]()]|(?:input|filter|output)\b/g;

/** null when all brackets and quotes match. */
export function findBracketFault(text: string): BracketFault | null {
  const open: Opening[] = [];
  /** An opening whose bracket was probably forgotten: the closing one stood where an outer one's would. */
  let suspect: Opening | null = null;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '"' || token === "'") return { offset: index, message: `Unclosed string: the ${token} has no end` };
    if (CLOSING[token] !== undefined) open.push(opening(text, token, index));
    else if (token === '}' || token === ']' || token === ')') {
      const last = open.pop();
      if (last === undefined) return { offset: index, message: `Unexpected "${token}": it closes nothing` };
      if (CLOSING[last.char] !== token) return unclosed(last);
      suspect ??= isOutdented(text, index, last, open) ? last : null;
    } else if (open.length > 0 && startsSection(text, index)) {
      return unclosed(suspect ?? open[open.length - 1] ?? opening(text, '{', index));
    }
  }
  const last = open[open.length - 1];
  return last === undefined ? null : unclosed(suspect ?? last);
}

/** How many brackets are open at once, at most. */
export function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const { 0: token } of text.matchAll(TOKEN)) {
    if (CLOSING[token] !== undefined) deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']' || token === ')') depth--;
  }
  return deepest;
}

function opening(text: string, char: string, offset: number): Opening {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return { char, offset, indent: indentAt(text, lineStart) };
}

function indentAt(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at - lineStart;
}

/** A closing bracket first on its line, not below the line of its opening but below that of an outer one. */
function isOutdented(text: string, offset: number, closed: Opening, outer: readonly Opening[]): boolean {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const indent = indentAt(text, lineStart);
  if (lineStart + indent !== offset || indent >= closed.indent) return false;
  return outer.some((one) => one.indent === indent);
}

/** Only first on an unindented line: a plugin may have such a name, and a field too. */
function startsSection(text: string, offset: number): boolean {
  SECTION.lastIndex = offset;
  return (offset === 0 || text[offset - 1] === '\n') && SECTION.test(text);
}

function unclosed(opened: Opening): BracketFault {
  return { offset: opened.offset, message: `Unclosed "${opened.char}": its "${CLOSING[opened.char]}" is missing` };
}
