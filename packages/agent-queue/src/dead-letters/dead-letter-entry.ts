/**
 * One entry of a dead letter queue, and its bytes: what could not be delivered, why, and which plugin said so.
 *
 * A record is length (4), CRC-32 (4), then a JSON head with its length (4) and the event. Segments are files `N.log`, oldest first, with
 * `N.log.tmp` the one being written.
 */
import { crc32 } from 'node:zlib';
import { type LogEvent, readEvents, writeEvents } from '@shoal/agent-event';

export const RECORD_HEAD_BYTES = 8;
/** Longer records are taken for damage. */
const RECORD_BYTES_MAX = 256 * 1024 * 1024;

export interface DeadLetterEntry {
  /** Milliseconds since 1970. */
  readonly entryTimeMs: number;
  /** `elasticsearch`, `grok` … */
  readonly pluginType: string;
  readonly pluginId: string;
  readonly reason: string;
  readonly event: LogEvent;
}

export function writeDeadLetter(entry: DeadLetterEntry): Uint8Array {
  const { entryTimeMs, pluginType, pluginId, reason } = entry;
  const head = new TextEncoder().encode(JSON.stringify({ entryTimeMs, pluginType, pluginId, reason }));
  const event = writeEvents([entry.event]);
  const bytes = new Uint8Array(RECORD_HEAD_BYTES + 4 + head.byteLength + event.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(RECORD_HEAD_BYTES, head.byteLength, true);
  bytes.set(head, RECORD_HEAD_BYTES + 4);
  bytes.set(event, RECORD_HEAD_BYTES + 4 + head.byteLength);
  view.setUint32(0, bytes.byteLength - RECORD_HEAD_BYTES, true);
  view.setUint32(4, crc32(bytes.subarray(RECORD_HEAD_BYTES)), true);
  return bytes;
}

/** The entry at `offset` and where it ends; null when there is no whole one. */
export function readDeadLetter(
  bytes: Uint8Array,
  offset: number,
): { readonly entry: DeadLetterEntry; readonly end: number } | null {
  if (offset + RECORD_HEAD_BYTES > bytes.byteLength) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(offset, true);
  const start = offset + RECORD_HEAD_BYTES;
  if (length < 4 || length > RECORD_BYTES_MAX || start + length > bytes.byteLength) return null;
  const body = bytes.subarray(start, start + length);
  if (crc32(body) !== view.getUint32(offset + 4, true)) return null;
  const headBytes = view.getUint32(start, true);
  if (headBytes > length - 4) return null;
  const head = readHead(new TextDecoder().decode(body.subarray(4, 4 + headBytes)));
  const event = readEvents(body.subarray(4 + headBytes))[0];
  if (head === null || event === undefined) return null;
  return { entry: { ...head, event }, end: start + length };
}

function readHead(text: string): Omit<DeadLetterEntry, 'event'> | null {
  const head: unknown = JSON.parse(text);
  if (typeof head !== 'object' || head === null) return null;
  const field = (name: string): unknown => Reflect.get(head, name);
  const [entryTimeMs, pluginType, pluginId] = [field('entryTimeMs'), field('pluginType'), field('pluginId')];
  const reason = field('reason');
  if (typeof entryTimeMs !== 'number' || typeof pluginType !== 'string') return null;
  if (typeof pluginId !== 'string' || typeof reason !== 'string') return null;
  return { entryTimeMs, pluginType, pluginId, reason };
}

/** Segment numbers of a folder, lowest first; `isOpen` for the one that was being written. */
export function segmentNames(names: readonly string[]): readonly { readonly number: number; readonly name: string }[] {
  const segments: { number: number; name: string }[] = [];
  for (const name of names) {
    const match = /^(\d{1,9})\.log(\.tmp)?$/.exec(name);
    if (match?.[1] !== undefined) segments.push({ number: Number(match[1]), name });
  }
  return segments.sort((a, b) => a.number - b.number);
}
