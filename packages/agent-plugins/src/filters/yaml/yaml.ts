/**
 * yaml: reads a field as YAML, into the event or below a target.
 */
import type { EventValue, LogEvent } from '@shoal/agent-event';
import { mergeIntoRoot, noteRootTarget, type PluginDefinition } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { readRubyYaml } from '../../yaml/ruby-yaml.ts';

const FAILURE = '_yamlparsefailure';

export const yamlFilter: PluginDefinition = {
  kind: 'filter',
  name: 'yaml',
  version: '1.0.0',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    target: { type: 'fieldReference' },
  },
  create: (options, context) => {
    noteRootTarget(options, context);
    const source = options.reference('source');
    const target = options.has('target') ? options.reference('target') : null;
    const put = (event: LogEvent, value: EventValue): boolean => {
      if (target !== null) event.set(target, value);
      else if (value instanceof Map) mergeIntoRoot(event, value, context.runtime.clock);
      return target !== null || value instanceof Map;
    };
    return {
      filter: (event) => {
        const text = event.get(source);
        if (text === undefined) return 'unmatched';
        const value = typeof text === 'string' ? parsedYaml(text) : undefined;
        try {
          if (value !== undefined && put(event, value)) return 'matched';
        } catch (error) {
          // A name that is no reference, or a value that its field cannot have.
          if (!isShoalError(error)) throw error;
        }
        event.tag(FAILURE);
        return 'unmatched';
      },
    };
  },
};

/** undefined for a text that is no YAML: that is what the failure tag is for. */
function parsedYaml(text: string): EventValue | undefined {
  try {
    return readRubyYaml(text);
  } catch (error) {
    // The library throws its own errors, a `ReferenceError` for aliases without an anchor or with too many uses among them.
    if (error instanceof Error && (error.name.startsWith('YAML') || error instanceof ReferenceError)) return undefined;
    throw error;
  }
}
