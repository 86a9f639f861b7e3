/**
 * Token filter `pattern_replace`: what a regular expression of Java matches in a term becomes its replacement.
 */
import { illegalArgument, lazy } from '@shoal/core';
import { JavaPattern } from '../../patterns/java-pattern.ts';
import { readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';

export const patternReplace: TokenFilterType = {
  type: 'pattern_replace',
  options: ['pattern', 'replacement', 'all', 'flags'],
  needsOptions: true,
  create: (options, _context, name) => {
    const { pattern, replacement = '', flags = '' } = options;
    const replacesAll = readFlag(options, 'all', true);
    if (pattern === undefined) {
      throw illegalArgument(`pattern is missing for [${name}] token filter of type 'pattern_replace'`);
    }
    const compiled = new JavaPattern(pattern, flags);
    // A replacement that names a group which there is not fails the texts that have a match, and no others.
    const replace = lazy(() => compiled.replacement(replacement));
    return mapLetters('pattern_replace', (term) => {
      const found = compiled.matches(term);
      const matches = replacesAll ? found : found.slice(0, 1);
      let out = '';
      let from = 0;
      for (const match of matches) {
        const start = match.index ?? 0;
        out += term.slice(from, start) + replace()(match);
        from = start + match[0].length;
      }
      return out + term.slice(from);
    });
  },
};
