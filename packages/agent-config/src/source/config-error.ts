/**
 * What is wrong with a configuration: every problem with file, line, column, the line itself and a caret below the position.
 */
import { ShoalError } from '@shoal/core';
import { type Position, positionText } from './position.ts';
import type { SourceText } from './source-text.ts';

export interface ConfigProblem {
  readonly position: Position;
  readonly message: string;
  /** What to write instead, when that can be told. */
  readonly hint: string | null;
  /** The line with a caret below it; empty when there is no text. */
  readonly excerpt: string;
}

/** The error's message holds all problems as users read them. */
export class ConfigError extends ShoalError {
  /** At least one, in the order of the text. */
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super('configuration_exception', 400, problems.map(problemText).join('\n\n'));
    this.problems = problems;
  }
}

/** Longest line that is shown whole; longer ones are cut around the position. */
const EXCERPT_MAX = 120;
const EXCERPT_BEFORE = 60;

export function problemAt(
  source: SourceText,
  offset: number,
  message: string,
  hint: string | null = null,
): ConfigProblem {
  // The newline that is added to the last file is the end that users know.
  offset = Math.max(0, Math.min(offset, source.text.length - 1));
  const position = source.position(offset);
  return { position, message, hint, excerpt: excerptAt(source, offset, position.line) };
}

function excerptAt(source: SourceText, offset: number, lineNumber: number): string {
  const { text, index } = source.lineAt(offset);
  const from = text.length > EXCERPT_MAX ? Math.max(0, index - EXCERPT_BEFORE) : 0;
  const shown = text.slice(from, from + EXCERPT_MAX);
  const margin = `  ${lineNumber} | `;
  // Tabs are kept below tabs: the caret stands under its character however wide they are.
  const indent = shown.slice(0, index - from).replace(/[^\t]/g, ' ');
  return `${margin}${printable(shown)}\n${' '.repeat(margin.length)}${indent}^`;
}

/** A file that is no text must not command the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  return text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f]/g, '\u00b7');
}

function problemText(problem: ConfigProblem): string {
  const lines = [`${positionText(problem.position)}: ${problem.message}`];
  if (problem.excerpt !== '') lines.push(problem.excerpt);
  if (problem.hint !== null) lines.push(`  ${problem.hint}`);
  return lines.join('\n');
}
