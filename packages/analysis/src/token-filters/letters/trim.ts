/**
 * Token filter `trim`: white space around a term goes.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';

/** White space as Java knows it: no-break spaces are part of a word. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000]+';
const AROUND = new RegExp(`^${SPACE}|${SPACE}$`, 'g');

export const trim: TokenFilterType = {
  type: 'trim',
  options: [],
  create: () => mapLetters('trim', (term) => term.replaceAll(AROUND, '')),
};
