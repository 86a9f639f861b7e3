/**
 * Events of plain text: `message`, and the untouched text in `[event][original]` when fields follow ECS.
 */
import { createEvent, type EventMap, type LogEvent } from '@shoal/agent-event';
import type { PluginContext } from '../contract/plugin-definition.ts';

export function textEvent(text: string, ecs: PluginContext['ecs']): LogEvent {
  const event = createEvent(new Map([['message', text]]));
  if (ecs !== 'disabled') keepOriginal(event, text);
  return event;
}

/** A sender's own `event.original` stays. */
export function keepOriginal(event: LogEvent, text: string): void {
  const holder = event.fields.get('event');
  if (holder instanceof Map) {
    if (!holder.has('original')) holder.set('original', text);
  } else if (holder === undefined) {
    const made: EventMap = new Map([['original', text]]);
    event.fields.set('event', made);
  }
}
