/**
 * Tokenizer `uax_url_email`: words as the standard tokenizer cuts them, but web and mail addresses stay whole.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { TokenConsumer, TokenType } from '../tokens/token-consumer.ts';
import { createWordClasses, type WordClasses } from '../tokens/word-classes.ts';
import { WordScanner } from './standard.ts';
import { maxTokenLength } from './token-runs.ts';
import { emailLength, urlLength } from './web-addresses.ts';

/** Characters that an address may begin with. */
const ADDRESS_START = /[!-~]/;

const MAIL_SCHEME = 'mailto';

export const uaxUrlEmailTokenizer: TokenizerType = {
  type: 'uax_url_email',
  options: ['max_token_length'],
  create: (options) => {
    const classes = createWordClasses();
    const lengthMax = maxTokenLength(options);
    return { name: 'uax_url_email', tokenize: (text, consume) => tokenize(text, { classes, lengthMax }, consume) };
  },
};

function tokenize(
  text: string,
  { classes, lengthMax }: { readonly classes: WordClasses; readonly lengthMax: number },
  consume: TokenConsumer,
): void {
  const words = new WordScanner(text, classes, lengthMax);
  for (let at = 0; at < text.length; ) {
    let end = words.endOfTokenAt(at);
    let type = words.type;
    if (ADDRESS_START.test(text.charAt(at))) {
      // No token is longer, so that an address that goes on is as long as it can be.
      const address = addressAt(text.slice(at, at + lengthMax), end - at);
      if (address !== null) {
        end = at + address.length;
        type = address.type;
      }
    }
    if (end > at) {
      consume(text.slice(at, end), at, end, 1, type);
      at = end;
    } else at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
}

/** The token other than a word that a text begins with, null where the word is longer. */
function addressAt(text: string, wordLength: number): { readonly length: number; readonly type: TokenType } | null {
  const url = urlLength(text);
  const email = emailLength(text);
  if (text.slice(0, MAIL_SCHEME.length + 1).toLowerCase() === `${MAIL_SCHEME}:`) {
    const length = MAIL_SCHEME.length;
    if (emailLength(text.slice(length + 1)) > 0) return { length, type: '<ALPHANUM>' };
  }
  if (url >= Math.max(email, wordLength, 1)) return { length: url, type: '<URL>' };
  return email >= Math.max(wordLength, 1) ? { length: email, type: '<EMAIL>' } : null;
}
