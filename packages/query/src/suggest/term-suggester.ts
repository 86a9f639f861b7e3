/**
 * The `term` suggester: for each word of a text, words of the index that are spelled alike.
 */
import { type JsonObjectNode, parsingException, type ValueReader } from '@shoal/core';
import {
  type CommonOptions,
  parseCommonOption,
  readCommonOptions,
  suggestionsOfShard,
  withField,
} from './common-options.ts';
import {
  checkInspections,
  parseSpellingOption,
  readSpellingOptions,
  SPELLING_DEFAULTS,
  type SpellingOptions,
} from './spelling-options.ts';

export interface TermSuggester extends CommonOptions {
  readonly kind: 'term';
  readonly spelling: SpellingOptions;
}

export function parseTermSuggester(node: JsonObjectNode): TermSuggester {
  let common: Partial<CommonOptions> = {};
  let spelling = SPELLING_DEFAULTS;
  for (const member of node.members) {
    const { name, value } = member;
    if (value.kind === 'object' || value.kind === 'array' || value.kind === 'null') {
      throw parsingException(`suggester[term] parsing failed on [${name}]`, value.at);
    }
    const ofAll = parseCommonOption(member);
    const change = ofAll === null ? parseSpellingOption(member) : null;
    if (ofAll !== null) common = { ...common, ...ofAll };
    else if (change !== null) spelling = { ...spelling, ...change };
    else throw parsingException(`suggester[term] doesn't support field [${name}]`, value.at);
  }
  const options = withField(common);
  checkInspections(spelling, suggestionsOfShard(options));
  return { kind: 'term', ...options, spelling };
}

export function readTermSuggester(r: ValueReader): TermSuggester {
  return { kind: 'term', ...readCommonOptions(r), spelling: readSpellingOptions(r.object('spelling')) };
}
