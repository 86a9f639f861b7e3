/**
 * Suggestions of a search in Elasticsearch's shape: entries by name, and the options of each.
 */
import type { MergedOption, SearchSuggestions } from '@shoal/coordinator';
import { FloatNumber, RawJson, unreachable } from '@shoal/core';

type Json = Readonly<Record<string, unknown>>;

/** A value for `writeJson`. @param typedKeys names carry the kind of their suggester */
export function suggestJson({ merged, indices }: SearchSuggestions, typedKeys: boolean): Json {
  return Object.fromEntries(
    merged.map(({ suggestion: { name, suggester }, entries }) => [
      typedKeys ? `${suggester.kind}#${name}` : name,
      entries.map(({ text, offset, length, options }) => ({
        text,
        offset,
        length,
        options: options.map((option) => optionJson(option, indices)),
      })),
    ]),
  );
}

function optionJson({ option, position }: MergedOption, indices: readonly string[]): Json {
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
