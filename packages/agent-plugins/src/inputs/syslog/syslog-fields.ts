/**
 * Syslog lines to fields: a grok pattern, then priority to facility and severity, then the time. Pure.
 */

import {
  type EventMap,
  type EventValue,
  emptyDateFields,
  hostZone,
  instantOf,
  type LogEvent,
  parseFieldReference,
  parseIso8601,
  printValue,
  Timestamp,
  timeZone,
  type Zone,
} from '@shoal/agent-event';
import type { PluginContext } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { type CompiledGrok, coerceCapture, compileGrok, corePatterns } from '@shoal/extraction';

const FAILURE = '_grokparsefailure_sysloginput';
const NO_TIME = '_dateparsefailure';
/** user.notice, as RFC 3164 has it for messages without one. */
const PRIORITY_UNKNOWN = 13;
const GROK_TIMEOUT_MS = 1_000;
const RFC_3164 = /^(\p{L}+)\.? +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:[.,](\d{1,3}))?$/u;

export interface SyslogRules {
  readonly grok: CompiledGrok;
  readonly zone: Zone;
  /** Months by the first letters of their names, in lower case: 0 is January. */
  readonly months: ReadonlyMap<string, number>;
  readonly usesLabels: boolean;
  readonly facilities: readonly string[];
  readonly severities: readonly string[];
  readonly isLegacy: boolean;
}

export function syslogGrok(pattern: string, ecs: PluginContext['ecs']): CompiledGrok {
  return compileGrok(pattern, { library: corePatterns(ecs), namedCapturesOnly: true, timeoutMs: GROK_TIMEOUT_MS });
}

export function syslogZone(name: string | null): Zone {
  return name === null ? hostZone() : timeZone(name);
}

/**
 * Names of months in the language and in English, long and short.
 *
 * @throws ShoalError for what is no language
 */
export function monthNumbers(locale: string): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const language of [locale.replaceAll('_', '-'), 'en']) {
    for (const month of ['long', 'short'] as const) {
      const format = monthFormat(language, month);
      for (let index = 0; index < 12; index++) {
        const name = format
          .format(Date.UTC(2024, index, 15))
          .replace(/\.$/, '')
          .toLowerCase();
        if (!months.has(name)) months.set(name, index);
      }
    }
  }
  return months;
}

function monthFormat(language: string, month: 'long' | 'short'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
  } catch {
    throw new ShoalError('illegal_argument_exception', 400, `no such locale [${language}]`);
  }
}

/** Reads `line` into fields of `event`. */
export function readSyslog(event: LogEvent, line: string, rules: SyslogRules, nowMs: number): void {
  const match = rules.grok.match(line);
  const found: EventMap = new Map();
  if (match === null || typeof match === 'symbol') event.tag(FAILURE);
  else
    for (const [i, text] of match.entries()) {
      const capture = rules.grok.captures[i];
      if (text === undefined || text === '' || capture === undefined) continue;
      const name = (rules.isLegacy ? null : LEGACY_NAMES.get(capture.field)) ?? capture.field;
      found.set(name, coerceCapture(text, capture.type));
    }
  const priority = Number(found.get('priority') ?? PRIORITY_UNKNOWN);
  found.set('priority', priority);
  found.set('facility', Math.floor(priority / 8));
  found.set('severity', priority % 8);
  if (rules.usesLabels) {
    putLabel(found, 'facility_label', rules.facilities[Math.floor(priority / 8)]);
    putLabel(found, 'severity_label', rules.severities[priority % 8]);
  }
  const iso = found.get('timestamp8601');
  if (iso !== undefined) found.set('timestamp', iso);
  const time = found.get('timestamp');
  if (time !== undefined) {
    const epochMs = parseTime(printValue(time), rules, nowMs);
    if (epochMs === null) event.tag(NO_TIME);
    else event.timestamp = new Timestamp(epochMs);
  }
  // Under ECS `@timestamp` has it.
  if (!rules.isLegacy) for (const name of TIME_NAMES) found.delete(name);
  for (const [name, value] of found) {
    const target = rules.isLegacy ? name : (ECS_NAMES.get(name) ?? name);
    event.set(parseFieldReference(target), rules.isLegacy ? value : ecsValue(name, value));
  }
}

const ECS_NAMES: ReadonlyMap<string, string> = new Map([
  ['priority', '[log][syslog][priority]'],
  ['facility', '[log][syslog][facility][code]'],
  ['facility_label', '[log][syslog][facility][name]'],
  ['severity', '[log][syslog][severity][code]'],
  ['severity_label', '[log][syslog][severity][name]'],
  ['program', '[process][name]'],
  ['pid', '[process][pid]'],
  ['logsource', '[host][hostname]'],
]);
const TIME_NAMES = ['timestamp', 'timestamp8601'];

/** Patterns may name a part either way: here it has the short name until it is stored. */
const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([...ECS_NAMES].map(([name, field]) => [field, name]));

function ecsValue(name: string, value: EventValue): EventValue {
  return name === 'pid' && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function putLabel(found: EventMap, name: string, label: string | undefined): void {
  if (label !== undefined) found.set(name, label);
}

/** RFC 3164 has no year: it is guessed as the date filter guesses it. */
function parseTime(text: string, { zone, months }: SyslogRules, nowMs: number): number | null {
  const parts = RFC_3164.exec(text);
  if (parts === null) return parseIso8601(text, zone);
  const [, monthName = '', day, hour, minute, second, fraction = '0'] = parts;
  const month = months.get(monthName.toLowerCase()) ?? months.get(monthName.slice(0, 3).toLowerCase());
  if (month === undefined) return null;
  const fields = emptyDateFields();
  fields.month = month + 1;
  fields.day = Number(day);
  fields.hour = Number(hour);
  fields.minute = Number(minute);
  fields.second = Number(second);
  fields.millis = Number(fraction.padEnd(3, '0'));
  return instantOf(fields, zone, () => nowMs);
}
