/**
 * Char filter `pattern_replace`: what a regular expression of Java matches becomes its replacement.
 */
import { illegalArgument, lazy } from '@shoal/core';
import { JavaPattern } from '../patterns/java-pattern.ts';
import type { CharFilterType } from '../tokens/component-type.ts';
import { FilteredTextBuilder } from '../tokens/filtered-text-builder.ts';

export const patternReplaceCharFilter: CharFilterType = {
  type: 'pattern_replace',
  options: ['pattern', 'replacement', 'flags'],
  needsOptions: true,
  create: ({ pattern, replacement = '', flags = '' }, name) => {
    if (pattern === undefined || pattern === '') {
      throw illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
    }
    const compiled = new JavaPattern(pattern, flags);
    // A replacement that names a group which there is not fails the texts that have a match, and no others.
    const replace = lazy(() => compiled.replacement(replacement));
    return {
      name,
      isNormalizing: true,
      apply(text) {
        const out = new FilteredTextBuilder(text);
        for (const match of compiled.matches(text)) {
          const start = match.index ?? 0;
          out.replace(start, start + match[0].length, replace()(match));
        }
        return out.done();
      },
    };
  },
};
