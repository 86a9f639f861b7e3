/**
 * Says up to which part of a grok pattern a text matches: for people who look for the reason why it does not.
 *
 * Tries ever shorter beginnings of the pattern, and once the failing part is found looks into it. Slow; never for every event.
 */
import { type CompileGrokOptions, compileGrok } from './compile-grok.ts';

export interface MismatchExplanation {
  readonly isMatch: boolean;
  /** The longest beginning of the pattern that matches; empty when not even its first part does. */
  readonly matchedPattern: string;
  /** What that beginning matched, and where it ends in the text. */
  readonly matchedText: string;
  readonly offset: number;
  /** The part behind it, which found nothing; empty on a match. */
  readonly failedPart: string;
  /** From the outermost to the innermost pattern: `%{HTTPD_COMMONLOG}`, `%{HTTPDATE:timestamp}`. */
  readonly failedPath: readonly string[];
  /** The text that the failing part met, shortened. */
  readonly rest: string;
}

const REST_SHOWN = 80;
const NESTING_MAX = 20;
/** Beginnings that may be tried before it gives up looking deeper. */
const TRIES_MAX = 500;
const EXPLAIN_TIMEOUT_MS = 200;

const PART = /%\{[^{}]*\}|\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|[()|]|[^\\%[()|]|[%[]/gsu;
const REFERENCE_NAME = /^%\{([A-Za-z0-9_]+)/;
const QUANTIFIER = /^(?:[*+?]|\{\d*,?\d*\})[+?]?/;

export function explainMismatch(pattern: string, text: string, options: CompileGrokOptions): MismatchExplanation {
  const bounded = { ...options, timeoutMs: EXPLAIN_TIMEOUT_MS };
  const whole = spanOf(pattern, text, bounded);
  if (whole !== null) {
    const matchedText = text.slice(whole.start, whole.end);
    return {
      isMatch: true,
      matchedPattern: pattern,
      matchedText,
      offset: whole.end,
      failedPart: '',
      failedPath: [],
      rest: '',
    };
  }
  const search: Search = { text, options: bounded, tries: 0 };
  const failedPath: string[] = [];
  let before = '';
  let current = pattern;
  let failedPart = pattern;
  for (let depth = 0; depth < NESTING_MAX; depth++) {
    const parts = partsOf(current);
    const count = longestBeginning(search, before, parts);
    before += parts.slice(0, count).join('');
    failedPart = parts[count] ?? '';
    const inner = definitionOf(failedPart, options);
    if (failedPart.startsWith('%{')) failedPath.push(failedPart);
    if (inner === null || search.tries >= TRIES_MAX) break;
    current = inner;
  }
  const span = before === '' ? null : spanOf(before, text, bounded);
  const offset = span?.end ?? 0;
  return {
    isMatch: false,
    matchedPattern: before,
    matchedText: span === null ? '' : text.slice(span.start, span.end),
    offset,
    failedPart,
    failedPath,
    rest: text.slice(offset, offset + REST_SHOWN),
  };
}

/** What was expected behind the text that matched: from the outermost name to the part that found nothing. */
export function expectedParts({ failedPath, failedPart }: MismatchExplanation): readonly string[] {
  return failedPath.at(-1) === failedPart ? failedPath : [...failedPath, failedPart];
}

interface Search {
  readonly text: string;
  readonly options: CompileGrokOptions;
  tries: number;
}

/** How many parts, behind `before`, still match. */
function longestBeginning(search: Search, before: string, parts: readonly string[]): number {
  let low = 0;
  let high = parts.length;
  // A beginning of a beginning that matches matches too, so the border can be halved.
  while (low < high && search.tries < TRIES_MAX) {
    search.tries++;
    const middle = Math.ceil((low + high) / 2);
    if (spanOf(before + parts.slice(0, middle).join(''), search.text, search.options) === null) high = middle - 1;
    else low = middle;
  }
  return low;
}

function spanOf(pattern: string, text: string, options: CompileGrokOptions): { start: number; end: number } | null {
  try {
    return compileGrok(pattern, options).span(text);
  } catch {
    // A beginning that is no pattern by itself counts as one that does not match.
    return null;
  }
}

/** The text of a part that is one reference without a quantifier; null for anything else. */
function definitionOf(part: string, options: CompileGrokOptions): string | null {
  const name = REFERENCE_NAME.exec(part)?.[1];
  if (name === undefined || !part.endsWith('}')) return null;
  const definition = options.library.get(name);
  if (definition === undefined) return null;
  // A lone part is only worth a look when it is another name.
  const parts = partsOf(definition);
  return parts.length >= 2 || /^%\{[^{}]*\}$/.test(parts[0] ?? '') ? definition : null;
}

/** Cuts a pattern into what stands side by side at its outermost level; a choice at that level is one part. */
function partsOf(pattern: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let group = '';
  for (const [token] of pattern.matchAll(PART)) {
    if (token === '|' && depth === 0) return [pattern];
    if (token === '(') depth++;
    if (depth > 0) group += token;
    else if (/^[*+?{]/.test(token) && parts.length > 0) parts.push(`${parts.pop() ?? ''}${token}`);
    else if (token !== ')') parts.push(token);
    if (token === ')' && depth > 0 && --depth === 0) {
      parts.push(group);
      group = '';
    }
  }
  return joinCounts(parts);
}

/** `x{2,3}` was cut at its brace: puts counted quantifiers back to what they count. */
function joinCounts(parts: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    let part = parts[i] ?? '';
    while (part.endsWith('{') && !part.endsWith('\\{') && i + 1 < parts.length && !QUANTIFIER.test(part)) {
      const end = parts.indexOf('}', i);
      if (end < 0) break;
      part += parts.slice(i + 1, end + 1).join('');
      i = end;
    }
    joined.push(part);
  }
  return joined;
}
