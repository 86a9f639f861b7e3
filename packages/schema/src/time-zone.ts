/**
 * Time zones by name or fixed offset: how far east of UTC their clocks are at an instant.
 */
import { ShoalError } from '@shoal/core';

export interface TimeZone {
  /** As given. */
  readonly name: string;
  /** Minutes east of UTC at an instant. */
  offsetMinutes(ms: number): number;
  /** The offset never changes. */
  readonly isFixed: boolean;
}

/** Offsets change at full quarter hours only: one look-up serves this long a stretch. */
const STRETCH_MS = 900_000;
/** Stretches remembered a zone. */
const STRETCHES_MAX = 100_000;

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
      const stretch = Math.floor(ms / STRETCH_MS);
      let offset = known.get(stretch);
      if (offset === undefined) {
        offset = offsetOf(format, stretch * STRETCH_MS);
        if (known.size >= STRETCHES_MAX) known.clear();
        known.set(stretch, offset);
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

function offsetOf(format: Intl.DateTimeFormat, ms: number): number {
  const text = format.formatToParts(new Date(ms)).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return fixedOffset(text) ?? 0;
}
