/**
 * Syslog lines to fields: a grok pattern, then priority to facility and severity, then the time. Pure.
 */
import type { EventMap, EventValue } from '../../event/event-value.ts';
import type { LogEvent } from '../../event/log-event.ts';
import { parseFieldReference } from '../../event/parse-field-reference.ts';
import { Timestamp } from '../../event/timestamp.ts';
import { coerceCapture } from '../../grok/coerce-capture.ts';
import { type CompiledGrok, compileGrok } from '../../grok/compile-grok.ts';
import { corePatterns } from '../../grok/pattern-library.ts';
import type { PluginContext } from '../../plugin/plugin-definition.ts';
import { parseIso8601 } from '../filters/date-parsers.ts';
import { timeZone, type Zone } from '../filters/zone-offset.ts';

const FAILURE = '_grokparsefailure_sysloginput';
/** user.notice, as RFC 3164 has it for messages without one. */
const PRIORITY_UNKNOWN = 13;
const GROK_TIMEOUT_MS = 1_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RFC_3164 = /^([A-Za-z]{3})[a-z]* +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:[.,](\d{1,3}))?$/;
const HALF_YEAR_MS = 182 * 86_400_000;

export interface SyslogRules {
  readonly grok: CompiledGrok;
  readonly zone: Zone;
  readonly usesLabels: boolean;
  readonly facilities: readonly string[];
  readonly severities: readonly string[];
  readonly isLegacy: boolean;
}

export function syslogGrok(pattern: string, ecs: PluginContext['ecs']): CompiledGrok {
  return compileGrok(pattern, { library: corePatterns(ecs), namedCapturesOnly: true, timeoutMs: GROK_TIMEOUT_MS });
}

export function syslogZone(name: string | null): Zone {
  return timeZone(name ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
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
  const time = found.get('timestamp8601') ?? found.get('timestamp');
  const epochMs = typeof time === 'string' ? parseTime(time, rules.zone, nowMs) : null;
  if (epochMs !== null) event.timestamp = new Timestamp(epochMs);
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
  ['timestamp8601', 'timestamp'],
]);

/** Patterns may name a part either way: here it has the short name until it is stored. */
const LEGACY_NAMES: ReadonlyMap<string, string> = new Map(
  [...ECS_NAMES].filter(([name]) => name !== 'timestamp8601').map(([name, field]) => [field, name]),
);

function ecsValue(name: string, value: EventValue): EventValue {
  return name === 'pid' && typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function putLabel(found: EventMap, name: string, label: string | undefined): void {
  if (label !== undefined) found.set(name, label);
}

/** RFC 3164 has no year: the one that brings the time nearest to now. */
function parseTime(text: string, zone: Zone, nowMs: number): number | null {
  const parts = RFC_3164.exec(text);
  if (parts === null) return parseIso8601(text, zone);
  const [, monthName = '', day, hour, minute, second, fraction = '0'] = parts;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return null;
  const year = new Date(nowMs).getUTCFullYear();
  const at = (candidate: number): number | null =>
    zone.instantOf(
      Date.UTC(
        candidate,
        month,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
        Number(fraction.padEnd(3, '0')),
      ),
    );
  const near = [year, year - 1, year + 1].map(at).find((ms) => ms !== null && Math.abs(ms - nowMs) <= HALF_YEAR_MS);
  return near ?? at(year);
}
