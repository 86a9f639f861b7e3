/**
 * Offsets of time zones from UTC, from `Intl`, remembered by quarter of an hour: zones change at no other moments.
 */
import { lazy, ShoalError } from '@shoal/core';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
const REMEMBERED_MAX = 10_000;
const FIXED = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d\d))?$/;

export interface Zone {
  /** Milliseconds that local time is ahead of UTC at an instant. */
  offsetAt(epochMs: number): number;
  /** The instant of a local time; the earlier one when it comes twice; null when it does not exist. */
  instantOf(localMs: number): number | null;
}

/** Formats of `Intl` are slow to make and large: those of zones that are used are kept. */
const zones = new Map<string, IntlZone>();
const ZONES_MAX = 100;

/** The first format of a thread costs megabytes and milliseconds: not before a time without a zone is read. */
const askedHostZone = lazy(() => timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'));
const HOST_ZONE: Zone = {
  offsetAt: (epochMs) => askedHostZone().offsetAt(epochMs),
  instantOf: (localMs) => askedHostZone().instantOf(localMs),
};

/** The zone of this machine, as it was when a time in it was first asked for; UTC where the machine does not say. */
export function hostZone(): Zone {
  return HOST_ZONE;
}

/** @throws ShoalError for a name that is no time zone */
export function timeZone(name: string): Zone {
  if (/^(?:z|utc|gmt|ut|etc\/utc|etc\/gmt)$/i.test(name)) return fixedZone(0);
  const fixed = FIXED.exec(name);
  if (fixed !== null) {
    const ms = (Number(fixed[2]) * 60 + Number(fixed[3] ?? '0')) * 60_000;
    return fixedZone(fixed[1] === '-' ? -ms : ms);
  }
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = new IntlZone(name);
  // Names come from events too: they must not fill the memory.
  if (zones.size < ZONES_MAX) zones.set(name, zone);
  return zone;
}

function fixedZone(offsetMs: number): Zone {
  return { offsetAt: () => offsetMs, instantOf: (localMs) => localMs - offsetMs };
}

class IntlZone implements Zone {
  private readonly format: Intl.DateTimeFormat;
  private readonly remembered = new Map<number, number>();

  constructor(name: string) {
    try {
      this.format = new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
        era: 'short',
      });
    } catch {
      throw new ShoalError('illegal_argument_exception', 400, `no such time zone [${name}]`);
    }
  }

  offsetAt(epochMs: number): number {
    const quarter = Math.floor(epochMs / QUARTER_MS);
    const known = this.remembered.get(quarter);
    if (known !== undefined) return known;
    const offset = this.compute(quarter * QUARTER_MS);
    if (this.remembered.size >= REMEMBERED_MAX) this.remembered.clear();
    this.remembered.set(quarter, offset);
    return offset;
  }

  instantOf(localMs: number): number | null {
    const before = this.offsetAt(localMs - DAY_MS);
    const after = this.offsetAt(localMs + DAY_MS);
    // The larger offset is the earlier instant.
    for (const offset of before >= after ? [before, after] : [after, before]) {
      if (this.offsetAt(localMs - offset) === offset) return localMs - offset;
    }
    return null;
  }

  private compute(epochMs: number): number {
    const parts: Record<string, string> = {};
    for (const { type, value } of this.format.formatToParts(epochMs)) parts[type] = value;
    const number = (name: string): number => Number(parts[name] ?? '0');
    const year = parts.era === 'BC' ? 1 - number('year') : number('year');
    const local = new Date(0);
    local.setUTCFullYear(year, number('month') - 1, number('day'));
    local.setUTCHours(number('hour'), number('minute'), number('second'), 0);
    return local.getTime() - epochMs;
  }
}
