/**
 * Char filters there are, one line each.
 */
import { htmlStrip } from '../char-filters/html-strip.ts';
import { icuNormalizerCharFilter } from '../char-filters/icu-normalizer.ts';
import { mappingCharFilter } from '../char-filters/mapping.ts';
import { patternReplaceCharFilter } from '../char-filters/pattern-replace.ts';
import type { CharFilterType } from '../tokens/component-type.ts';

export const CHAR_FILTER_TYPES: readonly CharFilterType[] = [
  htmlStrip,
  icuNormalizerCharFilter,
  mappingCharFilter,
  patternReplaceCharFilter,
];
