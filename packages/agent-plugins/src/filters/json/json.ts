/**
 * json: reads a field as JSON, into the event or below a target. Integers of any size and floats keep their kind.
 */

import { type EventValue, type LogEvent, parseEventJson } from '@shoal/agent-event';
import { mergeIntoRoot, noteRootTarget, type PluginDefinition } from '@shoal/agent-plugin-kit';
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
    const failureTags = options.strings('tag_on_failure');
    const skipsInvalid = options.boolean('skip_on_invalid_json');
    const fail = (event: LogEvent): 'unmatched' => {
      for (const tag of failureTags) event.tag(tag);
      return 'unmatched';
    };
    return {
      filter: (event) => {
        const text = event.get(source);
        if (text === undefined || text === null || text === '') return 'unmatched';
        const value = typeof text === 'string' ? parseOrUndefined(text) : undefined;
        if (value === undefined) return skipsInvalid ? 'unmatched' : fail(event);
        if (target === null && !(value instanceof Map)) return fail(event);
        try {
          if (target !== null) event.set(target, value);
          else if (value instanceof Map) mergeIntoRoot(event, value, context.runtime.clock);
          return 'matched';
        } catch (error) {
          // A name that is no reference, or a value that its field cannot have. What was set before stays.
          if (!isShoalError(error)) throw error;
          return fail(event);
        }
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
