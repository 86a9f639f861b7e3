/**
 * Named grok patterns: those that come with the agent, and pattern files of users.
 *
 * A library is a plain map, so that a pipeline can lay its own definitions over the shared ones.
 */
import { ShoalError } from '@shoal/core';
import { ECS_PATTERN_FILES } from './generated/ecs-patterns.ts';
import { LEGACY_PATTERN_FILES } from './generated/legacy-patterns.ts';

export type PatternLibrary = ReadonlyMap<string, string>;

const PATTERN_LINE = /^([A-Za-z0-9_]+)[ \t]+(.+)$/;

/**
 * The patterns that come with the agent, by name.
 *
 * @param ecs `disabled`: the parts have their old names (`clientip`); else those of ECS (`[source][address]`)
 */
export function corePatterns(ecs: 'disabled' | 'v1' | 'v8'): Map<string, string> {
  const patterns = new Map<string, string>();
  for (const [file, lines] of Object.entries(ecs === 'disabled' ? LEGACY_PATTERN_FILES : ECS_PATTERN_FILES)) {
    for (const line of lines) addPatternLine(patterns, line, file);
  }
  return patterns;
}

/**
 * Adds the definitions of one pattern file: `NAME regex` a line, `#` comments; a later definition of a name wins.
 *
 * @param origin file name, for errors
 * @throws ShoalError for a line that is no definition
 */
export function addPatternText(patterns: Map<string, string>, text: string, origin: string): void {
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || /^\s*#/.test(line)) continue;
    addPatternLine(patterns, line, `${origin}:${index + 1}`);
  }
}

function addPatternLine(patterns: Map<string, string>, line: string, origin: string): void {
  const match = PATTERN_LINE.exec(line);
  const [, name, regex] = match ?? [];
  if (name === undefined || regex === undefined) {
    throw new ShoalError('illegal_argument_exception', 400, `${origin}: not a pattern definition [${line}]`);
  }
  patterns.set(name, regex);
}
