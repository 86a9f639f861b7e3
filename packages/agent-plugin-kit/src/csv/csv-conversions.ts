/**
 * Conversions of CSV values as Ruby's library makes them: a text that is none of its kind stays that text.
 */
import { type EventValue, hostZone, parseIso8601, Timestamp, timeZone, type Zone } from '@shoal/agent-event';
import { asFloat, asInteger, ShoalError } from '@shoal/core';

export type CsvConversion = (text: string) => EventValue;

const CONVERSIONS: Readonly<Record<string, CsvConversion>> = {
  integer: (text) => integerOf(text) ?? text,
  float: (text) => floatOf(text) ?? text,
  boolean: booleanOf,
  date: (text) => dateOf(text) ?? text,
  date_time: (text) => dateTimeOf(text) ?? text,
};
const UTC = timeZone('UTC');

/** The option `convert`: columns with their conversions. @throws ShoalError for one that is not known */
export function csvConversions(given: ReadonlyMap<string, unknown>): ReadonlyMap<string, CsvConversion> {
  const conversions = new Map<string, CsvConversion>();
  for (const [column, kind] of given) {
    const conversion = Object.hasOwn(CONVERSIONS, String(kind)) ? CONVERSIONS[String(kind)] : undefined;
    if (conversion === undefined) {
      const known = Object.keys(CONVERSIONS).join(', ');
      const why = `[convert] cannot make [${String(kind)}] of [${column}]; known are ${known}`;
      throw new ShoalError('illegal_argument_exception', 400, why);
    }
    conversions.set(column, conversion);
  }
  return conversions;
}

/** Other words come back trimmed and in lower case. */
function booleanOf(text: string): EventValue {
  const word = text.trim().toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : word;
}

const FLOAT = /^\s*[+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?\s*$/;
const HEX = /^\s*0[xX][0-9a-fA-F]+\s*$/;

function floatOf(text: string): EventValue | null {
  if (!FLOAT.test(text) && !HEX.test(text)) return null;
  const value = Number(text.replaceAll('_', ''));
  return asFloat(value);
}

/** Integers as Ruby's own programs write them: a leading zero is octal. */
const INTEGER = /^\s*([+-]?)(0[xX](?=[0-9a-fA-F])|0[bB](?=[01])|0[oO]?(?=[0-7])|)([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)\s*$/;
const DIGITS: Readonly<Record<string, RegExp>> = {
  x: /^[0-9a-f_]+$/i,
  b: /^[01_]+$/,
  o: /^[0-7_]+$/,
  '': /^(?:0|[1-9][0-9_]*)$/,
};

function integerOf(text: string): EventValue | null {
  const [, sign, prefix = '', digits = ''] = INTEGER.exec(text) ?? [];
  const base = prefix === '0' ? 'o' : prefix.slice(1).toLowerCase();
  if (digits === '' || DIGITS[base]?.test(digits) !== true) return null;
  const size = BigInt(`${base === '' ? '' : `0${base}`}${digits.replaceAll('_', '')}`);
  const value = sign === '-' ? -size : size;
  return asInteger(value);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** `Jan 2, 2020`, with or without the name of a day before it. */
const NAMED_DATE = /^(?:\w+,?\s+)?([A-Za-z]{3})[a-z]*\s+(\d{1,2}),?\s+(\d{4}|\d{2})$/;

/** A day begins where this agent runs. */
function dateOf(text: string): Timestamp | null {
  const [, month = '', day = '', year = ''] = NAMED_DATE.exec(text) ?? [];
  const iso = ISO_DATE.test(text) ? text : isoDate(year, month, day);
  return iso === null ? null : instantOf(iso, hostZone());
}

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T\s](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([+-]\d{2}:?\d{2}|Z|\s(?:UTC|GMT))?)?$/;
/** `Thu Jan 2 10:11:12 2020`, with or without the name of the day. */
const NAMED_TIME = /^(?:\w+,?\s+)?([A-Za-z]{3})[a-z]*\s+(\d{1,2})\s+(\d{1,2}):(\d{1,2}):(\d{1,2}),?\s+(\d{4}|\d{2})$/;

/** A time that names no zone is one of UTC. */
function dateTimeOf(text: string): Timestamp | null {
  const iso = ISO_TIME.exec(text);
  if (iso !== null) {
    const [, day = '', time = '00:00', zone = 'Z'] = iso;
    return instantOf(`${day}T${time}${/UTC|GMT/.test(zone) ? 'Z' : zone}`, UTC);
  }
  const [, month = '', day = '', hour = '', minute = '', second = '', year = ''] = NAMED_TIME.exec(text) ?? [];
  const date = isoDate(year, month, day);
  return date === null ? null : instantOf(`${date}T${[hour, minute, second].map(twoDigits).join(':')}Z`, UTC);
}

/** Years of two digits are those of 1969 to 2068. */
function isoDate(year: string, month: string, day: string): string | null {
  const number = MONTHS.indexOf(month.toLowerCase()) + 1;
  if (number === 0) return null;
  const century = year.length === 4 ? '' : Number(year) >= 69 ? '19' : '20';
  return `${century}${year}-${twoDigits(String(number))}-${twoDigits(day)}`;
}

function twoDigits(text: string): string {
  return text.padStart(2, '0');
}

function instantOf(iso: string, zone: Zone): Timestamp | null {
  const instant = parseIso8601(iso, zone);
  return instant === null ? null : new Timestamp(instant);
}
