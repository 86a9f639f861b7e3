/**
 * A `ShoalError` from the error body of the REST API: the reverse of `renderErrorBody`.
 */
import { type ErrorMetadata, type ItemReader, ShoalError, ValueReader } from '@shoal/core';

/** Causes within causes that are read. */
const DEPTH_MAX = 8;
const ROOT_CAUSES_MAX = 64;
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'type',
  'reason',
  'root_cause',
  'caused_by',
  'suppressed',
  'stack_trace',
]);

/** @param body with an `error`, an object or (for requests that no handler took) a text */
export function errorOfBody(body: ValueReader, status: number): ShoalError {
  const error = body.raw('error');
  const shown = status >= 400 ? status : 500;
  if (typeof error === 'string') return new ShoalError('exception', shown, error);
  return errorOf(body.object('error'), shown, 0);
}

function errorOf(r: ValueReader, status: number, depth: number): ShoalError {
  const { metadata, details } = extrasOf(r);
  const read: ItemReader<ShoalError> = (value, field) => errorOf(ValueReader.of(value, field), status, depth + 1);
  const goesOn = depth < DEPTH_MAX;
  const causedBy = goesOn ? r.optional('caused_by', read) : null;
  const list = (field: string): readonly ShoalError[] =>
    goesOn && r.has(field) ? r.list(field, read, ROOT_CAUSES_MAX) : [];
  return new ShoalError(r.string('type'), status, r.optionalString('reason'), {
    metadata,
    details,
    ...(causedBy === null ? {} : { causedBy }),
    rootCauses: list('root_cause'),
    suppressed: list('suppressed'),
  });
}

/** Flat values are metadata, such as `index`; everything else is a detail, such as `failed_shards`. */
function extrasOf(r: ValueReader): { readonly metadata: ErrorMetadata; readonly details: Record<string, unknown> } {
  const metadata: Record<string, string | number | boolean | null> = {};
  const details: Record<string, unknown> = {};
  for (const key of r.fields()) {
    if (KNOWN_KEYS.has(key)) continue;
    const value = r.raw(key);
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      metadata[key] = value;
    } else details[key] = value;
  }
  return { metadata, details };
}
