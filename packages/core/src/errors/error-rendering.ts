/**
 * A `ShoalError` as the JSON that users see, and as the plain value that crosses 9300.
 *
 * Two shapes, one source: `{error: {root_cause, type, reason, …}, status}` for HTTP, `WireError` for the transport.
 */
import { type ErrorMetadata, ShoalError } from './shoal-error.ts';

type Json = Record<string, unknown>;

/** Inner object of an error: type, reason, metadata, details, caused_by. Without `root_cause`. */
export function renderCause(error: ShoalError, options: { readonly stack?: boolean } = {}): Json {
  const out: Json = { type: error.type, reason: error.reason, ...error.metadata, ...error.details };
  if (error.causedBy) out.caused_by = renderCause(error.causedBy, options);
  if (error.suppressed.length > 0) out.suppressed = error.suppressed.map((s) => renderCause(s, options));
  if (options.stack && error.stack) out.stack_trace = error.stack;
  return out;
}

/** The whole body of an HTTP error answer. */
export function renderErrorBody(error: ShoalError, options: { readonly stack?: boolean } = {}): Json {
  // A grouped failure stands for its causes: when no shard was there to fail, there is none to name.
  const isGrouped = error.details.grouped === true;
  const roots = error.rootCauses.length > 0 || isGrouped ? error.rootCauses : [error];
  const rootCause = roots.map((root) => {
    const { caused_by: _dropped, ...rest } = renderCause(root, options);
    return rest;
  });
  return { error: { root_cause: rootCause, ...renderCause(error, options) }, status: error.status };
}

/** A `ShoalError` as plain data for the wire. Depth is bounded by `CAUSE_DEPTH_MAX`. */
export interface WireError {
  readonly type: string;
  readonly reason: string | null;
  readonly status: number;
  readonly metadata: ErrorMetadata;
  readonly details: Readonly<Record<string, unknown>>;
  readonly causedBy: WireError | null;
  readonly rootCauses: readonly WireError[];
  readonly suppressed: readonly WireError[];
}

const CAUSE_DEPTH_MAX = 8;

export function toWireError(error: ShoalError, depth = 0): WireError {
  const deeper = depth < CAUSE_DEPTH_MAX;
  return {
    type: error.type,
    reason: error.reason,
    status: error.status,
    metadata: error.metadata,
    details: error.details,
    causedBy: error.causedBy && deeper ? toWireError(error.causedBy, depth + 1) : null,
    rootCauses: deeper ? error.rootCauses.map((root) => toWireError(root, depth + 1)) : [],
    suppressed: deeper ? error.suppressed.map((s) => toWireError(s, depth + 1)) : [],
  };
}

/** Reads what another node claims to be an error. Wrong shapes become a 500 that says so; never throws. */
export function fromWireError(value: unknown, depth = 0): ShoalError {
  if (typeof value !== 'object' || value === null || depth > CAUSE_DEPTH_MAX) {
    return new ShoalError('exception', 500, 'malformed error received from another node');
  }
  const v = value as Partial<Record<keyof WireError, unknown>>;
  const list = (x: unknown) => (Array.isArray(x) ? x.slice(0, 64).map((e) => fromWireError(e, depth + 1)) : []);
  const isStatus = typeof v.status === 'number' && v.status >= 400 && v.status <= 599;
  return new ShoalError(
    typeof v.type === 'string' ? v.type : 'exception',
    isStatus ? (v.status as number) : 500,
    typeof v.reason === 'string' ? v.reason : null,
    {
      metadata: typeof v.metadata === 'object' && v.metadata !== null ? (v.metadata as ErrorMetadata) : {},
      details: typeof v.details === 'object' && v.details !== null ? (v.details as Record<string, unknown>) : {},
      ...(v.causedBy ? { causedBy: fromWireError(v.causedBy, depth + 1) } : {}),
      rootCauses: list(v.rootCauses),
      suppressed: list(v.suppressed),
    },
  );
}
