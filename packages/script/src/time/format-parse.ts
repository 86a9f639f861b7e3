/**
 * Parts of a formatter, read from a text. A position below zero is that of the failure, as `-1 - position`.
 */
import { JavaException } from '../values/java-exception.ts';
import { type FormatPart, isFixed, type NumberPart, type OffsetPart, type ParseState } from './format-parts.ts';
import { fieldNames } from './format-print.ts';
import { chronoField, type JavaField } from './temporal-field.ts';
import { JavaOffset, JavaZone } from './time-zones.ts';
import { ZONES_BY_NAME } from './zone-names.ts';

const failed = (at: number): number => -1 - at;

export function parseParts(parts: readonly FormatPart[], state: ParseState, from: number): number {
  let at = from;
  for (const part of parts) {
    at = parsePart(part, state, at);
    if (at < 0) return at;
  }
  return at;
}

function parsePart(part: FormatPart, state: ParseState, at: number): number {
  switch (part.kind) {
    case 'literal':
      return state.matches(at, part.text) ? at + part.text.length : failed(at);
    case 'number':
      return parseNumber(part, state, at);
    case 'fraction':
      return parseFraction(part, state, at);
    case 'text':
      return parseText(part, state, at);
    case 'offset':
      return parseOffset(part, state, at);
    case 'localizedOffset':
      return parseLocalized(state, at);
    case 'zoneId':
      return parseZone(state, at, false);
    case 'zoneText':
      return parseZone(state, at, true);
    case 'instant':
      return parseInstant(state, at);
    case 'pad':
      return parsePadded(part, state, at);
    case 'optional':
      return parseOptional(part.parts, state, at);
    case 'case':
      state.isCaseSensitive = part.isSensitive;
      return at;
    case 'strict':
      state.isStrict = part.isStrict;
      return at;
    default:
      if (!state.fields.has(part.field)) state.fields.set(part.field, part.value);
      return at;
  }
}

function set(state: ParseState, field: JavaField, value: number, at: number, end: number): number {
  return state.set(field, value) ? end : failed(at);
}

function parseOptional(parts: readonly FormatPart[], state: ParseState, at: number): number {
  const before = new Map(state.fields);
  const { zone } = state;
  const end = parseParts(parts, state, at);
  if (end >= 0) return end;
  state.fields = before;
  state.zone = zone;
  return at;
}

const isDigit = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';

/** A sign is taken where the style has one. */
function acceptsSign({ sign, min, max }: NumberPart, isPositive: boolean, isStrict: boolean): boolean {
  if (sign === 'NORMAL') return !isPositive || !isStrict;
  if (sign === 'ALWAYS' || sign === 'EXCEEDS_PAD') return true;
  return !isStrict && min !== max;
}

function parseNumber(part: NumberPart, state: ParseState, from: number): number {
  const { text, isStrict } = state;
  const mark = text[from];
  let at = from;
  if (mark === '+' || mark === '-') {
    if (!acceptsSign(part, mark === '+', isStrict)) return failed(from);
    at++;
  } else if (part.sign === 'ALWAYS' && isStrict) return failed(from);
  const isWidthFixed = part.behind === -1 || (part.behind > 0 && isFixed(part));
  const min = isStrict || isWidthFixed ? part.min : 1;
  let max = (isStrict || isWidthFixed ? part.max : 9) + Math.max(part.behind, 0);
  if (at + min > text.length) return failed(at);
  let end = at;
  while (end - at < max && isDigit(text[end])) end++;
  if (part.behind > 0) {
    max = Math.max(min, end - at - part.behind);
    end = Math.min(end, at + max);
  }
  const count = end - at;
  if (count < min || count === 0) return failed(at);
  const size = Number(text.slice(at, end));
  const isNegative = mark === '-';
  if (isNegative && size === 0 && isStrict) return failed(at - 1);
  if (part.sign === 'EXCEEDS_PAD' && isStrict && !isNegative) {
    if (mark === '+' ? count <= part.min : count > part.min) return failed(mark === '+' ? at - 1 : at);
  }
  let value = isNegative ? -size : size;
  if (part.base !== null && count === part.min && !isNegative) {
    const within = part.base % 100;
    value = part.base - within + size + (size < within ? 100 : 0);
  }
  return set(state, part.field, value, from, end);
}

function parseFraction(part: Extract<FormatPart, { kind: 'fraction' }>, state: ParseState, from: number): number {
  const { text, isStrict } = state;
  const min = isStrict ? part.min : 0;
  let at = from;
  if (part.hasPoint) {
    if (text[at] !== '.') return min > 0 ? failed(at) : at;
    at++;
  }
  let end = at;
  while (end - at < (isStrict ? part.max : 9) && isDigit(text[end])) end++;
  if (end - at < min || end === at) return min === 0 && !part.hasPoint ? from : failed(at);
  const width = String(part.field.range.maximum).length;
  return set(state, part.field, Number(text.slice(at, end).padEnd(width, '0').slice(0, width)), at, end);
}

function parseText(part: Extract<FormatPart, { kind: 'text' }>, state: ParseState, at: number): number {
  const { field, style, names } = part;
  const styles = state.isStrict ? [style] : (['long', 'short', 'narrow'] as const);
  for (const one of styles) {
    const known = fieldNames(field, one, names, state) ?? [];
    const found = [...known.entries()]
      .filter(([, name]) => name !== '' && state.matches(at, name))
      .sort(([, a], [, b]) => b.length - a.length)[0];
    if (found !== undefined) return set(state, field, found[0] + field.range.minimum, at, at + found[1].length);
  }
  if (state.isStrict) return failed(at);
  const digits = /^\d{1,9}/.exec(state.text.slice(at))?.[0];
  return digits === undefined ? failed(at) : set(state, field, Number(digits), at, at + digits.length);
}

function parseOffset({ hasColon, minutes, seconds, none }: OffsetPart, state: ParseState, at: number): number {
  const field = chronoField('OFFSET_SECONDS');
  const colon = hasColon ? ':' : '';
  const piece = (need: OffsetPart['minutes'], inner: string): string =>
    need === 'never' ? '' : `(?:${colon}([0-5]\\d)${inner})${need === 'needed' ? '?' : ''}`;
  const pattern = new RegExp(`^([+-])(\\d\\d)${piece(minutes, piece(seconds, ''))}`);
  const match = pattern.exec(state.text.slice(at));
  if (match !== null) {
    const [whole, mark, hours, minute = '0', second = '0'] = match;
    const size = Number(hours) * 3_600 + Number(minute) * 60 + Number(second);
    return set(state, field, mark === '-' ? -size : size, at, at + whole.length);
  }
  if (none !== '' && state.matches(at, none)) return set(state, field, 0, at, at + none.length);
  return none === '' ? set(state, field, 0, at, at) : failed(at);
}

function parseLocalized(state: ParseState, at: number): number {
  if (!state.matches(at, 'GMT')) return failed(at);
  const match = /^GMT(?:([+-])(\d{1,2})(?::(\d\d))?(?::(\d\d))?)?/i.exec(state.text.slice(at));
  const [whole = '', mark, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
  const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return set(state, chronoField('OFFSET_SECONDS'), mark === '-' ? -size : size, at, at + whole.length);
}

function parseZone(state: ParseState, at: number, hasNames: boolean): number {
  const rest = state.text.slice(at);
  const [id = ''] =
    /^(?:[+-]\d\d(?::?\d\d){0,2}|(?:UTC|GMT|UT)[+-]\d{1,2}(?::?\d\d){0,2}|[A-Za-z][A-Za-z0-9~/._+-]*)/.exec(rest) ?? [];
  for (let length = id.length; length > 0; length--) {
    const name = id.slice(0, length);
    const zone = zoneNamed(hasNames ? (ZONES_BY_NAME[name.toUpperCase()] ?? name) : name);
    if (zone !== null) {
      state.zone = zone;
      return at + length;
    }
    // A name that is cut is none, unless a separator is where it is cut.
    if (/[A-Za-z]/.test(id[length - 1] ?? '')) return failed(at);
  }
  return failed(at);
}

function zoneNamed(id: string): JavaZone | null {
  try {
    return JavaZone.of(id);
  } catch (error) {
    if (error instanceof JavaException) return null;
    throw error;
  }
}

const INSTANT = /^([+-]?\d{4,10})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{0,9}))?(Z|[+-]\d\d(?::\d\d){1,2})/i;

function parseInstant(state: ParseState, at: number): number {
  const match = INSTANT.exec(state.text.slice(at));
  if (match === null) return failed(at + instantFailure(state.text.slice(at)));
  const [whole, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match;
  const values: readonly (readonly [string, number])[] = [
    ['YEAR', Number(year)],
    ['MONTH_OF_YEAR', Number(month)],
    ['DAY_OF_MONTH', Number(day)],
    ['HOUR_OF_DAY', Number(hour)],
    ['MINUTE_OF_HOUR', Number(minute)],
    ['SECOND_OF_MINUTE', Number(second)],
    ['NANO_OF_SECOND', Number(fraction.padEnd(9, '0'))],
  ];
  for (const [name, value] of values) state.set(chronoField(name), value);
  const zone = JavaZone.of(offset.toUpperCase());
  state.set(chronoField('OFFSET_SECONDS'), zone instanceof JavaOffset ? zone.seconds : 0);
  return at + whole.length;
}

/** How far a text is like an instant. */
function instantFailure(text: string): number {
  const pieces = [
    /^[+-]?\d{4,10}/,
    /^-/,
    /^\d\d/,
    /^-/,
    /^\d\d/,
    /^T/i,
    /^\d\d/,
    /^:/,
    /^\d\d/,
    /^:/,
    /^\d\d/,
    /^(?:\.\d{0,9})?/,
  ];
  let at = 0;
  for (const piece of pieces) {
    const match = piece.exec(text.slice(at));
    // A text that ends within the date fails where it began.
    if (match === null) return at < 5 ? 0 : at;
    at += match[0].length;
  }
  return at;
}

function parsePadded(part: Extract<FormatPart, { kind: 'pad' }>, state: ParseState, at: number): number {
  const end = at + part.width;
  if (end > state.text.length) return failed(at);
  let from = at;
  while (from < end && state.text[from] === part.filler) from++;
  const result = parsePart(part.part, state, from);
  return result === end ? end : failed(result < 0 ? from : at);
}
