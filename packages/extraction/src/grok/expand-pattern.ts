/**
 * Expands `%{NAME:field:type}` into one regular expression in Ruby's dialect.
 *
 * Named captures come out as groups whose name is a number in marks (`GROUP_MARK`), because field names may hold brackets and
 * may repeat, which group names of V8 may not. The pattern texts themselves are not changed here.
 */
import { nearestNames, ShoalError } from '@shoal/core';
import type { PatternLibrary } from './pattern-library.ts';

export const GROUP_MARK = '\u0001';

/** Limit of replacements, that of Logstash: a pattern that needs more refers to itself. */
const EXPANSIONS_MAX = 10_000;
const DEPTH_MAX = 100;
const EXPANDED_LENGTH_MAX = 2_000_000;
/** Names of patterns are short: one letter of three may be wrong. */
const NAME_LIKENESS_MIN = 0.6;

/** What stands behind the field and is neither type nor definition means nothing: `%{INT:code?}` is `%{INT:code}`. */
const REFERENCE =
  /%\{([A-Za-z0-9_]+)(?::([A-Za-z0-9_@.[\]-]+(?::[A-Za-z0-9_@.[\]-]+)*))?(?:=((?:[^{}\\]|\\.|\{(?:[^{}]|\\.)*\})+)|[^{}]*)\}/g;

export type CaptureType = 'text' | 'int' | 'long' | 'float' | 'double' | 'boolean';

/** Types of captures in Logstash. */
const TYPES_DEFAULT: readonly CaptureType[] = ['int', 'float'];

export interface GrokCapture {
  /** Field reference, as written. */
  readonly field: string;
  readonly type: CaptureType;
  /** Nothing in its text needs an escape in JSON. */
  readonly isClean: boolean;
}

export interface ExpandedPattern {
  /** Ruby dialect; captures are `(?<` + GROUP_MARK + position in `captures` + `>`. */
  readonly source: string;
  readonly captures: readonly GrokCapture[];
}

export interface ExpandOptions {
  readonly library: PatternLibrary;
  /** Texts used in place of those of the library. */
  readonly tuned?: ReadonlyMap<string, string>;
  /** false: `%{NAME}` captures into a field NAME. */
  readonly namedCapturesOnly: boolean;
  /** Types that a capture may have; other words behind a field are ignored. Default: those of Logstash. */
  readonly types?: readonly CaptureType[];
  /** Names of patterns whose texts need no escapes in JSON. */
  readonly clean?: ReadonlySet<string>;
}

/** @throws ShoalError for an unknown name and for patterns that refer to themselves */
export function expandPattern(pattern: string, options: ExpandOptions): ExpandedPattern {
  const expansion: Expansion = { options, captures: [], inline: new Map(), count: 0 };
  const source = expand(expansion, pattern, []);
  return { source, captures: expansion.captures };
}

interface Expansion {
  readonly options: ExpandOptions;
  readonly captures: GrokCapture[];
  readonly inline: Map<string, string>;
  count: number;
}

function expand(state: Expansion, text: string, path: readonly string[]): string {
  if (!text.includes('%{')) return text;
  const source = text.replace(REFERENCE, (_, name: string, semantic?: string, definition?: string) => {
    if (++state.count > EXPANSIONS_MAX || path.length > DEPTH_MAX) throw endless(path);
    if (definition !== undefined) state.inline.set(name, definition);
    const capture = captureOf(state, name, semantic, path.length === 0);
    // Captures are numbered in the order of their opening brackets: the outer one first.
    const index = capture === null ? -1 : state.captures.push(capture) - 1;
    const inner = expand(state, lookUp(state, name), [...path, name]);
    return index < 0 ? `(?:${inner})` : `(?<${GROUP_MARK}${index}>${inner})`;
  });
  if (source.length > EXPANDED_LENGTH_MAX) throw endless(path);
  return source;
}

function captureOf(state: Expansion, name: string, semantic: string | undefined, isTop: boolean): GrokCapture | null {
  const isClean = state.options.clean?.has(name) === true && state.inline.size === 0;
  if (semantic === undefined) {
    return state.options.namedCapturesOnly || !isTop ? null : { field: name, type: 'text', isClean };
  }
  // The last part is a type only when it is one; other words are ignored.
  const colon = semantic.lastIndexOf(':');
  if (colon < 0) return { field: semantic, type: 'text', isClean };
  const type = (state.options.types ?? TYPES_DEFAULT).find((known) => known === semantic.slice(colon + 1));
  return { field: semantic.slice(0, colon), type: type ?? 'text', isClean };
}

function lookUp(state: Expansion, name: string): string {
  const own = state.inline.get(name) ?? state.options.tuned?.get(name) ?? state.options.library.get(name);
  if (own !== undefined) return own;
  const near = nearestNames(name, state.options.library.keys(), NAME_LIKENESS_MIN);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
  throw new ShoalError('illegal_argument_exception', 400, `pattern %{${name}} not defined${hint}`);
}

function endless(path: readonly string[]): ShoalError {
  const chain = path.slice(0, 5).join(' > ');
  return new ShoalError('illegal_argument_exception', 400, `grok pattern refers to itself or is too large: ${chain}`);
}
