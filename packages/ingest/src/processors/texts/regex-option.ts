/** Options that are regular expressions. */
import { JavaPattern } from '@shoal/analysis';
import { isShoalError, type ShoalError } from '@shoal/core';
import type { ProcessorConfig } from '../../contract/processor-config.ts';

/** @throws parse_exception for what is no expression */
export function regexOption(config: ProcessorConfig, name: string): JavaPattern {
  return compiledRegex(config, name, config.text(name));
}

export function compiledRegex(config: ProcessorConfig, name: string, source: string): JavaPattern {
  try {
    return new JavaPattern(source);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw config.error(name, `Invalid regex pattern. ${regexProblem(error)}`);
  }
}

/** What is wrong with an expression, without the expression, which Java's text ends with. */
export function regexProblem(error: ShoalError): string {
  return error.message.replace(/^invalid regular expression \[.*?\]: (?=[A-Z])/s, '');
}

/** A text whose matches are replaced. */
export function replacedMatches(
  text: string,
  pattern: JavaPattern,
  replace: (match: RegExpMatchArray) => string,
): string {
  let changed = '';
  let from = 0;
  for (const match of pattern.matches(text)) {
    const start = match.index ?? 0;
    changed += text.slice(from, start) + replace(match);
    from = start + match[0].length;
  }
  return from === 0 && changed === '' ? text : changed + text.slice(from);
}
