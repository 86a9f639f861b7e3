/**
 * Tokenizer `classic`: words of European languages by the rules that Lucene had before Unicode's: acronyms, companies, hosts, mail
 * addresses and product numbers stay whole.
 */
import { lazy } from '@shoal/core';
import type { TokenizerType } from '../tokens/component-type.ts';
import type { TokenConsumer, TokenType } from '../tokens/token-consumer.ts';
import { maxTokenLength } from './token-runs.ts';

/** Characters of Chinese and Japanese: a token each. */
const IDEOGRAPH =
  '\\u3040-\\u318f\\u31f0-\\u31ff\\u3300-\\u337f\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff65-\\uff9f';

const LETTER = `(?:(?![${IDEOGRAPH}])\\p{L})`;
/** A letter or digit; Thai words have marks too. */
const LETTERS_AND_DIGITS = `(?:(?![${IDEOGRAPH}])[\\p{L}\\p{Nd}\\u0e00-\\u0e59])+`;
const WITH_DIGIT = `(?=${LETTER}*\\p{Nd})(?:(?![${IDEOGRAPH}])[\\p{L}\\p{Nd}])+`;
const JOINER = '[_\\-/.,]';
/** Two parts, of which the first, or the second, has a digit; any other part behind them may again be without. */
const NUMBER_PAIR = (first: string, second: string): string =>
  `${first}${JOINER}${second}(?:${JOINER}${first}${JOINER}${second})*(?:${JOINER}${first})?`;

/** Rules in the order in which they win where two find tokens of one length. */
const rules = lazy((): readonly (readonly [TokenType, RegExp])[] => [
  ['<ALPHANUM>', sticky(LETTERS_AND_DIGITS)],
  ['<APOSTROPHE>', sticky(`${LETTER}+(?:'${LETTER}+)+`)],
  ['<ACRONYM>', sticky(`${LETTER}\\.(?:${LETTER}\\.)+`)],
  ['<COMPANY>', sticky(`${LETTER}+[&@]${LETTER}+`)],
  [
    '<EMAIL>',
    sticky(`${LETTERS_AND_DIGITS}(?:[._-]${LETTERS_AND_DIGITS})*@${LETTERS_AND_DIGITS}(?:[.-]${LETTERS_AND_DIGITS})+`),
  ],
  ['<HOST>', sticky(`${LETTERS_AND_DIGITS}(?:\\.${LETTERS_AND_DIGITS})+`)],
  ['<NUM>', sticky(NUMBER_PAIR(LETTERS_AND_DIGITS, WITH_DIGIT))],
  ['<NUM>', sticky(NUMBER_PAIR(WITH_DIGIT, LETTERS_AND_DIGITS))],
  ['<CJ>', sticky(`[${IDEOGRAPH}]`)],
  ['<ACRONYM_DEP>', sticky(`${LETTERS_AND_DIGITS}\\.(?:${LETTERS_AND_DIGITS}\\.)+`)],
]);

/** Characters that a token may begin with. */
const tokenStart = lazy(() => new RegExp(`[\\p{L}\\p{Nd}\\u0e00-\\u0e59${IDEOGRAPH}]`, 'gu'));

function sticky(source: string): RegExp {
  return new RegExp(source, 'uy');
}

export const classicTokenizer: TokenizerType = {
  type: 'classic',
  options: ['max_token_length'],
  create: (options) => {
    const lengthMax = maxTokenLength(options);
    return { name: 'classic', tokenize: (text, consume) => tokenize(text, lengthMax, consume) };
  },
};

function tokenize(text: string, lengthMax: number, consume: TokenConsumer): void {
  // A token that is too long leaves a gap.
  let increment = 1;
  for (let at = nextStart(text, 0); at >= 0; ) {
    const { type, end } = longestToken(text, at);
    if (end - at > lengthMax) increment++;
    else {
      emit(text, at, { type, end, increment }, consume);
      increment = 1;
    }
    at = nextStart(text, Math.max(end, at + 1));
  }
}

/** Position of the next character that a token may begin with; -1 when there is none. */
function nextStart(text: string, from: number): number {
  const start = tokenStart();
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

interface FoundToken {
  readonly type: TokenType;
  readonly end: number;
}

function longestToken(text: string, at: number): FoundToken {
  let found: FoundToken = { type: '<ALPHANUM>', end: at };
  for (const [type, rule] of rules()) {
    rule.lastIndex = at;
    if (rule.test(text) && rule.lastIndex > found.end) found = { type, end: rule.lastIndex };
  }
  return found;
}

/** What looks like an acronym of several letters is a host with a full stop behind it. */
function emit(
  text: string,
  start: number,
  { type, end, increment }: FoundToken & { readonly increment: number },
  consume: TokenConsumer,
): void {
  if (type === '<ACRONYM_DEP>') consume(text.slice(start, end - 1), start, end, increment, '<HOST>');
  else consume(text.slice(start, end), start, end, increment, type);
}
