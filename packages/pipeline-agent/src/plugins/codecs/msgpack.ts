/**
 * The msgpack codec. A stream may cut a value anywhere: what is not whole yet waits for its rest.
 */
import { DoubleNumber, ShoalError } from '@shoal/core';
import { Packr, Unpackr } from 'msgpackr';
import { toEventValue } from '../../event/event-from-json.ts';
import type { EventValue } from '../../event/event-value.ts';
import type { FieldReference } from '../../event/field-reference.ts';
import type { LogEvent } from '../../event/log-event.ts';
import { Timestamp } from '../../event/timestamp.ts';
import type { Decoder, PluginContext, PluginDefinition } from '../../plugin/plugin-definition.ts';
import { targetedEvent } from './json-events.ts';
import { textEvent } from './original-text.ts';
import { textFormat } from './plain.ts';

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
    const packer = new Packr({ useRecords: false, variableMapSize: true });
    return {
      name: 'msgpack',
      decoder: () => new ValueDecoder(target, context.ecs),
      encode: (event) => packer.pack(format === null ? packable(event.fields) : format.render(event)),
    };
  },
};

class ValueDecoder implements Decoder {
  private readonly unpacker = new Unpackr({ useRecords: false, mapsAsObjects: false });
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
    const events: LogEvent[] = [];
    let taken = 0;
    try {
      this.unpacker.unpackMultiple(whole, (value: unknown, _start?: number, end?: number) => {
        events.push(this.event(value));
        taken = end ?? whole.length;
      });
    } catch (error) {
      const isCut = error instanceof Error && 'incomplete' in error && error.incomplete === true;
      const rest = whole.subarray(taken);
      if (isCut && rest.length <= HELD_BYTES_MAX) this.held = rest.slice();
      else events.push(this.failure(rest));
    }
    return events;
  }

  flush(): readonly LogEvent[] {
    const rest = this.held;
    this.held = new Uint8Array(0);
    return rest.length === 0 ? [] : [this.failure(rest)];
  }

  private event(value: unknown): LogEvent {
    const fields = toEventValue(safeIntegers(value));
    if (!(value instanceof Map) && this.target === null)
      throw new ShoalError('illegal_argument_exception', 400, 'a msgpack value that is no map is no event');
    return targetedEvent(fields, this.target);
  }

  private failure(bytes: Uint8Array): LogEvent {
    const event = textEvent(Buffer.from(bytes).toString('utf8'), this.ecs);
    event.tag(FAILURE);
    return event;
  }
}

/** The library reads every 64-bit integer as a bigint; here only those beyond 2^53 are one. */
function safeIntegers(value: unknown): unknown {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(safeIntegers);
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, safeIntegers(item)]));
  return value;
}

/** Times go as text, for msgpack's own are not read everywhere. */
function packable(value: EventValue): unknown {
  if (value instanceof Timestamp) return value.toString();
  if (value instanceof DoubleNumber) return value.value;
  if (Array.isArray(value)) return value.map(packable);
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, packable(item)]));
  return value;
}
