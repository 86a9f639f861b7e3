/**
 * Refusals of queries on terms of text by fields that have none.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import type { PatternQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';

/** True for a field whose terms are texts, or have a form that is one. */
export function hasPatterns(field: FieldMapping): boolean {
  return fieldType(field.kind).textQueries !== 'none' || shownTerm(field) !== null;
}

/** Form of a field's terms that patterns are about; null: the terms themselves. */
export function shownTerm({ kind }: FieldMapping): ((term: Uint8Array) => Uint8Array) | null {
  return fieldType(kind).shownTerm ?? null;
}

/** 400: only fields with terms of text have patterns. */
export function notForPattern(
  { shard }: Pick<CompileContext, 'shard'>,
  { path, kind }: FieldMapping,
  pattern: PatternQuery['kind'],
): ShoalError {
  const kinds = pattern === 'regexp' ? 'keyword and text' : 'keyword, text and wildcard';
  return queryShardError(
    shard,
    `Can only use ${pattern} queries on ${kinds} fields - not on [${path}] which is of type [${kind}]`,
  );
}

/** 400: only fields with terms of text have terms near each other. */
export function notForFuzzy({ path, kind }: FieldMapping): ShoalError {
  return illegalArgument(
    `Can only use fuzzy queries on keyword and text fields - not on [${path}] which is of type [${kind}]`,
  );
}

/** 400: a phrase needs a field that knows where words stand. */
export function notForPhrase({ path, kind }: { readonly path: string; readonly kind: string }): ShoalError {
  return illegalArgument(`Can only use phrase queries on text fields - not on [${path}] which is of type [${kind}]`);
}

/** 400: a phrase prefix needs a field whose texts are cut into words. */
export function notForPhrasePrefix({ path, kind }: { readonly path: string; readonly kind: string }): ShoalError {
  return illegalArgument(
    `Can only use phrase prefix queries on text fields - not on [${path}] which is of type [${kind}]`,
  );
}
