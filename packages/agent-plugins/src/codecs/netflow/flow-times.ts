/**
 * Times of flows, as text in ISO 8601. Pure.
 */
import { type EventValue, Timestamp } from '@shoal/agent-event';

/** Seconds from 1900, where times of NTP begin, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;
const NTP_FRACTION = 2 ** 32;
const NANOS_PER_MICRO = 1000;

export interface UptimeHead {
  readonly unixSeconds: number;
  readonly uptimeMs: number;
}

/**
 * `first_switched` and `last_switched` of version 9 are milliseconds since the exporter started. The result is Logstash's,
 * which is up to a second late: it adds the second that the fraction was borrowed from.
 */
export function switchedTime(name: string, value: EventValue, head: UptimeHead): EventValue {
  if (typeof value !== 'number' || !name.endsWith('_switched')) return value;
  const agoMs = head.uptimeMs - value;
  const seconds = head.unixSeconds - Math.floor(agoMs / 1000);
  return new Timestamp(seconds * 1000 + 1000 - modulo(agoMs, 1000)).toString();
}

/** The same for version 5, whose head knows fractions of a second. Logstash does not give back a borrowed second here either. */
export function switchedTime5(value: number, head: UptimeHead & { readonly unixNanos: number }): string {
  const agoMs = head.uptimeMs - value;
  const seconds = head.unixSeconds - Math.floor(agoMs / 1000);
  const micros = Math.floor(head.unixNanos / NANOS_PER_MICRO) - modulo(agoMs, 1000) * 1000;
  return instant(seconds, micros < 0 ? micros + 1_000_000 : micros).toString();
}

export function instant(seconds: number, micros: number): Timestamp {
  return new Timestamp(seconds * 1000 + Math.floor(micros / 1000), (micros % 1000) * NANOS_PER_MICRO);
}

const TIME = /^flow(?:Start|End)(Seconds|Milliseconds|Microseconds|Nanoseconds)$/;

/** Starts and ends of flows in IPFIX; the finer ones are times of NTP. */
export function timesOfIpfix(name: string, value: EventValue): EventValue {
  const unit = TIME.exec(name)?.[1];
  if (unit === undefined || (typeof value !== 'number' && typeof value !== 'bigint')) return value;
  if (unit === 'Seconds') return time(Number(value) * 1000, 0);
  if (unit === 'Milliseconds') return time(Number(value), 0);
  const ntp = BigInt(value);
  const fraction = Number(ntp & 0xffff_ffffn) / NTP_FRACTION;
  return time((Number(ntp >> 32n) - NTP_EPOCH_SECONDS) * 1000, Math.floor(fraction * 1_000_000));
}

/** A time beyond what a calendar holds stays the number of its milliseconds. */
function time(epochMs: number, micros: number): EventValue {
  if (Math.abs(epochMs) > MILLIS_MAX) return epochMs;
  return new Timestamp(epochMs + Math.floor(micros / 1000), (micros % 1000) * NANOS_PER_MICRO).toString();
}

/** Largest time of ECMAScript. */
const MILLIS_MAX = 8.64e15;

/** Never negative, as Ruby has it. */
function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
