/**
 * Token filter `fingerprint`: the distinct terms of a text in their order, joined to one token.
 */
import { illegalArgument } from '@shoal/core';
import { readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { StreamEnd, TokenFilter } from '../../tokens/token-stage.ts';

const MAX_OUTPUT_SIZE_DEFAULT = 255;
const SEPARATOR_DEFAULT = ' ';

export interface FingerprintOptions {
  readonly separator: string;
  /** Longest fingerprint, in UTF-16 units; a text with a longer one has none. */
  readonly sizeMax: number;
}

/** @throws ShoalError illegal_argument_exception for a separator of more than one character */
export function readFingerprintOptions(options: Readonly<Record<string, string>>): FingerprintOptions {
  const { separator = SEPARATOR_DEFAULT } = options;
  if (separator.length !== 1) {
    throw illegalArgument(`Setting [separator] must be a single, non-null character. [${separator}] was provided.`);
  }
  return { separator, sizeMax: readInteger(options, 'max_output_size', MAX_OUTPUT_SIZE_DEFAULT) };
}

export const fingerprint: TokenFilterType = {
  type: 'fingerprint',
  options: ['separator', 'max_output_size'],
  create: (options) => fingerprintFilter(readFingerprintOptions(options)),
};

export function fingerprintFilter(options: FingerprintOptions): TokenFilter {
  return { name: 'fingerprint', inSynonymRules: 'refused', transform: (tokens, end) => joined(tokens, end, options) };
}

function* joined(tokens: Iterable<Token>, end: StreamEnd, { separator, sizeMax }: FingerprintOptions): Iterable<Token> {
  const terms = new Set<string>();
  let size = 0;
  for (const token of tokens) {
    if (terms.has(token.term) || size > sizeMax) continue;
    terms.add(token.term);
    size += token.term.length + (terms.size > 1 ? separator.length : 0);
  }
  // Behind the fingerprint, or where it would be, stands a place of its own.
  end.increment = 1;
  if (terms.size === 0 || size > sizeMax) return;
  const term = [...terms].sort(byCodeUnits).join(separator);
  const place = { start: 0, end: end.offset, increment: 1, positionLength: 1 };
  yield { term, ...place, type: 'fingerprint', isKeyword: false, payload: null };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
