/**
 * Declaration of `constant_keyword`: one value for all documents of an index, declared or taken from the first document that has one.
 */
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { IMPLIED_INDEX, META, text } from '../contract/parameter-rule.ts';

export const CONSTANT_KEYWORD: DeclaredType = {
  parameters: new Map([
    ['meta', META],
    ['value', text(null, 'fromNull')],
  ]),
  implied: IMPLIED_INDEX,
  family: 'keyword',
  check: (name, { value }) => {
    if (value === undefined || value === null || typeof value === 'string' || typeof value === 'number') return;
    throw mapperParsing(`Property [value] on field [${name}] must be a number or a string, but got [${String(value)}]`);
  },
  settings: (value) => {
    const constant = value('value');
    return { ...NO_SETTINGS, constant: typeof constant === 'string' ? constant : null };
  },
  storedValue: (_value, { constant }) => constant,
};
