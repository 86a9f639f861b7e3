/**
 * Index names with date math, `<logs-{now/d}>`: the static parts and, in braces, an instant with an optional format and
 * time zone, `{now/M{uuuu.MM|+01:00}}`. A backslash takes the meaning from the brace behind it.
 */
import { ShoalError } from '@shoal/core';
import { dateFormatter } from '@shoal/schema';

const DEFAULT_FORMAT = 'uuuu.MM.dd';
const STEP = /^(?:([+-])(\d{1,9})([yMwdhHms])|\/([yMwdhHms]))/;
const ZONE_OFFSET = /^([+-])(\d{1,2}):?(\d{2})$/;
const MINUTE_MS = 60_000;
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['H', 3_600_000],
  ['m', MINUTE_MS],
  ['s', 1_000],
]);

/** The name itself when it is not in angle brackets. */
export function resolveDateMathName(name: string, nowMs: number): string {
  if (!name.startsWith('<') || !name.endsWith('>')) return name;
  const inner = name.slice(1, -1);
  let out = '';
  let at = 0;
  while (at < inner.length) {
    const c = inner[at] ?? '';
    if (c === '\\') {
      out += inner[at + 1] ?? '';
      at += 2;
    } else if (c === '{') {
      const end = closingBrace(inner, at, name);
      out += evaluate(inner.slice(at + 1, end), nowMs, name);
      at = end + 1;
    } else {
      out += c;
      at++;
    }
  }
  if (out === '') throw malformed(name, 'nothing inside');
  return out;
}

function closingBrace(text: string, open: number, name: string): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  throw malformed(name, 'date math placeholder is open ended');
}

function evaluate(expression: string, nowMs: number, name: string): string {
  const brace = expression.indexOf('{');
  const math = brace === -1 ? expression : expression.slice(0, brace);
  const [format = DEFAULT_FORMAT, zone = ''] = brace === -1 ? [] : expression.slice(brace + 1, -1).split('|');
  const offsetMs = zoneOffsetMs(zone, name);
  const local = applyMath(math, nowMs + offsetMs, name);
  return dateFormatter(format).print(local);
}

/** The instant is shifted to local time first, so that UTC arithmetic rounds to local days. */
function applyMath(math: string, localMs: number, name: string): number {
  if (!math.startsWith('now')) throw malformed(name, `date math must begin with now, found [${math}]`);
  let rest = math.slice('now'.length);
  let ms = localMs;
  while (rest !== '') {
    const step = STEP.exec(rest);
    if (step === null) throw malformed(name, `operator or unit not supported in [${rest}]`);
    const [text, sign, count, unit, roundUnit] = step;
    ms = roundUnit === undefined ? shift(ms, Number(`${sign}${count}`), unit ?? 'd') : roundDown(ms, roundUnit);
    rest = rest.slice(text.length);
  }
  return ms;
}

function shift(ms: number, count: number, unit: string): number {
  if (unit !== 'y' && unit !== 'M') return ms + count * (UNIT_MS.get(unit) ?? 0);
  const date = new Date(ms);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === 'y' ? count * 12 : count);
  const year = Math.floor(months / 12);
  const month = months - year * 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDayMs = ms - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + timeOfDayMs;
}

function roundDown(ms: number, unit: string): number {
  const date = new Date(ms);
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0);
  if (unit === 'M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const dayMs = UNIT_MS.get('d') ?? 1;
  if (unit === 'w') {
    const day = Math.floor(ms / dayMs);
    // Day 0 of the epoch was a Thursday; weeks begin on Monday.
    return (day - ((((day + 3) % 7) + 7) % 7)) * dayMs;
  }
  const unitMs = UNIT_MS.get(unit) ?? 1;
  return Math.floor(ms / unitMs) * unitMs;
}

function zoneOffsetMs(zone: string, name: string): number {
  if (zone === '' || zone === 'UTC' || zone === 'Z') return 0;
  const match = ZONE_OFFSET.exec(zone);
  if (match === null) throw malformed(name, `time zone [${zone}] is not an offset such as +01:00`);
  const [, sign, hours, minutes] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function malformed(name: string, why: string): ShoalError {
  return new ShoalError('parse_exception', 400, `invalid dynamic name expression [${name}]. ${why}`);
}
