/**
 * Tokenizers and token filters by name, built in or declared by an index with a type and options.
 */
import { illegalArgument } from '@shoal/core';
import type { ComponentOptions } from '../tokens/component-options.ts';
import type { TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';
import { TOKENIZER_TYPES } from './tokenizer-types.ts';

/** null when `name` is neither declared nor built in. */
export function createTokenizer(name: string, declared: ComponentOptions | null): Tokenizer | null {
  const type = declared?.type ?? name;
  const found = TOKENIZER_TYPES.find((known) => known.type === type);
  if (found !== undefined) return found.create(declared ?? {});
  if (declared !== null) throw illegalArgument(`Unknown tokenizer type [${type}] for [${name}]`);
  return null;
}

/** null when `name` is neither declared nor built in. */
export function createTokenFilter(name: string, declared: ComponentOptions | null): TokenFilter | null {
  const type = declared?.type ?? name;
  const found = TOKEN_FILTER_TYPES.find((known) => known.type === type);
  if (found !== undefined) return { ...found.create(declared ?? {}), name };
  if (declared !== null) throw illegalArgument(`Unknown filter type [${type}] for [${name}]`);
  return null;
}
