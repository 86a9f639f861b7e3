/**
 * Time zones by name or fixed offset: how far east of UTC their clocks are at an instant.
 */
import { ShoalError } from '@shoal/core';

export interface TimeZone {
  /** Name or offset, as given. */
  readonly name: string;
  /** Offset at an instant, in minutes east of UTC. */
  offsetMinutes(ms: number): number;
  /** True: the offset never changes. */
  readonly isFixed: boolean;
}

/** Width of a cached interval: offsets change at full quarter hours only. */
const INTERVAL_MS = 900_000;
/** Intervals cached for one zone. */
const INTERVALS_MAX = 100_000;

/** @throws ShoalError `zone_rules_exception` for a name that is no zone */
export function timeZone(name: string): TimeZone {
  if (name === 'Z' || name === 'UTC' || name === 'GMT') return { name, isFixed: true, offsetMinutes: () => 0 };
  const fixed = fixedOffset(name);
  if (fixed !== null) return { name, isFixed: true, offsetMinutes: () => fixed };
  const format = zoneFormat(name);
  const known = new Map<number, number>();
  return {
    name,
    isFixed: false,
    offsetMinutes: (ms) => {
      const interval = Math.floor(ms / INTERVAL_MS);
      let offset = known.get(interval);
      if (offset === undefined) {
        offset = offsetOf(format, interval * INTERVAL_MS);
        if (known.size >= INTERVALS_MAX) known.clear();
        known.set(interval, offset);
      }
      return offset;
    },
  };
}

/** Minutes of `+01:00`, `-0330`, `+2`; null when it is none. */
function fixedOffset(text: string): number | null {
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  return match === null ? null : (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

function zoneFormat(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    // The platform refuses names that are no zones.
    throw new ShoalError('zone_rules_exception', 400, `Unknown time-zone ID: ${name}`);
  }
}

/** Last instant that the platform knows: from then on offsets stay what they are. */
const LAST_MS = 8.64e15;

function offsetOf(format: Intl.DateTimeFormat, ms: number): number {
  const instant = new Date(Math.max(-LAST_MS, Math.min(LAST_MS, ms)));
  const text = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return fixedOffset(text) ?? 0;
}
