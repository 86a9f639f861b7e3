/**
 * Token filter `pattern_capture`: the groups of regular expressions of Java, as terms at the position of the whole one.
 */
import { illegalArgument } from '@shoal/core';
import { JavaPattern } from '../../patterns/java-pattern.ts';
import { readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';

export const patternCapture: TokenFilterType = {
  type: 'pattern_capture',
  options: ['patterns', 'preserve_original'],
  needsOptions: true,
  create: (options) => {
    const sources = readList(options, 'patterns');
    const preservesOriginal = readFlag(options, 'preserve_original', true);
    if (sources === null)
      throw illegalArgument("required setting 'patterns' is missing for token filter [pattern_capture]");
    const patterns = sources.map((source) => new JavaPattern(source));
    return {
      name: 'pattern_capture',
      into: (next) => (term, start, end, increment, type, attributes) => {
        const captured = captures(term, patterns, preservesOriginal);
        const terms = preservesOriginal || captured.length === 0 ? [term, ...captured] : captured;
        for (const [i, part] of terms.entries()) next(part, start, end, i === 0 ? increment : 0, type, attributes);
      },
    };
  },
};

/** A group of a match. */
interface Capture {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Groups of all patterns by their starts; of those that start together the one of the earlier pattern is first. */
function captures(term: string, patterns: readonly JavaPattern[], preservesOriginal: boolean): readonly string[] {
  const queues = patterns.map((pattern) =>
    pattern
      .matches(term)
      .flatMap(groupsOf)
      .filter(({ start, end }) => end > start && !(preservesOriginal && start === 0 && end === term.length)),
  );
  const out: string[] = [];
  for (;;) {
    let first: Capture[] | null = null;
    for (const queue of queues) {
      if (queue[0] !== undefined && (first?.[0] === undefined || queue[0].start < first[0].start)) first = queue;
    }
    const capture = first?.shift();
    if (capture === undefined) return out;
    out.push(capture.text);
  }
}

function groupsOf(match: RegExpMatchArray): readonly Capture[] {
  return match.slice(1).map((text, i) => {
    const within = match[0].indexOf(text ?? '');
    const start = match.indices?.[i + 1]?.[0] ?? (match.index ?? 0) + within;
    return { text: text ?? '', start, end: start + (text ?? '').length };
  });
}
