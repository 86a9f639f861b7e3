/**
 * `suggest` of a search body: suggestions by name, and a text that all of them share.
 */
import {
  illegalArgument,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  parsingException,
  ShoalError,
  tokenName,
} from '@shoal/core';
import { readString } from '../members/request-values.ts';
import { parseCompletionSuggester } from './completion-suggester.ts';
import { parsePhraseSuggester } from './phrase-suggester.ts';
import { SUGGESTIONS_MAX, type Suggester, type Suggestion } from './suggester.ts';
import { parseTermSuggester } from './term-suggester.ts';

const SUGGESTERS: ReadonlyMap<string, (node: JsonObjectNode) => Suggester> = new Map<
  string,
  (node: JsonObjectNode) => Suggester
>([
  ['term', parseTermSuggester],
  ['phrase', parsePhraseSuggester],
  ['completion', parseCompletionSuggester],
]);

/** @throws ShoalError with the type, text, line and column that Elasticsearch gives */
export function parseSuggest(node: JsonNode): readonly Suggestion[] {
  if (node.kind === 'null') return [];
  if (node.kind !== 'object') {
    throw parsingException(`Unknown key for a ${tokenName(node)} in [suggest].`, node.at);
  }
  let sharedText: string | null = null;
  const suggestions = new Map<string, Suggestion>();
  for (const { name, value } of node.members) {
    if (value.kind === 'object') {
      if (suggestions.has(name)) throw illegalArgument(`already added another suggestion with name [${name}]`);
      suggestions.set(name, parseSuggestion(name, value));
    } else if (value.kind === 'array' || value.kind === 'null') {
      throw parsingException(`unexpected token [${tokenName(value)}] after [${name}]`, value.at);
    } else if (name === 'text') sharedText = readString(value, name);
    else throw illegalArgument(`[suggest] does not support [${name}]`);
  }
  if (suggestions.size > SUGGESTIONS_MAX)
    throw illegalArgument(`more than ${SUGGESTIONS_MAX} suggestions in [suggest]`);
  return [...suggestions.values()].map((one) => ({ ...one, text: one.text ?? sharedText }));
}

function parseSuggestion(name: string, node: JsonObjectNode): Suggestion {
  const texts: { text: string | null; prefix: string | null; regex: string | null } = {
    text: null,
    prefix: null,
    regex: null,
  };
  let suggester: Suggester | null = null;
  for (const member of node.members) {
    const { value } = member;
    if (value.kind === 'object') suggester = parseSuggester(member, value);
    else if (member.name === 'text' || member.name === 'prefix' || member.name === 'regex') {
      if (value.kind !== 'null') texts[member.name] = readString(value, member.name);
    } else if (value.kind === 'array' ? value.items.length > 0 : value.kind !== 'null')
      throw parsingException(`suggestion does not support [${member.name}]`, value.at);
  }
  if (suggester === null) throw new ShoalError('parse_exception', 400, 'missing suggestion object');
  return {
    name,
    ...texts,
    text: texts.text ?? texts.prefix ?? texts.regex,
    prefix: texts.prefix ?? texts.text,
    suggester,
  };
}

function parseSuggester({ name }: JsonMember, node: JsonObjectNode): Suggester {
  const parse = SUGGESTERS.get(name);
  if (parse !== undefined) return parse(node);
  const { line, col } = node.at;
  throw new ShoalError('named_object_not_found_exception', 400, `[${line}:${col}] unknown field [${name}]`);
}
