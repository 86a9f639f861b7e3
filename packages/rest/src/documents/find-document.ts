/**
 * One document looked up by its id, for the APIs that show it or its source.
 */
import { type CoordinatorContext, type DocumentOutcome, executeGet } from '@shoal/coordinator';
import { ShoalError } from '@shoal/core';
import type { HttpRequest, ParameterDeclarations } from '@shoal/http';
import type { SourceFilter } from '@shoal/query';
import { READ_SOURCE_PARAMETERS, sourceFilterOf } from '../request/source-parameters.ts';
import { parseVersionType } from './write-options.ts';

/** Parameters of the APIs that look up the source of one document. */
export const GET_SOURCE_PARAMETERS: ParameterDeclarations = {
  ...READ_SOURCE_PARAMETERS,
  preference: 'string',
  realtime: 'boolean',
  refresh: 'boolean',
  routing: 'string',
};

/** Parameters of the APIs that look up one document. */
export const GET_PARAMETERS: ParameterDeclarations = {
  ...GET_SOURCE_PARAMETERS,
  stored_fields: 'list',
  version: 'long',
  version_type: 'string',
};

export interface FoundDocument {
  readonly outcome: Extract<DocumentOutcome, { kind: 'answered' }>;
  readonly filter: SourceFilter | null;
}

/** 409 when a document has another version than is wanted (of any type: a read compares alike); null when it is as wanted. */
export function versionConflict(
  { document, id, index }: FoundDocument['outcome'],
  wanted: number | null,
): ShoalError | null {
  const version = document?.version ?? null;
  if (wanted === null || version === null || version === wanted) return null;
  const reason = `[${id}]: version conflict, current version [${version}] is different than the one provided [${wanted}]`;
  return new ShoalError('version_conflict_engine_exception', 409, reason, { metadata: { index } });
}

/** @throws version_conflict_engine_exception when the request names another version than the document has */
export async function findDocument(request: HttpRequest, context: CoordinatorContext): Promise<FoundDocument> {
  const { params } = request;
  const found = { outcome: await findSource(request, context), filter: sourceFilterOf(params) };
  // Every type of version means the same to a reader: the one that it names.
  if (params.has('version_type')) parseVersionType(params.string('version_type'));
  const conflict = versionConflict(found.outcome, params.long('version'));
  if (conflict !== null) throw conflict;
  return found;
}

/** The document, whatever version it has. */
export async function findSource(request: HttpRequest, context: CoordinatorContext): Promise<FoundDocument['outcome']> {
  const { params } = request;
  const key = { index: params.required('index'), id: params.required('id'), routing: params.string('routing') };
  const options = { realtime: params.boolean('realtime', true), refresh: params.boolean('refresh', false) };
  return executeGet(context, key, options);
}
