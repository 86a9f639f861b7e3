/**
 * Names of indices and aliases: which are allowed, with the texts that Elasticsearch gives for those that are not.
 */
import { ShoalError } from '@shoal/core';

export const FORBIDDEN: readonly string[] = ['\\', '/', '*', '?', '"', '<', '>', '|', ' ', ','];
/** Characters that no name may have, in the order in which Elasticsearch prints them. */
export const FORBIDDEN_SHOWN = '[ , ", *, \\, <, |, ,, >, /, ?]';
export const NAME_BYTES_MAX = 255;

/** Throws `invalid_index_name_exception`. */
export function checkIndexName(name: string): void {
  const why = whyForbidden(name) ?? (name === name.toLowerCase() ? null : 'must be lowercase');
  if (why !== null) throw invalidIndexName(name, why);
}

export function invalidIndexName(name: string, why: string): ShoalError {
  return new ShoalError('invalid_index_name_exception', 400, `Invalid index name [${name}], ${why}`, {
    metadata: { index: name, index_uuid: '_na_' },
  });
}

/** Throws `invalid_alias_name_exception`. */
export function checkAliasName(name: string): void {
  const why = whyForbidden(name);
  if (why !== null) throw invalidAliasName(name, why);
}

export function invalidAliasName(name: string, why: string): ShoalError {
  return new ShoalError('invalid_alias_name_exception', 400, `Invalid alias name [${name}]: ${why}`, {
    metadata: { index: name, index_uuid: '_na_' },
  });
}

/** Why no index, alias or data stream may have the name; null when one may. */
export function whyForbidden(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (FORBIDDEN.some((character) => name.includes(character))) {
    return `must not contain the following characters ${FORBIDDEN_SHOWN}`;
  }
  if (name.includes('#')) return "must not contain '#'";
  if (name.includes(':')) return "must not contain ':'";
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'";
  const bytes = Buffer.byteLength(name, 'utf8');
  if (bytes > NAME_BYTES_MAX) return `index name is too long, (${bytes} > ${NAME_BYTES_MAX})`;
  if (name === '.' || name === '..') return "must not be '.' or '..'";
  return null;
}
