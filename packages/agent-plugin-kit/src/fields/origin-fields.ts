/**
 * Fields that inputs add about where an event came from, by the naming scheme of the pipeline.
 */
import type { EventValue, LogEvent } from '@shoal/agent-event';
import type { PluginContext } from '../contract/plugin-definition.ts';

/**
 * The machine the agent runs on: `host`, or below `[host]` under ECS, where standard input calls it `hostname` and all
 * others `name`. What the event says itself stays.
 */
export function addHost(
  event: LogEvent,
  context: Pick<PluginContext, 'ecs' | 'hostName'>,
  ecsName: 'name' | 'hostname' = 'name',
): void {
  if (context.ecs === 'disabled') {
    if (!event.fields.has('host')) event.fields.set('host', context.hostName);
  } else putMissing(event, ['host', ecsName], context.hostName);
}

/** Sets the field at `path` unless there is one, or a scalar in its way. */
export function putMissing(event: LogEvent, path: readonly string[], value: EventValue): void {
  putIn(event.fields, path, value);
}

export function putMetadata(event: LogEvent, path: readonly string[], value: EventValue): void {
  putIn(event.metadata, path, value);
}

function putIn(root: Map<string, EventValue>, path: readonly string[], value: EventValue): void {
  let map = root;
  for (const name of path.slice(0, -1)) {
    const next = map.get(name) ?? new Map<string, EventValue>();
    if (!(next instanceof Map)) return;
    map.set(name, next);
    map = next;
  }
  const last = path[path.length - 1] ?? '';
  if (!map.has(last)) map.set(last, value);
}
