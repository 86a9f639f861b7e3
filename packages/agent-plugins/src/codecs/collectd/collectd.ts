/**
 * The collectd codec: packets of collectd's network plugin. A packet is a row of parts; what names host, plugin and time
 * counts for all values behind it, and each part of values is an event.
 */
import { type EventMap, type EventValue, type LogEvent, Timestamp } from '@shoal/agent-event';
import {
  type Decoder,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import { asFloat, asInteger, ShoalError } from '@shoal/core';
import { CollectdSecurity } from './collectd-security.ts';
import { type CollectdTypes, collectdTypes } from './collectd-types.ts';

const HEAD_BYTES = 4;
const VALUES = 6;
const MESSAGE = 256;
const SEVERITY = 257;
const SIGNATURE = 512;
const ENCRYPTION = 528;
const TIME = 1;
const TIME_HIGH_RESOLUTION = 8;
const INTERVAL = 7;
const INTERVAL_HIGH_RESOLUTION = 9;
/** Parts that hold text, by the field it goes to. They count until the next one of their kind. */
const TEXTS: ReadonlyMap<number, string> = new Map([
  [0, 'host'],
  [2, 'plugin'],
  [3, 'plugin_instance'],
  [4, 'collectd_type'],
  [5, 'type_instance'],
]);
const COUNTER = 0;
const GAUGE = 1;
const DERIVE = 2;
const ABSOLUTE = 3;
const VALUE_BYTES = 9;
const NANOS_PER_MICRO = 1_000n;

type SecurityLevel = 'None' | 'Sign' | 'Encrypt';

export const collectdCodec: PluginDefinition = {
  kind: 'codec',
  name: 'collectd',
  version: '3.1.0',
  options: {
    typesdb: { type: 'array' },
    prune_intervals: { type: 'boolean', default: true },
    security_level: { type: ['None', 'Sign', 'Encrypt'], default: 'None' },
    authfile: { type: 'string' },
    nan_handling: { type: ['change_value', 'warn', 'drop'], default: 'change_value' },
    nan_value: { type: 'number', default: 0 },
    nan_tag: { type: 'string', default: '_collectdNaN' },
  },
  create(options, context) {
    const rules = rulesOf(options);
    return {
      name: 'collectd',
      needsUnits: true,
      decoder: (): Decoder => ({
        decode: (bytes) => new Packet(rules, context).events(Buffer.from(bytes)),
        flush: () => [],
      }),
      encode() {
        throw new ShoalError('illegal_argument_exception', 400, 'the codec collectd only decodes');
      },
    };
  },
};

interface CollectdRules {
  readonly types: CollectdTypes;
  readonly level: SecurityLevel;
  /** null where nobody has to prove who they are. */
  readonly security: CollectdSecurity | null;
  readonly prunesIntervals: boolean;
  readonly nanHandling: string;
  readonly nanValue: number;
  readonly nanTag: string;
}

function rulesOf(options: PluginOptions): CollectdRules {
  const level = options.string('security_level');
  const isSecure = level === 'Sign' || level === 'Encrypt';
  if (isSecure && !options.has('authfile')) throw optionError(`[security_level => ${level}] needs an [authfile]`);
  return {
    types: collectdTypes(options.has('typesdb') ? options.strings('typesdb') : null),
    level: isSecure ? level : 'None',
    security: isSecure ? new CollectdSecurity(options.string('authfile')) : null,
    prunesIntervals: options.boolean('prune_intervals'),
    nanHandling: options.string('nan_handling'),
    nanValue: options.number('nan_value'),
    nanTag: options.string('nan_tag'),
  };
}

/** What one packet says, read from its begin to its end. */
class Packet {
  private readonly rules: CollectdRules;
  private readonly context: PluginContext;
  /** Fields that count for the values to come. */
  private readonly base: EventMap = new Map();
  private severity: EventValue = null;
  private isSigned = false;
  private isEncrypted = false;

  constructor(rules: CollectdRules, context: PluginContext) {
    this.rules = rules;
    this.context = context;
  }

  /** Events up to where the packet is broken, or up to where it should have proved who sent it. */
  events(bytes: Buffer): LogEvent[] {
    const found: LogEvent[] = [];
    let rest = bytes;
    while (rest.length >= HEAD_BYTES) {
      const type = rest.readUInt16BE(0);
      const size = rest.readUInt16BE(2);
      if (size < HEAD_BYTES || size > rest.length) return this.broken(found, 'a part is longer than its packet');
      const body = rest.subarray(HEAD_BYTES, size);
      rest = rest.subarray(size);
      if (type === ENCRYPTION) {
        const plain = this.isEncrypted ? null : (this.rules.security?.decrypted(body) ?? null);
        if (plain === null) return this.broken(found, 'it cannot be decrypted');
        this.isEncrypted = true;
        rest = plain;
      } else if (type === SIGNATURE) {
        const { security } = this.rules;
        if (security !== null && !security.isSigned(body, rest)) return this.broken(found, 'its signature is wrong');
        this.isSigned = security !== null;
      } else if (!this.isTrusted()) return this.broken(found, 'it is not as secure as it must be');
      else {
        const event = this.part(type, body);
        if (event !== null) found.push(event);
      }
    }
    return rest.length === 0 ? found : this.broken(found, 'it ends within a part');
  }

  private isTrusted(): boolean {
    const { level } = this.rules;
    return level === 'None' || this.isEncrypted || (level === 'Sign' && this.isSigned);
  }

  private part(type: number, body: Buffer): LogEvent | null {
    const field = TEXTS.get(type);
    if (field !== undefined) {
      this.base.set(field, textOf(body));
      return null;
    }
    if (type === MESSAGE) return this.event([['message', textOf(body)]]);
    if (type === VALUES) return this.values(body);
    if (body.length !== 8) return null;
    const number = body.readBigUInt64BE(0);
    switch (type) {
      case TIME:
        this.base.set('@timestamp', timeOf(number << 30n));
        return null;
      case TIME_HIGH_RESOLUTION:
        this.base.set('@timestamp', timeOf(number));
        return null;
      case SEVERITY:
        this.severity = asInteger(number);
        return null;
      case INTERVAL:
        return this.interval(number);
      case INTERVAL_HIGH_RESOLUTION:
        return this.interval(number >> 30n);
      default:
        return null;
    }
  }

  private interval(seconds: bigint): LogEvent | null {
    return this.rules.prunesIntervals ? null : this.event([['interval', asInteger(seconds)]]);
  }

  private values(body: Buffer): LogEvent | null {
    const count = Math.floor((body.length - 2) / VALUE_BYTES);
    if (count < 1 || body.length !== 2 + count * VALUE_BYTES)
      return this.refused('a part of values has another length');
    const numbers: EventValue[] = [];
    let hasNan = false;
    for (let at = 0; at < count; at++) {
      const value = valueAt(body, body.readUInt8(2 + at), 2 + count + at * 8);
      if (value === undefined) return this.refused('a value is of an unknown kind');
      if (value === null) hasNan = true;
      numbers.push(value ?? this.rules.nanValue);
    }
    if (hasNan && this.rules.nanHandling === 'drop') return null;
    if (hasNan && this.rules.nanHandling === 'warn')
      this.context.runtime.log.warn('a value of collectd that is no number was replaced', { by: this.rules.nanValue });
    const [only = null] = numbers;
    const event = this.event(numbers.length === 1 ? [['value', only]] : this.named(numbers));
    if (hasNan && this.rules.nanTag !== '') event.tag(this.rules.nanTag);
    return event;
  }

  private named(numbers: readonly EventValue[]): (readonly [string, EventValue])[] {
    const type = String(this.base.get('collectd_type') ?? '');
    const names = this.rules.types.get(type) ?? [];
    if (names.length < numbers.length) this.refused(`nothing names all values of the type [${type}]`);
    return numbers.flatMap((value, at) => (names[at] === undefined ? [] : [[names[at], value] as const]));
  }

  private event(more: readonly (readonly [string, EventValue])[]): LogEvent {
    const fields: EventMap = new Map(this.base);
    for (const name of ['type_instance', 'plugin_instance']) if (fields.get(name) === '') fields.delete(name);
    if (this.severity !== null) fields.set('severity', this.severity);
    this.severity = null;
    for (const [name, value] of more) fields.set(name, value);
    return targetedEvent(fields, null);
  }

  private refused(why: string): null {
    this.context.runtime.log.error('values of collectd are dropped', { why });
    return null;
  }

  private broken(found: LogEvent[], why: string): LogEvent[] {
    this.context.runtime.log.debug('the rest of a packet of collectd is dropped', { why });
    return found;
  }
}

/** Text up to the zero that ends it. */
function textOf(body: Buffer): string {
  return body.toString('utf8', 0, Math.max(0, body.length - 1));
}

/** @param time in seconds, of which 30 bits are the fraction */
function timeOf(time: bigint): Timestamp {
  const micros = (time * 1_000_000n) >> 30n;
  const ms = micros / 1_000n;
  // Times beyond what a date can hold come from broken senders.
  if (ms > 8_640_000_000_000_000n) return new Timestamp(0);
  return new Timestamp(Number(ms), Number((micros % 1_000n) * NANOS_PER_MICRO));
}

/** null for what is no number, undefined for a kind of values that is unknown. */
function valueAt(body: Buffer, kind: number, at: number): EventValue | undefined {
  switch (kind) {
    case COUNTER:
    case ABSOLUTE:
      return asInteger(body.readBigUInt64BE(at));
    case DERIVE:
      return asInteger(body.readBigInt64BE(at));
    case GAUGE: {
      const value = body.readDoubleLE(at);
      if (!Number.isFinite(value)) return null;
      return asFloat(value);
    }
    default:
      return undefined;
  }
}
