/**
 * The one error that crosses all borders: engine to shard, 9300 to another node, 9200 to the user.
 *
 * Types and texts are Elasticsearch's, since clients match on them. The HTTP layer only prints it and the transport
 * carries it whole. Programming errors are assertions (`assert.ts`), never a `ShoalError`.
 */
import { messageOf } from './message-of.ts';

/** Extra keys printed beside `type` and `reason`, such as `index_uuid` or `resource.type`. Flat: values are printed as they are. */
export type ErrorMetadata = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface ShoalErrorOptions {
  readonly metadata?: ErrorMetadata;
  readonly causedBy?: ShoalError;
  /** Errors shown as `root_cause`; the error itself when empty. */
  readonly rootCauses?: readonly ShoalError[];
  /** Further errors of the same request; at most 10 are kept. */
  readonly suppressed?: readonly ShoalError[];
  /** Objects printed under their key, such as `failed_shards`; already in the shape that users see. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const SUPPRESSED_MAX = 10;
/** Frames of its stack: it says what is wrong in words, and a bulk may make one for every document. */
const STACK_FRAMES = 2;

/** A user's or the world's failure, with the type name that Elasticsearch uses. */
export class ShoalError extends Error {
  override readonly name = 'ShoalError';
  /** Elasticsearch's name in snake case, such as `index_not_found_exception`. */
  readonly type: string;
  /** Text for users; null where Elasticsearch prints null. */
  readonly reason: string | null;
  /** HTTP status, 400..599 (200..299 never: an answer is not an error). */
  readonly status: number;
  readonly metadata: ErrorMetadata;
  readonly causedBy: ShoalError | undefined;
  readonly rootCauses: readonly ShoalError[];
  readonly suppressed: readonly ShoalError[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: string, status: number, reason: string | null, options: ShoalErrorOptions = {}) {
    const frames = Error.stackTraceLimit;
    Error.stackTraceLimit = Math.min(frames, STACK_FRAMES);
    super(reason ?? type);
    Error.stackTraceLimit = frames;
    this.type = type;
    this.status = status;
    this.reason = reason;
    this.metadata = options.metadata ?? {};
    this.causedBy = options.causedBy;
    this.rootCauses = options.rootCauses ?? [];
    this.suppressed = (options.suppressed ?? []).slice(0, SUPPRESSED_MAX);
    this.details = options.details ?? {};
  }
}

/** The error with some of its options replaced; all that is not named stays. */
export function changedError(error: ShoalError, changes: ShoalErrorOptions): ShoalError {
  const { metadata, causedBy, rootCauses, suppressed, details } = error;
  const own = { metadata, rootCauses, suppressed, details, ...(causedBy === undefined ? {} : { causedBy }) };
  return new ShoalError(error.type, error.status, error.reason, { ...own, ...changes });
}

/** True for a `ShoalError`, also across two copies of this package. */
export function isShoalError(error: unknown): error is ShoalError {
  return error instanceof Error && error.name === 'ShoalError';
}

/**
 * Any thrown value as a `ShoalError`: itself when it is one, else a 500 `exception` that keeps the text.
 * Callers let assertion failures through before asking.
 */
export function asShoalError(error: unknown): ShoalError {
  if (isShoalError(error)) return error;
  const reason = messageOf(error);
  return new ShoalError('exception', 500, reason);
}
