/**
 * json: reads a field as JSON, into the event or below a target. Integers of any size and floats keep their kind.
 */

import {
  type EventMap,
  type EventValue,
  type LogEvent,
  parseEventJson,
  parseTimestamp,
  Timestamp,
} from '@shoal/agent-event';
import { noteRootTarget, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';

export const jsonFilter: PluginDefinition = {
  kind: 'filter',
  name: 'json',
  version: '3.2.1',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    target: { type: 'fieldReference' },
    skip_on_invalid_json: { type: 'boolean', default: false },
    tag_on_failure: { type: 'array', default: ['_jsonparsefailure'] },
  },
  create: (options, context) => {
    noteRootTarget(options, context);
    const source = options.reference('source');
    const target = options.has('target') ? options.reference('target') : null;
    const failureTags = options.boolean('skip_on_invalid_json') ? [] : options.strings('tag_on_failure');
    const fail = (event: LogEvent): 'unmatched' => {
      for (const tag of failureTags) event.tag(tag);
      return 'unmatched';
    };
    return {
      filter: (event) => {
        const text = event.get(source);
        if (text === undefined || text === null || text === '') return 'unmatched';
        const value = typeof text === 'string' ? parseOrUndefined(text) : undefined;
        if (value === undefined) return fail(event);
        if (target !== null) event.set(target, value);
        else if (value instanceof Map) mergeIntoRoot(event, value);
        else return fail(event);
        return 'matched';
      },
    };
  },
};

function parseOrUndefined(text: string): EventValue | undefined {
  try {
    return parseEventJson(text);
  } catch (error) {
    // Text that is no JSON is what the failure tag is for.
    if (isShoalError(error)) return undefined;
    throw error;
  }
}

function mergeIntoRoot(event: LogEvent, map: EventMap): void {
  for (const [name, value] of map) {
    if (name === '@timestamp') setTimestamp(event, value);
    else if (name === '@metadata') {
      if (value instanceof Map) for (const [key, item] of value) event.metadata.set(key, item);
    } else event.fields.set(name, value);
  }
}

function setTimestamp(event: LogEvent, value: EventValue): void {
  const time = typeof value === 'string' ? parseTimestamp(value) : value;
  if (time instanceof Timestamp) {
    event.timestamp = time;
    return;
  }
  event.fields.set('_@timestamp', value);
  event.tag('_timestampparsefailure');
}
