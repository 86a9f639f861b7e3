/**
 * Token filter `keep_types`: only tokens of some types, or all but those.
 */
import { illegalArgument } from '@shoal/core';
import { readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';

export const keepTypes: TokenFilterType = {
  type: 'keep_types',
  options: ['types', 'mode'],
  needsOptions: true,
  create: (options) => {
    const types = new Set(readList(options, 'types') ?? []);
    const mode = (options.mode ?? 'include').toLowerCase();
    if (types.size === 0) throw illegalArgument('keep_types requires `types` to be configured');
    if (mode !== 'include' && mode !== 'exclude') {
      throw illegalArgument(`\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`);
    }
    const isIncluding = mode === 'include';
    return {
      name: 'keep_types',
      into(next) {
        let skipped = 0;
        return (term, start, end, increment, type, attributes) => {
          if (types.has(type) !== isIncluding) {
            skipped += increment;
            return;
          }
          next(term, start, end, increment + skipped, type, attributes);
          skipped = 0;
        };
      },
    };
  },
};
