/**
 * Parameters that say which part of a document is wanted.
 */
import type { ParameterDeclarations, RequestParameters } from '@shoal/http';
import { type SourceFilter, sourceFilterOfParams } from '@shoal/query';

export const SOURCE_PARAMETERS: ParameterDeclarations = {
  _source: 'string',
  _source_includes: 'string',
  _source_excludes: 'string',
};

/** Parameters of the APIs that read documents without writing them. */
export const READ_SOURCE_PARAMETERS: ParameterDeclarations = {
  ...SOURCE_PARAMETERS,
  _source_exclude_vectors: 'boolean',
};

/** Part of the source that the parameters of the source alone name; null when they do not say. */
export function namedSourceOf(params: RequestParameters): SourceFilter | null {
  return sourceFilterOfParams(Object.fromEntries(params.entries()));
}

/**
 * Wanted part of the source; null when the request does not say. For routes that declare `stored_fields` beside
 * `SOURCE_PARAMETERS`: a request that names stored fields gets the source only when it is among them.
 */
export function sourceFilterOf(params: RequestParameters): SourceFilter | null {
  const filter = namedSourceOf(params);
  if (filter !== null || !params.has('stored_fields')) return filter;
  return { enabled: params.list('stored_fields').includes('_source'), includes: [], excludes: [] };
}
