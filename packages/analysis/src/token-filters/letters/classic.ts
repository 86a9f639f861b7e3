/**
 * Token filter `classic`: takes `'s` off words and the dots out of acronyms, as the tokenizer `classic` marks them.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const classic: TokenFilterType = { type: 'classic', options: [], create: classicFilter };

function classicFilter(): TokenFilter {
  return {
    name: 'classic',
    into: (next) => (term, start, end, increment, type, attributes) => {
      let plain = term;
      if (type === '<APOSTROPHE>' && /'s$/i.test(term)) plain = term.slice(0, -2);
      else if (type === '<ACRONYM>') plain = term.replaceAll('.', '');
      next(plain, start, end, increment, type, attributes);
    },
  };
}
