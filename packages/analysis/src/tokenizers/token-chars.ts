/**
 * Option `token_chars` of the tokenizers `ngram` and `edge_ngram`: which characters belong to grams.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readList } from '../tokens/component-options.ts';

const CUSTOM = 'custom';

const CLASSES: ReadonlyMap<string, string> = new Map([
  ['symbol', '\\p{S}'],
  ['private_use', '\\p{Co}'],
  ['paragraph_separator', '\\p{Zp}'],
  ['start_punctuation', '\\p{Ps}'],
  ['unassigned', '\\p{Cn}'],
  ['enclosing_mark', '\\p{Me}'],
  ['connector_punctuation', '\\p{Pc}'],
  ['letter_number', '\\p{Nl}'],
  ['other_number', '\\p{No}'],
  ['math_symbol', '\\p{Sm}'],
  ['lowercase_letter', '\\p{Ll}'],
  ['space_separator', '\\p{Zs}'],
  ['surrogate', '\\p{Cs}'],
  ['initial_quote_punctuation', '\\p{Pi}'],
  ['decimal_digit_number', '\\p{Nd}'],
  ['digit', '\\p{Nd}'],
  ['other_punctuation', '\\p{Po}'],
  ['dash_punctuation', '\\p{Pd}'],
  ['currency_symbol', '\\p{Sc}'],
  ['non_spacing_mark', '\\p{Mn}'],
  ['format', '\\p{Cf}'],
  ['modifier_letter', '\\p{Lm}'],
  ['control', '\\p{Cc}'],
  ['uppercase_letter', '\\p{Lu}'],
  ['other_symbol', '\\p{So}'],
  ['end_punctuation', '\\p{Pe}'],
  ['modifier_symbol', '\\p{Sk}'],
  ['other_letter', '\\p{Lo}'],
  ['line_separator', '\\p{Zl}'],
  ['titlecase_letter', '\\p{Lt}'],
  ['letter', '\\p{L}'],
  ['punctuation', '\\p{P}'],
  ['whitespace', '\\t-\\r\\x1c-\\x20\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000'],
  ['final_quote_punctuation', '\\p{Pf}'],
  ['combining_spacing_mark', '\\p{Mc}'],
]);

/**
 * Runs of characters that grams are made of; null when every character belongs to one.
 *
 * @throws ShoalError illegal_argument_exception for unknown classes
 */
export function readTokenChars(options: ComponentOptions): RegExp | null {
  const custom = options.custom_token_chars;
  const names = readList(options, 'token_chars');
  if (names === null) return null;
  const members = names.map((name) => {
    if (name.toLowerCase().trim() === CUSTOM) {
      if (custom === undefined) throw illegalArgument(`Token type: 'custom' requires setting \`custom_token_chars\``);
      return custom.replace(/[\\\]^-]/g, '\\$&');
    }
    const members = CLASSES.get(name.toLowerCase().trim());
    if (members !== undefined) return members;
    const known = [...CLASSES.keys(), CUSTOM].join(', ');
    throw illegalArgument(`Unknown token type: '${name.toLowerCase()}', must be one of [${known}]`);
  });
  return members.length === 0 ? null : new RegExp(`[${members.join('')}]+`, 'gu');
}
