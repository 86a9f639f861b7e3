/**
 * Body of `_analyze`: the tokens, or with `explain` the tokens after each step.
 */
import type { AnalyzeDetail, AnalyzedStep, AnalyzedToken, AnalyzeResponse } from '@shoal/protocol';

type Json = Readonly<Record<string, unknown>>;

/** @param attributes token attributes wanted in the detail; empty: all */
export function analyzeBody(response: AnalyzeResponse, attributes: readonly string[]): Json {
  return response.kind === 'tokens'
    ? { tokens: response.tokens.map(tokenBody) }
    : { detail: detailBody(response.detail, attributes) };
}

function tokenBody(token: AnalyzedToken): Json {
  return {
    ...tokenHead(token),
    ...(token.positionLength > 1 ? { positionLength: token.positionLength } : {}),
  };
}

function tokenHead(token: AnalyzedToken): Json {
  return {
    token: token.token,
    start_offset: token.startOffset,
    end_offset: token.endOffset,
    type: token.type,
    position: token.position,
  };
}

function detailBody(detail: AnalyzeDetail, attributes: readonly string[]): Json {
  const step = (of: AnalyzedStep): Json => ({
    name: of.name,
    tokens: of.tokens.map((token) => ({ ...tokenHead(token), ...attributesBody(token, attributes) })),
  });
  if (detail.analyzer !== null) return { custom_analyzer: false, analyzer: step(detail.analyzer) };
  return {
    custom_analyzer: true,
    charfilters: detail.charFilters.map((filter) => ({ name: filter.name, filtered_text: filter.filteredText })),
    ...(detail.tokenizer === null ? {} : { tokenizer: step(detail.tokenizer) }),
    tokenfilters: detail.tokenFilters.map(step),
  };
}

/** By name, as Elasticsearch lists them. */
function attributesBody(token: AnalyzedToken, wanted: readonly string[]): Json {
  const all: Json = { ...token.attributes, positionLength: token.positionLength };
  const names = Object.keys(all).sort();
  return Object.fromEntries(
    names.filter((name) => wanted.length === 0 || wanted.includes(name)).map((name) => [name, all[name]]),
  );
}
