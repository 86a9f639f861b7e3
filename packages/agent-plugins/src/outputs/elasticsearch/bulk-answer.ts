/**
 * Answer to a bulk request: the status of each item. On the hot path.
 *
 * Nearly all answers say the same of each item, that it was written: such an answer is known by its bytes, from one that
 * was read, and not read again.
 */
import { ShoalError } from '@shoal/core';

export interface ItemStatus {
  readonly status: number;
  readonly error: string;
  readonly errorType: string;
  /** The failure is that of the whole request, which was logged once. */
  readonly isLogged?: boolean;
}

export interface BulkAnswer {
  /** One for each item. */
  readonly statuses: readonly ItemStatus[];
  /** Not what the items say, but what the answer says of all of them. */
  readonly hasErrors: boolean;
}

/** Status of a document that was written. */
export const DONE: ItemStatus = { status: 201, error: '', errorType: '' };

const LIST_START = 0x5b;
const COMMA = 0x2c;
/** End of the list of items and of the answer. */
const LIST_END = Buffer.from(']}');

/** An answer with the same bytes for each of its items, all of which were written. */
interface UniformAnswer {
  readonly body: Buffer;
  readonly statuses: readonly ItemStatus[];
  /** Where the first item begins. */
  readonly start: number;
  /** Bytes of an item and the comma behind it. */
  readonly step: number;
}

export class BulkAnswers {
  private known: UniformAnswer | null = null;

  /** @throws ShoalError when the answer is not about so many items; SyntaxError when it is no JSON */
  read(body: Uint8Array, count: number): BulkAnswer {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const { known } = this;
    if (known !== null && isPartOf(known, bytes, count))
      return { statuses: known.statuses.slice(0, count), hasErrors: false };
    // Nothing of the answer is kept as a value: numbers beyond 2^53 may lose digits, and the platform's parser is much the faster.
    const answer = asRecord(JSON.parse(bytes.toString('utf8')));
    const items = Array.isArray(answer.items) ? answer.items : [];
    if (items.length !== count)
      throw new ShoalError('http_exception', 502, `the bulk answer has ${items.length} items for ${count}`);
    const statuses = items.map(statusOf);
    const hasErrors = answer.errors !== false;
    if (!hasErrors && statuses.every((status) => status === DONE)) this.known = uniform(bytes, statuses) ?? known;
    return { statuses, hasErrors };
  }
}

/** Whether an answer is a known one with only the first of its items. */
function isPartOf({ body, statuses, start, step }: UniformAnswer, bytes: Buffer, count: number): boolean {
  const end = start + count * step - 1;
  return (
    count > 0 &&
    count <= statuses.length &&
    bytes.length === end + LIST_END.length &&
    bytes.compare(body, 0, end, 0, end) === 0 &&
    bytes.compare(LIST_END, 0, LIST_END.length, end) === 0
  );
}

/** null for an answer whose items differ, or that ends with anything else than its items. */
function uniform(body: Buffer, statuses: readonly ItemStatus[]): UniformAnswer | null {
  const start = body.indexOf(LIST_START) + 1;
  const end = body.length - LIST_END.length;
  const step = (end + 1 - start) / statuses.length;
  if (start === 0 || !Number.isInteger(step)) return null;
  for (let at = start + step - 1; at < end; at += step) if (body[at] !== COMMA) return null;
  const isSame = body.compare(body, start, end - step, start + step, end) === 0;
  return isSame && body.compare(LIST_END, 0, LIST_END.length, end) === 0 ? { body, statuses, start, step } : null;
}

/** Documents that were written are most of all, and all the same. */
function statusOf(item: unknown): ItemStatus {
  const record = asRecord(item);
  for (const action in record) {
    const result = asRecord(record[action]);
    const { error } = result;
    const status = Number(result.status ?? 503);
    if (status === 200 || status === 201) return DONE;
    if (error === undefined) return { status, error: '', errorType: '' };
    const details = asRecord(error);
    const type = String(details.type ?? '');
    return { status, error: `${type}: ${String(details.reason ?? '')}${causeOf(details)}`, errorType: type };
  }
  return { status: 503, error: '', errorType: '' };
}

function causeOf(error: Readonly<Record<string, unknown>>): string {
  const cause = asRecord(error.caused_by);
  return cause.reason === undefined ? '' : `, caused by ${String(cause.reason)}`;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
