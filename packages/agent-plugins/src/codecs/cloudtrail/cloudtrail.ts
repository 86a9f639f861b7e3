/**
 * The cloudtrail codec: files of AWS CloudTrail, one JSON text whose records are events.
 */
import { type EventMap, type EventValue, type LogEvent, parseEventJson } from '@shoal/agent-event';
import {
  charsetNamed,
  failedEvent,
  JSON_FAILURE,
  type PluginContext,
  type PluginDefinition,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

/** Sent as an object by one version of AWS and as a plain value by another: an index can only have one of them. */
const TWO_SHAPED = 'disableApiTermination';

export const cloudtrailCodec: PluginDefinition = {
  kind: 'codec',
  name: 'cloudtrail',
  version: '3.0.5',
  options: { charset: { type: 'string', default: 'UTF-8' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    return {
      name: 'cloudtrail',
      needsUnits: true,
      decoder: () => ({ decode: (bytes) => recordEvents(charset.decode(bytes), context), flush: () => [] }),
      encode() {
        throw new ShoalError('illegal_argument_exception', 400, 'the codec cloudtrail only decodes');
      },
    };
  },
};

function recordEvents(text: string, { ecs }: PluginContext): LogEvent[] {
  if (text.trim() === '') return [];
  let value: EventValue;
  try {
    value = parseEventJson(text);
  } catch {
    // The text goes on as an event with a tag: what to do with it is the configuration's decision.
    return [failedEvent(text, JSON_FAILURE, ecs)];
  }
  const records = value instanceof Map ? (value.get('Records') ?? null) : undefined;
  if (records === undefined) return [failedEvent(text, JSON_FAILURE, ecs)];
  return (Array.isArray(records) ? records : []).map((record) =>
    record instanceof Map ? recordEvent(record) : failedEvent(text, JSON_FAILURE, ecs),
  );
}

function recordEvent(record: EventMap): LogEvent {
  const time = record.get('eventTime');
  record.delete('eventTime');
  if (time !== undefined && time !== null) record.set('@timestamp', time);
  const parameters = record.get('requestParameters');
  const shaped = parameters instanceof Map ? parameters.get(TWO_SHAPED) : undefined;
  if (parameters instanceof Map && shaped !== undefined && !(shaped instanceof Map))
    parameters.set(TWO_SHAPED, new Map([['value', shaped]]));
  return targetedEvent(record, null);
}
