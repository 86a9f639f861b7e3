/**
 * Body of a bulk request: the lines of its items as bytes, in memory that is used again. On the hot path.
 *
 * An item is one line or two, and none holds a line break of its own: where each begins is found in the bytes when somebody
 * wants to know, as when some items are sent again.
 */
import {
  eventsToJsonLines,
  headedJsonLines,
  type LogEvent,
  OutputMemory,
  UTF8_BYTES_OF_UNIT_MAX,
} from '@shoal/agent-event';
import { assert } from '@shoal/core';
import type { BulkItem } from './bulk-action.ts';

const NEWLINE = 0x0a;
/** Neighbours with one action line, in the mean, above which whole runs of them are written. */
const RUN_ITEMS_MIN = 8;

/** An item with its bytes. */
export interface WrittenItem {
  readonly item: BulkItem;
  readonly bytes: Uint8Array;
}

export interface BulkBody {
  readonly items: readonly BulkItem[];
  readonly bytes: Buffer;
}

/** Lines of the documents on their way into a body: nothing is awaited in between. */
const documentMemory = new OutputMemory();

/** The body lies in the memory, and is valid until that is taken again. */
export function bulkBody(items: readonly BulkItem[], memory: OutputMemory): BulkBody {
  return { items, bytes: inRuns(items, memory) ?? interleaved(items, memory) };
}

/** A body of items of others, in memory of its own. */
export function bodyOfWritten(written: readonly WrittenItem[]): BulkBody {
  return { items: written.map(({ item }) => item), bytes: Buffer.concat(written.map(({ bytes }) => bytes)) };
}

export function writtenItems({ items, bytes }: BulkBody): readonly WrittenItem[] {
  let start = 0;
  const written = items.map((item) => {
    let end = bytes.indexOf(NEWLINE, start) + 1;
    if (item.document !== null) end = bytes.indexOf(NEWLINE, end) + 1;
    assert(end > start, `an item of a bulk body ends at ${end}, before its start at ${start}`);
    const one = { item, bytes: bytes.subarray(start, end) };
    start = end;
    return one;
  });
  assert(start === bytes.length, `items of a bulk body end at ${start} of ${bytes.length} bytes`);
  return written;
}

/** Bodies of at most so many bytes, and of one item at least. */
export function cutBody(body: BulkBody, bytesMax: number): readonly BulkBody[] {
  if (body.bytes.length <= bytesMax) return [body];
  const parts: BulkBody[] = [];
  let items: BulkItem[] = [];
  let [start, end] = [0, 0];
  const endPart = (): void => {
    parts.push({ items, bytes: body.bytes.subarray(start, end) });
    items = [];
    start = end;
  };
  for (const { item, bytes } of writtenItems(body)) {
    if (items.length > 0 && end + bytes.length - start > bytesMax) endPart();
    items.push(item);
    end += bytes.length;
  }
  endPart();
  return parts;
}

/** null where neighbours seldom have the same action line, an item has no event, or lines are to be written another way. */
function inRuns(items: readonly BulkItem[], memory: OutputMemory): Buffer | null {
  const documents: LogEvent[] = [];
  const heads: string[] = [];
  let runCount = 0;
  let last: string | null = null;
  for (const { head, document } of items) {
    if (typeof document === 'string' || document === null) return null;
    if (head !== last) runCount++;
    last = head;
    documents.push(document);
    heads.push(head);
  }
  if (runCount * RUN_ITEMS_MIN > items.length + RUN_ITEMS_MIN) return null;
  const lines = headedJsonLines(documents, heads);
  if (lines === null) return null;
  const bytes = memory.take(lines.length);
  bytes.set(lines);
  return bytes.subarray(0, lines.length);
}

function interleaved(items: readonly BulkItem[], memory: OutputMemory): Buffer {
  const documents: LogEvent[] = [];
  let textLength = 0;
  for (const { head, document } of items) {
    textLength += head.length;
    if (typeof document === 'string') textLength += document.length + 1;
    else if (document !== null) documents.push(document);
  }
  const lines = eventsToJsonLines(documents, documentMemory);
  const bytes = memory.take(lines.length + textLength * UTF8_BYTES_OF_UNIT_MAX);
  let [read, written] = [0, 0];
  for (const { head, document } of items) {
    written += bytes.write(head, written, 'utf8');
    if (typeof document === 'string') written += bytes.write(`${document}\n`, written, 'utf8');
    else if (document !== null) {
      const end = lines.indexOf(NEWLINE, read) + 1;
      bytes.set(lines.subarray(read, end), written);
      written += end - read;
      read = end;
    }
  }
  assert(read === lines.length, `documents of a bulk body end at ${read} of ${lines.length} bytes`);
  return bytes.subarray(0, written);
}
