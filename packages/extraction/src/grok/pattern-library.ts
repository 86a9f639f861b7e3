/**
 * Named grok patterns: those that come with the agent, and pattern files of users.
 *
 * A library is a plain map, so that a pipeline can lay its own definitions over the shared ones.
 */
import { assert, lazy } from '@shoal/core';
import { ECS_PATTERN_FILES } from './generated/ecs-patterns.ts';
import { LEGACY_PATTERN_FILES } from './generated/legacy-patterns.ts';

export type PatternLibrary = ReadonlyMap<string, string>;

/** A name and an expression, which may be empty. Blanks behind it belong to it. */
const PATTERN_LINE = /^\s*([A-Za-z0-9_]+)(?:\s+(.*))?$/;

/** Made once a thread: every grok of every pipeline begins with the same. */
const legacyPatterns = lazy(() => patternsOf(LEGACY_PATTERN_FILES));
const ecsPatterns = lazy(() => patternsOf(ECS_PATTERN_FILES));

/**
 * The patterns that come with the agent, by name; the same map for all that ask.
 *
 * @param ecs `disabled`: the parts have their old names (`clientip`); else those of ECS (`[source][address]`)
 */
export function corePatterns(ecs: 'disabled' | 'v1' | 'v8'): PatternLibrary {
  return ecs === 'disabled' ? legacyPatterns() : ecsPatterns();
}

function patternsOf(files: Readonly<Record<string, readonly string[]>>): PatternLibrary {
  const patterns = new Map<string, string>();
  for (const [file, lines] of Object.entries(files)) {
    const refused = addPatternText(patterns, lines.join('\n'), file);
    assert(refused.length === 0, `a pattern that comes with the agent defines nothing: ${refused[0]}`);
  }
  return patterns;
}

/**
 * Adds the definitions of one pattern file: `NAME regex` a line, `#` comments; a later definition of a name wins.
 *
 * @param origin file name, for what is returned
 * @returns places of lines that are no definitions; they are passed over
 */
export function addPatternText(patterns: Map<string, string>, text: string, origin: string): readonly string[] {
  const refused: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || /^\s*#/.test(line)) continue;
    const [, name, regex = ''] = PATTERN_LINE.exec(line) ?? [];
    if (name === undefined) refused.push(`${origin}:${index + 1}`);
    else patterns.set(name, regex);
  }
  return refused;
}
