/**
 * Which parts of `_source` a request wants: `_source` of the body and the `_source*` URI parameters.
 */
import { type JsonNode, parsingException, tokenName } from '@shoal/core';
import { parseBooleanText, readBoolean, readStrings } from '../members/request-values.ts';
import type { SourceFilter } from './hit-options.ts';

export function parseSourceFilter(node: JsonNode): SourceFilter {
  switch (node.kind) {
    case 'boolean':
      return { enabled: node.value, includes: [], excludes: [] };
    case 'string':
      return textFilter(node.value);
    case 'array':
      return { enabled: true, includes: readStrings(node, '_source'), excludes: [] };
    case 'object': {
      let includes: readonly string[] = [];
      let excludes: readonly string[] = [];
      let excludesVectors = false;
      for (const { name, value } of node.members) {
        if (name === 'includes' || name === 'include') includes = readStrings(value, name);
        else if (name === 'excludes' || name === 'exclude') excludes = readStrings(value, name);
        else if (name === 'exclude_vectors') excludesVectors = readBoolean(value, name);
        else throw parsingException(`Unknown key for a ${tokenName(value)} in [${name}].`, value.at);
      }
      return withVectorChoice({ enabled: true, includes, excludes }, excludesVectors);
    }
    default:
      throw parsingException(`Expected one of [VALUE_BOOLEAN, START_OBJECT] but found [${tokenName(node)}]`, node.at);
  }
}

/** null when no parameter speaks of `_source`. Also for the get APIs, which have only these. */
export function sourceFilterOfParams(params: Readonly<Record<string, string>>): SourceFilter | null {
  const includes = params._source_includes ?? params._source_include;
  const excludes = params._source_excludes ?? params._source_exclude;
  const base = params._source === undefined ? null : textFilter(params._source);
  const vectors = params._source_exclude_vectors;
  if (base === null && includes === undefined && excludes === undefined && vectors === undefined) return null;
  const filter = {
    enabled: base?.enabled ?? true,
    includes: includes === undefined ? (base?.includes ?? []) : splitList(includes),
    excludes: excludes === undefined ? [] : splitList(excludes),
  };
  return withVectorChoice(filter, vectors !== undefined && parseBooleanText(vectors));
}

function withVectorChoice(filter: SourceFilter, excludesVectors: boolean): SourceFilter {
  return excludesVectors ? { ...filter, excludesVectors } : filter;
}

function textFilter(text: string): SourceFilter {
  if (text === 'true' || text === '') return { enabled: true, includes: [], excludes: [] };
  if (text === 'false') return { enabled: false, includes: [], excludes: [] };
  return { enabled: true, includes: splitList(text), excludes: [] };
}

function splitList(text: string): string[] {
  return text.split(',').filter((part) => part !== '');
}
