/**
 * Time zones in a date: offsets, ids, and the short names that are not ambiguous in practice.
 */
import { names } from './joda-names.ts';
import { type Assign, isDigit, type Step } from './joda-step.ts';
import { timeZone, type Zone } from './time-zone.ts';

/** Short names of zones that mean one zone to those who write logs. */
export const AMERICAN_ZONES: Readonly<Record<string, string>> = {
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
};
const ZONE_NAMES: Readonly<Record<string, string>> = {
  ...AMERICAN_ZONES,
  UTC: 'UTC',
  GMT: 'UTC',
  UT: 'UTC',
};

/** `Z`, `+01`, `+0130` or `+01:30`. */
export const offset: Step = (text, position, fields) => {
  const first = text.charCodeAt(position);
  fields.hasOffset = true;
  if (first === 90 || first === 122) {
    fields.offsetMs = 0;
    return position + 1;
  }
  if ((first !== 43 && first !== 45) || !isDigit(text, position + 1) || !isDigit(text, position + 2)) return -1;
  let end = position + 3;
  let minutes = Number(text.slice(position + 1, end)) * 60;
  const start = text.charCodeAt(end) === 58 ? end + 1 : end;
  if (isDigit(text, start) && isDigit(text, start + 1)) {
    minutes += Number(text.slice(start, start + 2));
    end = start + 2;
  }
  fields.offsetMs = (first === 45 ? -minutes : minutes) * 60_000;
  return end;
};

const ZONE_ID = /[A-Za-z0-9_+\-/:]+/y;

/** Id of a time zone, such as `Europe/Oslo`. */
export const zoneId: Step = (text, position, fields) => {
  const id = new RegExp(ZONE_ID, 'y');
  id.lastIndex = position;
  const name = id.exec(text)?.[0];
  if (name === undefined) return -1;
  try {
    fields.zone = timeZone(name);
  } catch {
    // A text that names no zone is no date of this format: the caller tries the next.
    return -1;
  }
  return position + name.length;
};

function assignZone(): Assign {
  const zones = new Map<number, Zone>();
  const ids = Object.values(ZONE_NAMES);
  return (fields, index) => {
    let zone = zones.get(index);
    if (zone === undefined) {
      zone = timeZone(ids[index] ?? 'UTC');
      zones.set(index, zone);
    }
    fields.zone = zone;
  };
}

/** Short name of a zone, such as `PST`. */
export function zoneName(): Step {
  return names(Object.keys(ZONE_NAMES), assignZone());
}
