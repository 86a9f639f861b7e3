/**
 * Time zones by name or fixed offset: how far east of UTC their clocks are at an instant.
 *
 * `Intl` says the offset at one instant, and takes microseconds for it. So it is asked at both ends of cells of days: where both have one
 * offset, so has all between them; where not, the moment of the change is searched for.
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

/** Offsets are told apart no finer: they change at full quarter hours. */
const QUARTER_MS = 900_000;
/**
 * Width of a cell: half of the shortest time after which the clocks of a zone were ever turned back to what they were before, by the
 * time zone database. That was four days, in Freetown in 1939.
 */
const CELL_MS = 2 * 86_400_000;
/** Cells remembered of one zone: of 90 years. */
const CELLS_MAX = 16_384;
/** Zones remembered by a thread: their formats are slow to make, and large. */
const ZONES_MAX = 64;
/** Last instant that the platform knows: from then on offsets stay what they are. */
const LAST_MS = 8.64e15;

/** Zones used lately, by the names that were given. */
const zones = new Map<string, TimeZone>();

/** @throws ShoalError `zone_rules_exception` for a name that is no zone */
export function timeZone(name: string): TimeZone {
  if (name === 'Z' || name === 'UTC' || name === 'GMT') return { name, isFixed: true, offsetMinutes: () => 0 };
  const fixed = fixedOffset(name);
  if (fixed !== null) return { name, isFixed: true, offsetMinutes: () => fixed };
  const zone = zones.get(name) ?? new NamedZone(name);
  zones.delete(name);
  zones.set(name, zone);
  // The first one was used the longest ago.
  const [oldest = name] = zones.size > ZONES_MAX ? zones.keys() : [];
  if (oldest !== name) zones.delete(oldest);
  return zone;
}

/** Minutes of `+01:00`, `-0330`, `+2`; null when it is none. */
function fixedOffset(text: string): number | null {
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(text);
  return match === null ? null : (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
}

/** Instants from `fromMs` to before `untilMs`, at which the offset is the same. */
interface OffsetRange {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly minutes: number;
}

class NamedZone implements TimeZone {
  readonly name: string;
  readonly isFixed = false;
  private readonly format: Intl.DateTimeFormat;
  /** Ranges of each cell, ascending and without gaps. */
  private readonly cells = new Map<number, readonly OffsetRange[]>();
  /** Range that was asked for last: neighbours tend to share it. */
  private last: OffsetRange = { fromMs: 0, untilMs: 0, minutes: 0 };

  constructor(name: string) {
    this.name = name;
    this.format = zoneFormat(name);
  }

  offsetMinutes(ms: number): number {
    const { last } = this;
    if (ms >= last.fromMs && ms < last.untilMs) return last.minutes;
    const ranges = this.cellOf(ms);
    const found = ranges.find(({ untilMs }) => ms < untilMs) ?? ranges.at(-1) ?? last;
    this.last = found;
    return found.minutes;
  }

  private cellOf(ms: number): readonly OffsetRange[] {
    const cell = Math.floor(ms / CELL_MS);
    const known = this.cells.get(cell);
    if (known !== undefined) return known;
    const ranges: OffsetRange[] = [];
    const start = { ms: cell * CELL_MS, minutes: this.ask(cell * CELL_MS) };
    const end = (cell + 1) * CELL_MS;
    this.addRanges(ranges, start, { ms: end, minutes: this.cells.get(cell + 1)?.[0]?.minutes ?? this.ask(end) });
    if (this.cells.size >= CELLS_MAX) this.cells.clear();
    this.cells.set(cell, ranges);
    return ranges;
  }

  /** Adds the ranges from one instant to another, both at full quarter hours: halves are looked at until their ends agree. */
  private addRanges(ranges: OffsetRange[], from: Asked, until: Asked): void {
    const quarters = (until.ms - from.ms) / QUARTER_MS;
    if (from.minutes === until.minutes || quarters <= 1) {
      ranges.push({ fromMs: from.ms, untilMs: until.ms, minutes: from.minutes });
      return;
    }
    const ms = from.ms + Math.floor(quarters / 2) * QUARTER_MS;
    const middle = { ms, minutes: this.ask(ms) };
    this.addRanges(ranges, from, middle);
    this.addRanges(ranges, middle, until);
  }

  private ask(ms: number): number {
    const instant = new Date(Math.max(-LAST_MS, Math.min(LAST_MS, ms)));
    const text = this.format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
    return fixedOffset(text) ?? 0;
  }
}

/** Offset in minutes that the platform says of an instant. */
interface Asked {
  readonly ms: number;
  readonly minutes: number;
}

function zoneFormat(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    // The platform refuses names that are no zones.
    throw new ShoalError('zone_rules_exception', 400, `Unknown time-zone ID: ${name}`);
  }
}
