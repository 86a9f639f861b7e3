/**
 * Declaration of `match_only_text`: analyzed words without lengths, whose matches all score alike.
 */
import type { DeclaredType } from '../contract/declared-type.ts';
import { IMPLIED_INDEX, META, text } from '../contract/parameter-rule.ts';
import { TEXT } from '../text/text.ts';

export const MATCH_ONLY_TEXT: DeclaredType = {
  ...TEXT,
  parameters: new Map([
    ['meta', META],
    ['analyzer', text('default')],
    ['search_analyzer', text(null, 'always')],
    ['search_quote_analyzer', text(null, 'always')],
  ]),
  implied: new Map([
    ...IMPLIED_INDEX,
    ['doc_values', false],
    ['norms', false],
    ['index_options', 'positions'],
    ['position_increment_gap', 100],
    ['similarity', 'boolean'],
  ]),
  family: 'text',
  check: () => {},
};
