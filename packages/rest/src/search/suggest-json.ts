/**
 * Suggestions of a search in Elasticsearch's shape: entries by name, and the options of each.
 */
import type { MergedOption, SearchSuggestions } from '@shoal/coordinator';
import { FloatNumber, RawJson, unreachable } from '@shoal/core';
import { SINGLE_TYPE } from '../request/single-type.ts';

type Json = Readonly<Record<string, unknown>>;

interface SuggestRenderOptions {
  /** Names carry the kind of their suggester. */
  readonly typedKeys: boolean;
  /** Documents show the mapping type, as version 7 does. */
  readonly withTypes: boolean;
}

/** A value for `writeJson`. */
export function suggestJson(
  { merged, indices }: SearchSuggestions,
  { typedKeys, withTypes }: SuggestRenderOptions,
): Json {
  const type = withTypes ? SINGLE_TYPE : undefined;
  return Object.fromEntries(
    merged.map(({ suggestion: { name, suggester }, entries }) => [
      typedKeys ? `${suggester.kind}#${name}` : name,
      entries.map(({ text, offset, length, options }) => ({
        text,
        offset,
        length,
        options: options.map((option) => optionJson(option, indices, type)),
      })),
    ]),
  );
}

function optionJson({ option, position }: MergedOption, indices: readonly string[], type: string | undefined): Json {
  const { text } = option;
  const score = new FloatNumber(option.score);
  switch (option.kind) {
    case 'term':
      return { text, score, freq: option.freq };
    case 'phrase':
      return {
        text,
        highlighted: option.highlighted ?? undefined,
        score,
        collate_match: option.isCollateMatch ?? undefined,
      };
    case 'completion': {
      const { id, routing, source } = option.document;
      const contexts = option.contexts.map(({ name, values }) => [name, values]);
      return {
        text,
        _index: indices[position],
        _type: type,
        _id: id,
        _score: score,
        _routing: routing ?? undefined,
        _source: source === null ? undefined : new RawJson(source),
        contexts: contexts.length === 0 ? undefined : Object.fromEntries(contexts),
      };
    }
    default:
      return unreachable(option);
  }
}
