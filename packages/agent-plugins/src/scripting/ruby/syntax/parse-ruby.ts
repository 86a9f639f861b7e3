/**
 * Text of a Ruby script to its tree, by the generated parser; what is not understood is told with line and column.
 */
import { ShoalError } from '@shoal/core';
import { assignedNames } from './assigned-names.ts';
import { rubyParser } from './generated/ruby-parser.ts';
import { cutHeredocs, type Heredoc } from './heredocs.ts';
import type { RubyNode } from './ruby-tree.ts';

/** The parser recurses, and configurations are written by people: longer or deeper texts are mistakes. */
const LENGTH_MAX = 1_000_000;
const DEPTH_MAX = 200;

export interface RubySource {
  readonly text: string;
  /** How errors name the script: a file, or an option of a plugin. */
  readonly name: string;
}

/** @param given variables that the script finds set */
export function parseRuby(source: RubySource, given: readonly string[] = []): RubyNode {
  const whole = source.text.replace(/\n__END__\n[\s\S]*$/, '\n');
  if (whole.length > LENGTH_MAX) throw rubySourceError(source, 0, `it is longer than ${LENGTH_MAX} characters`);
  if (bracketDepth(whole) > DEPTH_MAX) throw rubySourceError(source, 0, `it is nested deeper than ${DEPTH_MAX}`);
  const { text, heredocs } = cutHeredocs(whole);
  const variables = assignedNames(whole);
  for (const name of given) variables.add(name);
  const parse = (part: string, startRule: string, base: number, known: ReadonlyMap<number, RubyNode>): unknown =>
    guarded(source, base, () => rubyParser.parse(part, { startRule, variables, base, heredocs: known }));
  const nodes = new Map<number, RubyNode>();
  for (const one of heredocs) nodes.set(one.start, heredocNode(one, parse));
  return parse(text, 'Program', 0, nodes) as RubyNode;
}

type Parse = (part: string, startRule: string, base: number, known: ReadonlyMap<number, RubyNode>) => unknown;

function heredocNode(heredoc: Heredoc, parse: Parse): RubyNode {
  const at = heredoc.start;
  if (heredoc.isPlain) return { kind: 'string', at, value: heredoc.text };
  const parts = parse(heredoc.text, 'HeredocText', heredoc.textAt, new Map()) as (string | RubyNode)[];
  return { kind: 'interpolation', at, parts };
}

function guarded(source: RubySource, base: number, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw rubySourceError(source, base, 'it is nested too deep');
    if (!(error instanceof rubyParser.SyntaxError)) throw error;
    const failure = error as unknown as SyntaxFailure;
    const at = base + failure.location.start.offset;
    if (failure.expected === null) throw rubySourceError(source, at, failure.message);
    const word = /^[\w@$]+[?!]?|^[^\s]/.exec(source.text.slice(at))?.[0];
    throw rubySourceError(source, at, word === undefined ? 'unexpected end' : `unexpected ${JSON.stringify(word)}`);
  }
}

interface SyntaxFailure {
  readonly message: string;
  readonly location: { readonly start: { readonly offset: number } };
  readonly expected: readonly object[] | null;
}

export function rubySourceError(source: RubySource, at: number, why: string): ShoalError {
  const before = source.text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return new ShoalError(
    'illegal_argument_exception',
    400,
    `${source.name}: the Ruby code cannot be used: ${place}: ${why}`,
  );
}

function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const char of text) {
    if (char === '(' || char === '[' || char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === ')' || char === ']' || char === '}') depth--;
  }
  return deepest;
}
