/** The body of a pipeline as it is sent, kept and shown. */
import { jsonText, parseEventJson } from '@shoal/agent-event';
import type { IngestPipeline } from '@shoal/cluster-state';
import { parseJson, RawJson, ShoalError } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import type { DocumentMap } from '@shoal/ingest';

/** The object in the body, every number in the kind in which it was written. @throws parse_exception without one */
export function exactBody(request: HttpRequest): DocumentMap {
  if (request.body === null || request.body.length === 0) {
    throw new ShoalError('parse_exception', 400, 'request body or source parameter is required');
  }
  // Says what is wrong and where, and refuses names that stand twice.
  parseJson(request.body);
  const body = parseEventJson(request.body);
  if (body instanceof Map) return body;
  throw new ShoalError('parse_exception', 400, 'request body is required to be a JSON object');
}

/** JSON under which a configuration is kept. */
export function keptConfig(config: DocumentMap): string {
  return jsonText(config);
}

export function pipelineBody({ config }: IngestPipeline): RawJson {
  return new RawJson(Buffer.from(config, 'utf8'));
}
