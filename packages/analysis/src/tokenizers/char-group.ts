/**
 * Tokenizer `char_group`: cuts a text at the characters of a set.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readList } from '../tokens/component-options.ts';
import type { TokenizerType } from '../tokens/component-type.ts';
import { maxRunLength, tokenizeRuns } from './token-runs.ts';

/** Members of a class in brackets, by the names of `tokenize_on_chars`. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['letter', '\\p{L}'],
  ['digit', '\\p{Nd}'],
  ['whitespace', '\\t-\\r\\x1c-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000'],
  ['punctuation', '\\p{P}'],
  ['symbol', '\\p{S}'],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\\\', '\\\\'],
  ['\\n', '\\n'],
  ['\\t', '\\t'],
  ['\\r', '\\r'],
  ['\\b', '\\x08'],
  ['\\f', '\\f'],
]);

export const charGroupTokenizer: TokenizerType = {
  type: 'char_group',
  options: ['tokenize_on_chars', 'max_token_length'],
  create: (options) => {
    const part = partOfToken(options);
    const length = maxRunLength(options);
    return { name: 'char_group', tokenize: (text, consume) => tokenizeRuns(text, part, length, consume) };
  },
};

function partOfToken(options: ComponentOptions): RegExp {
  const members = (readList(options, 'tokenize_on_chars') ?? []).map((name) => {
    const members = CLASSES.get(name) ?? ESCAPES.get(name);
    if (members !== undefined) return members;
    if (name.length === 1) return `\\u{${name.charCodeAt(0).toString(16)}}`;
    const [, code] = /^\\u([0-9a-fA-F]{4})$/.exec(name) ?? [];
    if (code !== undefined) return `\\u${code}`;
    throw illegalArgument(`Invalid escaped char in [${name}]`);
  });
  return members.length === 0 ? /[\s\S]/u : new RegExp(`[^${members.join('')}]`, 'u');
}
