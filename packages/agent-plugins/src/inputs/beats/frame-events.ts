/**
 * What a frame of Lumberjack becomes: the events that the codec makes of its line, each with the other fields of the frame.
 */
import { createEvent, type EventMap, type LogEvent, parseEventJson } from '@shoal/agent-event';
import {
  type Codec,
  decodeUnit,
  failedEvent,
  JSON_FAILURE,
  keepOriginal,
  type PluginContext,
  rubyText,
} from '@shoal/agent-plugin-kit';
import type { LumberjackFrame, PackedFrame } from './lumberjack.ts';

/** Fields that a codec reads: that of Beats, and that of the forwarder before them. */
const LINE_FIELDS = ['message', 'line'] as const;

export interface FrameRules {
  readonly codec: Codec;
  readonly addsCodecTag: boolean;
}

export type EventFrame = Exclude<LumberjackFrame, PackedFrame | { kind: 'window' }>;

export function frameEvents(frame: EventFrame, rules: FrameRules, ecs: PluginContext['ecs']): readonly LogEvent[] {
  if (frame.kind === 'pairs') return decoded(createEvent(new Map(frame.pairs)), rules, ecs);
  const text = Buffer.from(frame.payload).toString('utf8');
  let fields: EventMap;
  try {
    const value = parseEventJson(text);
    if (!(value instanceof Map)) return [failedEvent(text, JSON_FAILURE, ecs)];
    fields = value;
  } catch {
    // The text goes on as an event with a tag: refusing it would make the sender send it for ever.
    return [failedEvent(text, JSON_FAILURE, ecs)];
  }
  return decoded(createEvent(fields), rules, ecs);
}

function decoded(event: LogEvent, { codec, addsCodecTag }: FrameRules, ecs: PluginContext['ecs']): readonly LogEvent[] {
  const name = LINE_FIELDS.find((field) => (event.fields.get(field) ?? null) !== null);
  if (name === undefined) {
    if (addsCodecTag) event.tag('beats_input_raw_event');
    return [event];
  }
  const message = rubyText(event.fields.get(name) ?? null);
  const tag = `beats_input_codec_${codec.name}_applied`;
  if (codec.name === 'plain') {
    if (name !== 'message') event.fields.delete(name);
    event.fields.set('message', message);
    if (ecs !== 'disabled') keepOriginal(event, message);
    if (addsCodecTag) event.tag(tag);
    return [event];
  }
  event.fields.delete(name);
  const made = decodeUnit(codec, Buffer.from(message, 'utf8'));
  for (const one of made) {
    const base = event.clone();
    for (const [field, value] of base.fields) if (!one.fields.has(field)) one.fields.set(field, value);
    for (const [field, value] of base.metadata) if (!one.metadata.has(field)) one.metadata.set(field, value);
    if (addsCodecTag) one.tag(tag);
  }
  return made;
}
