/**
 * One JSON text to events: an object is one, an array one for each item. What is no JSON becomes a message with a tag.
 */
import { createEvent, type EventValue, type FieldReference, type LogEvent, parseEventJson } from '@shoal/agent-event';
import type { PluginContext } from '../contract/plugin-definition.ts';
import { keepOriginal, textEvent } from './original-text.ts';

export const JSON_FAILURE = '_jsonparsefailure';

export interface JsonEventOptions {
  /** Field that gets the object; null for the top of the event. */
  readonly target: FieldReference | null;
  readonly ecs: PluginContext['ecs'];
}

export function jsonEvents(text: string, options: JsonEventOptions): LogEvent[] {
  if (text.trim() === '') return [];
  let value: EventValue;
  try {
    value = parseEventJson(text);
  } catch {
    // The text goes on as an event with a tag: what to do with it is the configuration's decision.
    return [failedEvent(text, JSON_FAILURE, options.ecs)];
  }
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (!(item instanceof Map)) return failedEvent(text, JSON_FAILURE, options.ecs);
    const event = targetedEvent(item, options.target);
    if (options.ecs !== 'disabled' && items.length === 1) keepOriginal(event, text);
    return event;
  });
}

/** An event of `item`, at its top or below `target`. */
export function targetedEvent(item: EventValue, target: FieldReference | null): LogEvent {
  if (target === null) return createEvent(item instanceof Map ? item : new Map([['message', item]]));
  const event = createEvent();
  event.set(target, item);
  return event;
}

export function failedEvent(text: string, tag: string, ecs: PluginContext['ecs']): LogEvent {
  const event = textEvent(text, ecs);
  event.tag(tag);
  return event;
}
