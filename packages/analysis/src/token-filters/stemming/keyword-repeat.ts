/**
 * Token filter `keyword_repeat`: each token twice, first as a keyword, so that a stemmer leaves both forms.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const keywordRepeat: TokenFilterType = { type: 'keyword_repeat', options: [], create: keywordRepeatFilter };

function keywordRepeatFilter(): TokenFilter {
  return {
    name: 'keyword_repeat',
    inSynonymRules: 'refused',
    shows: ['keyword'],
    into: (next) => (term, start, end, increment, type, attributes) => {
      const { positionLength = 1, payload = null } = attributes ?? {};
      next(term, start, end, increment, type, { positionLength, payload, isKeyword: true });
      next(term, start, end, 0, type, { positionLength, payload, isKeyword: false });
    },
  };
}
