/**
 * One JSON text to events: an object is one, an array one for each item. What is no JSON becomes a message with a tag.
 */
import { createEvent, type EventValue, type FieldReference, type LogEvent, parseEventJson } from '@shoal/agent-event';
import { StepMeter, type Steps } from '@shoal/core';
import type { PluginContext } from '../contract/plugin-definition.ts';
import { arrayItems, isJsonArray } from './json-array-items.ts';
import { keepOriginal, textEvent } from './original-text.ts';

export const JSON_FAILURE = '_jsonparsefailure';
/** Text that is read, and becomes an event, in about a microsecond. */
const CHARS_OF_UNIT = 30;

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

/** The same in steps: the items of an array are read one by one. */
export function* jsonEventsInSteps(text: string, options: JsonEventOptions): Steps<readonly LogEvent[]> {
  if (!isJsonArray(text)) return jsonEvents(text, options);
  const meter = new StepMeter();
  const events: LogEvent[] = [];
  let last: EventValue = null;
  try {
    for (const { from, to } of arrayItems(text)) {
      last = onlyItem(text.slice(from, to));
      const isObject = last instanceof Map;
      events.push(isObject ? targetedEvent(last, options.target) : failedEvent(text, JSON_FAILURE, options.ecs));
      if (meter.isDue((to - from) / CHARS_OF_UNIT)) yield;
    }
  } catch {
    // Nothing comes of an array that breaks off but its text, with a tag.
    return [failedEvent(text, JSON_FAILURE, options.ecs)];
  }
  const [only] = events;
  if (options.ecs !== 'disabled' && events.length === 1 && last instanceof Map && only !== undefined)
    keepOriginal(only, text);
  return events;
}

/** Read in an array of its own, so that it is nested as deep as it stands. */
function onlyItem(text: string): EventValue {
  const read = parseEventJson(`[${text}]`);
  if (!Array.isArray(read) || read.length !== 1) throw new SyntaxError('a comma with nothing behind it');
  return read[0] ?? null;
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
