/**
 * Text to tree: the generated parser, and errors that say what was expected, and where the fault is rather than where it
 * was noticed.
 */

import { ConfigError, type ConfigProblem, problemAt } from '../source/config-error.ts';
import type { ConfigTree, SectionNode } from '../source/config-tree.ts';
import { type ConfigSource, SourceText } from '../source/source-text.ts';
import { bracketDepth, findBracketFault } from './bracket-check.ts';
import { configParser } from './generated/config-parser.ts';
import { hintAt } from './syntax-hints.ts';

/** The parser recurses: deeper texts are refused before they can exhaust the stack. */
const DEPTH_MAX = 100;

/**
 * The tree of several sources, read in order as one text.
 *
 * @throws ConfigError with the first problem
 */
export function parseConfig(sources: readonly ConfigSource[]): ConfigTree {
  const source = new SourceText(sources);
  if (bracketDepth(source.text) > DEPTH_MAX) throw tooDeep(source);
  try {
    // The shape is the grammar's, whose actions build just these nodes.
    return { sections: configParser.parse(source.text) as readonly SectionNode[], source };
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(source);
    if (!(error instanceof configParser.SyntaxError)) throw error;
    throw new ConfigError([explain(source, error as unknown as SyntaxFailure)]);
  }
}

/** What the generated parser throws. */
interface SyntaxFailure {
  readonly message: string;
  readonly location: { readonly start: { readonly offset: number } };
  readonly expected: readonly Expectation[] | null;
  readonly found: string | null;
}

interface Expectation {
  readonly type: string;
  readonly text?: string;
  readonly description?: string;
}

function tooDeep(source: SourceText): ConfigError {
  return new ConfigError([problemAt(source, 0, `Nested deeper than ${DEPTH_MAX} brackets`)]);
}

function explain(source: SourceText, failure: SyntaxFailure): ConfigProblem {
  const { text } = source;
  const offset = Math.min(failure.location.start.offset, text.length);
  // The grammar's own words: it understood the text and refuses it.
  if (failure.expected === null) return problemAt(source, offset, failure.message);
  const hint = hintAt(text, offset);
  const fault = findBracketFault(text);
  // A usual mistake before the bracket explains more than the bracket does.
  if (fault !== null && (hint === null || fault.offset < offset)) {
    return problemAt(source, fault.offset, fault.message, fault.offset > offset ? hint : null);
  }
  const found = failure.found === null ? 'the end' : JSON.stringify(wordAt(text, offset));
  return problemAt(source, offset, `Expected ${expectedText(failure.expected)} but found ${found}`, hint);
}

/** Word at the position: it says more than its first letter. */
function wordAt(text: string, offset: number): string {
  return /^[A-Za-z0-9_-]{1,40}/.exec(text.slice(offset, offset + 40))?.[0] ?? text[offset] ?? '';
}

/** White space may stand almost anywhere: it is named only when nothing else is. */
function expectedText(expected: readonly Expectation[]): string {
  const names = new Set(expected.map(expectationText));
  if (names.size > 1) names.delete('white space');
  // A bare class of characters is the begin of a function's name, which there are none of.
  if (names.size > 1) names.delete('class');
  const list = [...names].sort();
  const last = list.pop() ?? 'the end';
  return list.length === 0 ? last : `${list.join(', ')} or ${last}`;
}

function expectationText(expectation: Expectation): string {
  if (expectation.type === 'literal') return JSON.stringify(expectation.text ?? '');
  if (expectation.type === 'end') return 'the end';
  return expectation.description ?? expectation.type;
}
