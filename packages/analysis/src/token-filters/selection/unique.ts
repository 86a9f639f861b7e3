/**
 * Token filter `unique`: drops terms that the text has had, or only those that the position has had.
 */
import { readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';

export const unique: TokenFilterType = {
  type: 'unique',
  options: ['only_on_same_position'],
  create: (options) => {
    const isByPosition = readFlag(options, 'only_on_same_position', false);
    return {
      name: 'unique',
      into(next) {
        const seen = new Set<string>();
        return (term, start, end, increment, type, attributes) => {
          if (isByPosition && increment > 0) seen.clear();
          if (seen.has(term)) return;
          seen.add(term);
          next(term, start, end, increment, type, attributes);
        };
      },
    };
  },
};
