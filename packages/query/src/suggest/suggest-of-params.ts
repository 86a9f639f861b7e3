/**
 * `suggest_field` of a request's address: one `term` suggestion, named as its field.
 */
import { parseJsonTree, writeJson } from '@shoal/core';
import { parseSuggest } from './parse-suggest.ts';
import type { Suggestion } from './suggester.ts';

/** @returns null without `suggest_field` @throws as `parseSuggest` does */
export function suggestOfParams(params: Readonly<Record<string, string>>): readonly Suggestion[] | null {
  const field = params.suggest_field;
  if (field === undefined) return null;
  // Members that are undefined are not written: the suggester then takes its own defaults.
  const term = { field, size: params.suggest_size, suggest_mode: params.suggest_mode };
  const tree = parseJsonTree(writeJson({ [field]: { text: params.suggest_text ?? params.q, term } }));
  return tree === null ? null : parseSuggest(tree);
}
