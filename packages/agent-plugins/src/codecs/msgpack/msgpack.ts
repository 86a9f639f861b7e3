/**
 * The msgpack codec. A stream may cut a value anywhere: what is not whole yet waits for its rest.
 */

import type { EventValue, FieldReference, LogEvent } from '@shoal/agent-event';
import {
  type Decoder,
  type PluginContext,
  type PluginDefinition,
  targetedEvent,
  textEvent,
  textFormat,
} from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import { CUT_OFF, MsgpackReader } from '../../msgpack/msgpack-reader.ts';
import { writeMsgpack } from '../../msgpack/msgpack-writer.ts';

const FAILURE = '_msgpackparsefailure';
/** A value that is still not whole then is no value. */
const HELD_BYTES_MAX = 64 * 1024 * 1024;

export const msgpackCodec: PluginDefinition = {
  kind: 'codec',
  name: 'msgpack',
  version: '3.1.0',
  options: { format: { type: 'template' }, target: { type: 'fieldReference' } },
  create(options, context) {
    const target = options.has('target') ? options.reference('target') : null;
    const format = options.has('format') ? textFormat(options) : null;
    return {
      name: 'msgpack',
      decoder: () => new ValueDecoder(target, context.ecs),
      encode: (event) => writeMsgpack(format === null ? event.fields : format.render(event)),
    };
  },
};

class ValueDecoder implements Decoder {
  private readonly target: FieldReference | null;
  private readonly ecs: PluginContext['ecs'];
  private held: Uint8Array = new Uint8Array(0);

  constructor(target: FieldReference | null, ecs: PluginContext['ecs']) {
    this.target = target;
    this.ecs = ecs;
  }

  decode(bytes: Uint8Array): readonly LogEvent[] {
    const whole = this.held.length === 0 ? bytes : Buffer.concat([this.held, bytes]);
    this.held = new Uint8Array(0);
    const reader = new MsgpackReader(whole);
    const events: LogEvent[] = [];
    while (reader.position < whole.length) {
      const start = reader.position;
      const value = this.read(reader);
      if (value === CUT_OFF && whole.length - start <= HELD_BYTES_MAX) {
        this.held = whole.slice(start);
        return events;
      }
      // Where the next value would begin is not known after one that is broken.
      if (value === CUT_OFF || value === undefined) return [...events, this.failure(whole.subarray(start))];
      events.push(this.event(value, whole.subarray(start, reader.position)));
    }
    return events;
  }

  flush(): readonly LogEvent[] {
    const rest = this.held;
    this.held = new Uint8Array(0);
    return rest.length === 0 ? [] : [this.failure(rest)];
  }

  private read(reader: MsgpackReader): EventValue | typeof CUT_OFF | undefined {
    try {
      return reader.next();
    } catch (error) {
      if (isShoalError(error)) return undefined;
      throw error;
    }
  }

  /** A value that is no map makes an event only below a target. */
  private event(value: EventValue, bytes: Uint8Array): LogEvent {
    return value instanceof Map || this.target !== null ? targetedEvent(value, this.target) : this.failure(bytes);
  }

  private failure(bytes: Uint8Array): LogEvent {
    const event = textEvent(Buffer.from(bytes).toString('utf8'), this.ecs);
    event.tag(FAILURE);
    return event;
  }
}
