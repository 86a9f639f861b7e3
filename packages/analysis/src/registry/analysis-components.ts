/**
 * Char filters, tokenizers and token filters by name, built in or declared by an index with a type and options.
 */
import { type ConfigFiles, illegalArgument, type ShoalError } from '@shoal/core';
import type { ComponentOptions } from '../tokens/component-options.ts';
import type { ComponentContext } from '../tokens/component-type.ts';
import { withListFiles } from '../tokens/list-files.ts';
import type { CharFilter, TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { CHAR_FILTER_TYPES } from './char-filter-types.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';
import { TOKENIZER_TYPES } from './tokenizer-types.ts';

/** What all kinds of components have that are named by a type. */
interface NamedType {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly needsOptions?: boolean;
}

/** The type of this name, or that had it in older versions; null when there is none. */
export function typeNamed<T extends NamedType>(types: readonly T[], name: string): T | null {
  return types.find(({ type, aliases }) => type === name || aliases?.includes(name) === true) ?? null;
}

/** null when `name` is neither declared nor built in. */
export function createCharFilter(
  name: string,
  declared: ComponentOptions | null,
  files: ConfigFiles,
): CharFilter | null {
  const type = typeFor(CHAR_FILTER_TYPES, 'char_filter', name, declared);
  return type?.create(withListFiles(declared ?? {}, type, files), name) ?? null;
}

/** null when `name` is neither declared nor built in. */
export function createTokenizer(
  name: string,
  declared: ComponentOptions | null,
  context: ComponentContext,
): Tokenizer | null {
  const made = typeFor(TOKENIZER_TYPES, 'tokenizer', name, declared)?.create(declared ?? {}, context);
  return made === undefined ? null : { ...made, name };
}

/** null when `name` is neither declared nor built in. */
export function createTokenFilter(
  name: string,
  declared: ComponentOptions | null,
  context: ComponentContext,
): TokenFilter | null {
  const type = typeFor(TOKEN_FILTER_TYPES, 'filter', name, declared);
  if (type === null) return null;
  const options = declared === null ? (type.undeclared ?? {}) : withListFiles(declared, type, context.files);
  return { ...type.create(options, context, name), name };
}

/** @throws ShoalError illegal_argument_exception for a declared type that there is not, or a name that needs options */
function typeFor<T extends NamedType>(
  types: readonly T[],
  group: string,
  name: string,
  declared: ComponentOptions | null,
): T | null {
  const type = declared?.type ?? name;
  const found = typeNamed(types, type);
  if (found === null && declared !== null) throw unknownType(group, type, name);
  if (declared === null && found?.needsOptions === true) {
    throw illegalArgument("Analysis settings required - can't instantiate analysis factory");
  }
  return found;
}

function unknownType(group: string, type: string, name: string): ShoalError {
  return illegalArgument(`Unknown ${group} type [${type}] for [${name}]`);
}
