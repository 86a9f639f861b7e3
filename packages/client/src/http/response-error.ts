/**
 * An answer that is an error: what the API said, and the request that it was said to.
 */

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  /** HTTP status; 4xx is the request's fault. */
  readonly status: number;
  /** Type as the API names it, such as `index_not_found_exception`; empty when the answer names none. */
  readonly type: string;
  /** The whole answer, parsed where it is JSON. */
  readonly body: unknown;

  constructor(request: string, status: number, body: unknown) {
    const { type, reason } = causeOf(body);
    super(`${request}: ${status}${type === '' ? '' : ` ${type}`}${reason === '' ? '' : `: ${reason}`}`);
    this.status = status;
    this.type = type;
    this.body = body;
  }
}

function causeOf(body: unknown): { readonly type: string; readonly reason: string } {
  const error: unknown = isRecord(body) ? body.error : undefined;
  if (typeof error === 'string') return { type: '', reason: error };
  if (!isRecord(error)) return { type: '', reason: typeof body === 'string' ? body.slice(0, 300) : '' };
  const { type, reason } = error;
  return { type: typeof type === 'string' ? type : '', reason: typeof reason === 'string' ? reason : '' };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
