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

/**
 * Wanted part of the source; null when the request does not say. For routes that declare `stored_fields` beside
 * `SOURCE_PARAMETERS`: a request that names stored fields gets the source only when it is among them.
 */
export function sourceFilterOf(params: RequestParameters): SourceFilter | null {
  const filter = sourceFilterOfParams(Object.fromEntries(params.entries()));
  if (filter !== null || !params.has('stored_fields')) return filter;
  return { enabled: params.list('stored_fields').includes('_source'), includes: [], excludes: [] };
}
