/**
 * Token filter `cjk_width`: full-width ASCII becomes ASCII, half-width Katakana becomes full-width.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const VARIANTS = /[\uff01-\uff5e]+|[\uff65-\uff9f]+/g;

export function cjkWidthFilter(): TokenFilter {
  // Both are compatibility variants; runs are folded whole, so that a voice mark joins the letter before it.
  return mapLetters('cjk_width', (term) => term.replace(VARIANTS, (run) => run.normalize('NFKC')));
}

export const cjkWidth: TokenFilterType = { type: 'cjk_width', options: [], create: cjkWidthFilter };
