/**
 * Text of a painless script to its tree, by the generated parser; what is not understood is told with its offset.
 */
import { type CompileFailure, compileFailure } from '../errors/script-error.ts';
import { painlessParser } from './generated/painless-parser.ts';
import type { ScriptTree } from './painless-tree.ts';

/** Brackets within brackets: the parser recurses, and tries more than one reading of some. */
const DEPTH_MAX = 200;

/**
 * @param isType tells names of classes, which in brackets are casts, from names of variables
 * @throws CompileFailure where the text is not a script
 */
export function parsePainless(text: string, isType: (name: string) => boolean): ScriptTree {
  const deepAt = tooDeepAt(text);
  if (deepAt >= 0) throw compileFailure(deepAt, `the script is nested deeper than ${DEPTH_MAX}`);
  try {
    return painlessParser.parse(text, { startRule: 'Script', isType }) as ScriptTree;
  } catch (error) {
    if (error instanceof RangeError) throw compileFailure(0, 'the script is nested too deep');
    if (!(error instanceof painlessParser.SyntaxError)) throw error;
    throw syntaxFailure(text, error as unknown as SyntaxFailure);
  }
}

interface SyntaxFailure {
  /** What the parser could have gone on with at that place. */
  readonly expected: readonly { readonly description?: string; readonly text?: string }[];
  readonly location: { readonly start: { readonly offset: number } };
}

const TOKEN =
  /^(?:[_a-zA-Z][_a-zA-Z0-9]*|[0-9]+(?:\.[0-9]+)?|"(?:\\.|[^\\"])*"|'(?:\\.|[^\\'])*'|\?\.|\?:|->|::|[-+*/%&|^<>=!]=|&&|\|\||[{}[\]().,;<>+\-*/%&|^!~?:=])/;

function syntaxFailure(text: string, { expected, location }: SyntaxFailure): CompileFailure {
  const { offset } = location.start;
  // The parser fails within a word that it could not use; the word is what is shown.
  const wordStart = /[_a-zA-Z0-9]+$/.exec(text.slice(0, offset))?.index ?? offset;
  const at = wordStart < offset && /^[_a-zA-Z0-9]/.test(text.slice(offset)) ? wordStart : offset;
  const rest = text.slice(at);
  const open = openQuote(text);
  if (open >= 0) return unexpectedCharacter(text, open);
  if (rest.trim() === '') return compileFailure(text.length, 'unexpected end of script.');
  const gap = /^\s*/.exec(rest)?.[0].length ?? 0;
  const token = TOKEN.exec(rest.slice(gap))?.[0];
  if (token === undefined) return unexpectedCharacter(text, at + gap);
  // A statement that could have ended, and which no brace could have: one token alone was missing.
  const couldBe = (name: string): boolean =>
    expected.some(({ description, text: own }) => (description ?? own) === name);
  // A name that is declared, and has no value yet, leaves open what it is.
  const isDeclared = couldBe('=') && !couldBe('+=');
  if (couldBe('end of statement') && !couldBe('end of block') && !isDeclared)
    return compileFailure(at + gap, `unexpected token ['${token}'] was expecting one of [{<EOF>, ';'}].`);
  return compileFailure(at + gap, `invalid sequence of tokens near ['${token}'].`);
}

/** Offset of a quote that nothing closes; -1 without one. */
function openQuote(text: string): number {
  const closed = /"(?:\\[\\"]|[^\\"])*"|'(?:\\[\\']|[^\\'])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
  for (let at = 0; at < text.length; at++) {
    closed.lastIndex = at;
    const found = closed.exec(text);
    if (found !== null) at += found[0].length - 1;
    else if (text[at] === '"' || text[at] === "'") return at;
  }
  return -1;
}

function unexpectedCharacter(text: string, at: number): CompileFailure {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return compileFailure(at, `unexpected character [${text[at]}].`);
  const rest = text.slice(at);
  const escapeAt = /\\[^\\"']/.exec(rest)?.index;
  const shown = escapeAt === undefined ? rest : rest.slice(0, escapeAt + 2);
  const hint =
    escapeAt === undefined
      ? ''
      : ` The only valid escape sequences in strings starting with [${quote}] are [\\\\] and [\\${quote}].`;
  return compileFailure(at, `unexpected character [${shown}].${hint}`);
}

/** Offset of the first bracket that is nested too deep; -1 without one. Quotes do not count: fewer brackets are safe too. */
function tooDeepAt(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '(' || char === '[' || char === '{') {
      if (++depth > DEPTH_MAX) return at;
    } else if (char === ')' || char === ']' || char === '}') depth--;
  }
  return -1;
}
