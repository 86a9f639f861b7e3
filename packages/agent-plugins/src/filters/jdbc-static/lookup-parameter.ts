/**
 * Values of a lookup in the event: a field, or a text with fields in it. A lookup whose value is not there is not made.
 */
import { compileTemplate, type EventValue, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import type { PluginContext } from '@shoal/agent-plugin-kit';

export interface LookupParameter {
  /** The text of the configuration, for messages. */
  readonly source: string;
  /** undefined when the event has none, or a list or hash, which no column can be. */
  of(event: LogEvent): EventValue | undefined;
}

export function lookupParameter(source: string, context: PluginContext): LookupParameter {
  if (/%\{[^}]+\}/.test(source)) {
    const template = compileTemplate(source, context);
    return {
      source,
      of(event) {
        const rendered = template.render(event);
        // Nothing was put in: the field is not there.
        return rendered === source ? undefined : rendered;
      },
    };
  }
  const reference = parseFieldReference(source.trim(), context.escapeStyle);
  return {
    source,
    of(event) {
      const value = event.get(reference);
      return value === null || Array.isArray(value) || value instanceof Map ? undefined : value;
    },
  };
}
