/**
 * Texts of extensible data notation as events, and what becomes of a text that is none.
 */
import type { EventValue, FieldReference, LogEvent } from '@shoal/agent-event';
import { type PluginContext, targetedEvent, textEvent } from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { readEdn } from './edn-reader.ts';

/** The event of a text, below `target` if there is one. What is no EDN, or no map without a target, is the message of an event. */
export function ednEvent(text: string, target: FieldReference | null, context: PluginContext): LogEvent {
  const value = readOrUndefined(text, context);
  if (value !== undefined && (target !== null || value instanceof Map)) return targetedEvent(value, target);
  return textEvent(text, 'disabled');
}

function readOrUndefined(text: string, { runtime, pluginId }: PluginContext): EventValue | undefined {
  try {
    return readEdn(text);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    runtime.log.warn('a text is no EDN and stays a text', { plugin: pluginId, reason: error.message });
    return undefined;
  }
}
