/**
 * Token filter `elision`: takes an article and its apostrophe off the front of a term (`l'avion`).
 */
import { illegalArgument } from '@shoal/core';
import { readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/letter-case.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const FRENCH_ARTICLES: readonly string[] = 'l m t qu n s j d c jusqu quoiqu lorsqu puisqu'.split(' ');

export const elision: TokenFilterType = {
  type: 'elision',
  options: ['articles', 'articles_case'],
  undeclared: { articles: FRENCH_ARTICLES.join(','), articles_case: 'true' },
  create: (options) => {
    const articles = readList(options, 'articles');
    const ignoresCase = readFlag(options, 'articles_case', false);
    if (articles !== null) return elisionFilter(articles, ignoresCase);
    throw illegalArgument('elision filter requires [articles] or [articles_path] setting');
  },
};

export function elisionFilter(articles: readonly string[], ignoresCase: boolean): TokenFilter {
  const set = new Set(ignoresCase ? articles.map(toLowerCase) : articles);
  return mapLetters('elision', (term) => {
    const at = term.search(/['\u2019]/);
    if (at <= 0) return term;
    const article = term.slice(0, at);
    return set.has(ignoresCase ? toLowerCase(article) : article) ? term.slice(at + 1) : term;
  });
}
