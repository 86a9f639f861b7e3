/**
 * Bulk requests of which some items fail: those are taken out, the others carried out, and both answered together.
 */
import { illegalArgument, isObject, parseJson, renderCause, type ShoalError } from '@shoal/core';
import { BULK_ACTIONS, type BulkAction } from '../values/bulk-actions.ts';

export interface BulkItem {
  readonly action: BulkAction;
  readonly index: string;
  readonly id: string;
  /** Lines of the item, each with its end. */
  readonly lines: string;
}

/** @param index of the path, for items that name none */
export function bulkItems(body: Uint8Array, index: string): readonly BulkItem[] {
  const lines = new TextDecoder().decode(body).split('\n');
  const items: BulkItem[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    const action = BULK_ACTIONS.find((name) => isObject(parsed) && name in parsed);
    if (action === undefined || !isObject(parsed)) throw illegalArgument(`no action of a bulk request: [${line}]`);
    const meta = parsed[action];
    const source = action === 'delete' ? '' : `${lines[++i] ?? ''}\n`;
    items.push({
      action,
      index: textOf(meta, '_index') ?? index,
      id: textOf(meta, '_id') ?? '',
      lines: `${line}\n${source}`,
    });
  }
  return items;
}

export interface SplitBulk {
  /** Body of the items that are carried out; empty when there are none. */
  readonly rest: Uint8Array;
  /** Failed items by their positions. */
  readonly failed: ReadonlyMap<number, object>;
}

/** @param errorOf the error of an item at a position; null: it is carried out */
export function splitBulk(
  items: readonly BulkItem[],
  errorOf: (item: BulkItem, position: number) => ShoalError | null,
): SplitBulk {
  const failed = new Map<number, object>();
  const rest: string[] = [];
  for (const [position, item] of items.entries()) {
    const error = errorOf(item, position);
    if (error === null) rest.push(item.lines);
    else failed.set(position, failedItem(item, error));
  }
  return { rest: new TextEncoder().encode(rest.join('')), failed };
}

function failedItem({ action, index, id }: BulkItem, error: ShoalError): object {
  return { [action]: { _index: index, _id: id, status: error.status, error: renderCause(error) } };
}

/**
 * Answer of the whole request, from that of the items that were carried out.
 *
 * @throws ShoalError when that has no list of items: a request whose answer is filtered, or not JSON
 */
export function joinedAnswer(answer: unknown, failed: ReadonlyMap<number, object>, count: number): object {
  const done = isObject(answer) && Array.isArray(answer.items) ? answer.items : null;
  if (!isObject(answer) || done === null || done.length + failed.size !== count) {
    throw illegalArgument(
      'a fault of bulk items needs a request with all of its answer as JSON, without [filter_path]',
    );
  }
  const left = done.values();
  const items = Array.from({ length: count }, (_, position) => failed.get(position) ?? left.next().value);
  return { ...answer, errors: answer.errors === true || failed.size > 0, items };
}

function textOf(value: unknown, name: string): string | null {
  const text = isObject(value) ? value[name] : undefined;
  return typeof text === 'string' ? text : null;
}
