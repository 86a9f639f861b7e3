/**
 * Distrustful reader of a suggestion that another node packed.
 */
import { type ItemReader, unreachable, ValueReader } from '@shoal/core';
import { readCompletionSuggester } from './completion-suggester.ts';
import { readPhraseSuggester } from './phrase-suggester.ts';
import type { Suggester, Suggestion } from './suggester.ts';
import { readTermSuggester } from './term-suggester.ts';

const KINDS = ['term', 'phrase', 'completion'] as const;

export const readSuggestion: ItemReader<Suggestion> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    name: r.string('name'),
    text: r.optionalString('text'),
    prefix: r.optionalString('prefix'),
    regex: r.optionalString('regex'),
    suggester: readSuggester(r.object('suggester')),
  };
};

function readSuggester(r: ValueReader): Suggester {
  const kind = r.oneOf('kind', KINDS);
  switch (kind) {
    case 'term':
      return readTermSuggester(r);
    case 'phrase':
      return readPhraseSuggester(r);
    case 'completion':
      return readCompletionSuggester(r);
    default:
      return unreachable(kind);
  }
}
