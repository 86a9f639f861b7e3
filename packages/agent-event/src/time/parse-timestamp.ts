/**
 * ISO 8601 as `@timestamp` may be written: `2026-01-02T03:04:05.123456789Z`, an offset, or none for UTC.
 *
 * Only this one form: other forms are the work of the date filter.
 */
import { Timestamp } from './timestamp.ts';

const ISO =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|[+-]\d\d(?::?\d\d)?)?)?$/;
const MINUTE_MS = 60_000;

/** null when the text is no such time. */
export function parseTimestamp(text: string): Timestamp | null {
  const parts = ISO.exec(text);
  if (parts === null) return null;
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone] = parts;
  const nanosOfSecond = Number(fraction.padEnd(9, '0'));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // A day that does not exist rolls over: then it is no date.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Math.floor(nanosOfSecond / 1e6));
  const epochMs = date.getTime() - offsetMinutes(zone) * MINUTE_MS;
  return Number.isNaN(new Date(epochMs).getTime()) ? null : new Timestamp(epochMs, nanosOfSecond % 1e6);
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || '0');
  return zone.startsWith('-') ? -minutes : minutes;
}
