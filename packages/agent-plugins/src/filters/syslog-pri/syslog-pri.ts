/**
 * syslog_pri: takes the priority of a syslog message apart into facility and severity, with their names.
 */
import { type EventValue, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import {
  type PluginContext,
  type PluginDefinition,
  SYSLOG_FACILITIES,
  SYSLOG_SEVERITIES,
} from '@shoal/agent-plugin-kit';
import { asInteger, DoubleNumber, ShoalError } from '@shoal/core';
import { coerceCapture } from '@shoal/extraction';

/** user.notice, which RFC 3164 gives a message without a priority. */
const PRIORITY_UNKNOWN = 13;
const FAILURE = '_syslogpriparsefailure';

export const syslogPriFilter: PluginDefinition = {
  kind: 'filter',
  name: 'syslog_pri',
  version: '3.2.1',
  isStateless: true,
  options: {
    use_labels: { type: 'boolean', default: true },
    facility_labels: { type: 'array', default: SYSLOG_FACILITIES },
    severity_labels: { type: 'array', default: SYSLOG_SEVERITIES },
    syslog_pri_field_name: { type: 'fieldReference' },
  },
  create: (options, context) => {
    const names = fieldNames(context.ecs);
    const source = options.has('syslog_pri_field_name') ? options.reference('syslog_pri_field_name') : names.priority;
    const usesLabels = options.boolean('use_labels');
    const facilities = options.strings('facility_labels');
    const severities = options.strings('severity_labels');
    return {
      filter: (event) => {
        const priority = integerOf(event.get(source));
        const facility = priority >> 3n;
        const severity = Number(priority & 7n);
        event.set(names.severityCode, severity);
        event.set(names.facilityCode, asInteger(facility));
        if (usesLabels) putLabels(event, names, { facilities, severities }, { facility, severity });
        return 'matched';
      },
    };
  },
};

type FieldNames = ReturnType<typeof fieldNames>;

function fieldNames(ecs: PluginContext['ecs']) {
  const named = (legacy: string, current: string) => parseFieldReference(ecs === 'disabled' ? legacy : current);
  return {
    priority: named('syslog_pri', '[log][syslog][priority]'),
    facilityCode: named('syslog_facility_code', '[log][syslog][facility][code]'),
    facilityLabel: named('syslog_facility', '[log][syslog][facility][name]'),
    severityCode: named('syslog_severity_code', '[log][syslog][severity][code]'),
    severityLabel: named('syslog_severity', '[log][syslog][severity][name]'),
  };
}

/** A facility nobody has a name for says that the number was no priority: then there is no label at all, and a tag. */
function putLabels(
  event: LogEvent,
  names: FieldNames,
  labels: { readonly facilities: readonly string[]; readonly severities: readonly string[] },
  codes: { readonly facility: bigint; readonly severity: number },
): void {
  if (codes.facility >= labels.facilities.length) {
    event.tag(FAILURE);
    return;
  }
  const facility = labels.facilities.at(Number(codes.facility));
  if (facility !== undefined) event.set(names.facilityLabel, facility);
  const severity = labels.severities[codes.severity];
  if (severity !== undefined) event.set(names.severityLabel, severity);
}

/** Ruby's `to_i`, of the first item when it is a list. A bigint, whose shifts do not end at 32 bits. */
function integerOf(value: EventValue | undefined): bigint {
  if (value === undefined || value === null || value === false) return BigInt(PRIORITY_UNKNOWN);
  const one = Array.isArray(value) ? (value[0] ?? 0) : value;
  if (typeof one === 'string') return BigInt(coerceCapture(one, 'int') as number | bigint);
  if (typeof one === 'bigint') return one;
  const number = one instanceof DoubleNumber ? one.value : one;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new ShoalError('illegal_argument_exception', 400, 'the priority of a syslog message must be a number');
  return BigInt(Math.trunc(number));
}
