/**
 * Token filter `keyword_marker`: terms that stemmers behind it leave as they are.
 */
import { illegalArgument } from '@shoal/core';
import { JavaPattern } from '../../patterns/java-pattern.ts';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/letter-case.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const keywordMarker: TokenFilterType = {
  type: 'keyword_marker',
  options: ['keywords', 'keywords_pattern', 'ignore_case'],
  needsOptions: true,
  create: (options) => keywordMarkerFilter(readTest(options)),
};

/** Filters that mark the terms of a list; none where there are no terms. */
export function keywordMarkers(words: readonly string[]): readonly TokenFilter[] {
  if (words.length === 0) return [];
  const set = new Set(words);
  return [keywordMarkerFilter((term) => set.has(term))];
}

function keywordMarkerFilter(isKeyword: (term: string) => boolean): TokenFilter {
  return {
    name: 'keyword_marker',
    shows: ['keyword'],
    into: (next) => (term, start, end, increment, type, attributes) => {
      if (!isKeyword(term)) next(term, start, end, increment, type, attributes);
      else {
        const { positionLength = 1, payload = null } = attributes ?? {};
        next(term, start, end, increment, type, { positionLength, payload, isKeyword: true });
      }
    },
  };
}

function readTest(options: ComponentOptions): (term: string) => boolean {
  const ignoresCase = readFlag(options, 'ignore_case', false);
  const pattern = options.keywords_pattern;
  const words = readList(options, 'keywords');
  if (pattern !== undefined) {
    if (words !== null)
      throw illegalArgument('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`');
    const compiled = new JavaPattern(`(?:${pattern})\\z`);
    return (term) => compiled.matches(term)[0]?.index === 0;
  }
  if (words === null) {
    throw illegalArgument(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    );
  }
  const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
  return (term) => set.has(ignoresCase ? toLowerCase(term) : term);
}
