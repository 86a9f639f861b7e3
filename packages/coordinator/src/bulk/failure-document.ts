/**
 * The document that a failure index keeps of one that its data stream could not take: what was to be written, and why it was not.
 */
import { parseJson, RawJson, type ShoalError, writeJson } from '@shoal/core';
import type { FailureOrigin } from '@shoal/ingest';

export interface FailedDocument {
  /** Index as the write named it. */
  readonly index: string;
  /** null: the document failed before it had one. */
  readonly id: string | null;
  readonly routing: string | null;
  readonly source: Uint8Array;
  readonly error: ShoalError;
  /** Where in the pipelines it failed; null: in none. */
  readonly origin: FailureOrigin | null;
}

/** @throws json_parse_exception for a source that is no JSON, of which nothing can be kept */
export function failureDocument(failed: FailedDocument, nowMs: number): Uint8Array {
  const { index, id, routing, source, error, origin } = failed;
  parseJson(source);
  return writeJson({
    '@timestamp': new Date(nowMs).toISOString(),
    document: {
      ...(id === null ? {} : { id }),
      ...(routing === null ? {} : { routing }),
      index,
      source: new RawJson(source),
    },
    error: {
      type: error.type,
      message: error.reason,
      stack_trace: traceOf(error),
      ...(origin === null ? {} : originOf(origin)),
    },
  });
}

/** The error and its causes, one a line: what of this program they passed through tells users nothing. */
function traceOf(error: ShoalError): string {
  const lines: string[] = [];
  for (let at: ShoalError | undefined = error; at !== undefined; at = at.causedBy) {
    lines.push(`${lines.length === 0 ? '' : 'Caused by: '}${at.type}: ${at.reason}\n`);
  }
  return lines.join('');
}

function originOf({ pipelineTrace, processorType, processorTag }: FailureOrigin): Readonly<Record<string, unknown>> {
  const pipeline = pipelineTrace.at(-1);
  return {
    ...(pipeline === undefined ? {} : { pipeline_trace: pipelineTrace, pipeline }),
    ...(processorTag === null ? {} : { processor_tag: processorTag }),
    processor_type: processorType,
  };
}
