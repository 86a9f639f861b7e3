/**
 * Values that a statement takes from an event: a field, a text with fields in it, or a constant.
 */
import { compileTemplate, type EventValue, type LogEvent, parseFieldReference, toEventValue } from '@shoal/agent-event';
import type { PluginContext } from '@shoal/agent-plugin-kit';

export interface EventParameter {
  of(event: LogEvent): EventValue;
  /** A text that is the same for every event, which somebody may have meant as a field; null for all else. */
  readonly constantText: string | null;
}

const INTERPOLATED = /%\{[^}]*\}/;
const BRACKETS = /^(?:\s*\[[^\]]+\]\s*)+$/;

/** A name of a field, or a text with `%{field}` in it. */
export function fieldParameter(given: unknown, context: PluginContext): EventParameter {
  const text = String(given);
  if (INTERPOLATED.test(text)) return template(text, context);
  const reference = parseFieldReference(text.trim(), context.escapeStyle);
  return { of: (event) => event.get(reference) ?? null, constantText: null };
}

/** A field in brackets, a text with `%{field}` in it, and a constant otherwise. */
export function bindParameter(given: unknown, context: PluginContext): EventParameter {
  if (typeof given === 'string') {
    if (INTERPOLATED.test(given)) return template(given, context);
    if (BRACKETS.test(given)) return fieldParameter(given, context);
  }
  const value = toEventValue(given);
  return { of: () => value, constantText: typeof given === 'string' ? given : null };
}

function template(text: string, context: PluginContext): EventParameter {
  const compiled = compileTemplate(text, context);
  return { of: (event) => compiled.render(event), constantText: null };
}
