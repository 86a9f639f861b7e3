/**
 * fingerprint: a hash, a network, or a unique id of fields.
 */
import { createHash, createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
} from '@shoal/agent-event';
import { type PluginDefinition, type PluginOptions, randomUuidText, rubyText } from '@shoal/agent-plugin-kit';
import { murmur3Bytes, murmur3Wide, ShoalError } from '@shoal/core';

const METHODS = [
  'SHA1',
  'SHA256',
  'SHA384',
  'SHA512',
  'MD5',
  'MURMUR3',
  'MURMUR3_128',
  'IPV4_NETWORK',
  'UUID',
  'PUNCTUATION',
] as const;

export const fingerprintFilter: PluginDefinition = {
  kind: 'filter',
  name: 'fingerprint',
  version: '3.4.4',
  isStateless: true,
  options: {
    method: { type: METHODS, default: 'SHA1' },
    source: { type: 'array', default: ['message'] },
    /** Default: `fingerprint`, under ECS `[event][hash]`. */
    target: { type: 'fieldReference' },
    key: { type: 'string' },
    base64encode: { type: 'boolean', default: false },
    concatenate_sources: { type: 'boolean', default: false },
    concatenate_all_fields: { type: 'boolean', default: false },
  },
  create: (options, context) => {
    const usual = context.ecs === 'disabled' ? 'fingerprint' : '[event][hash]';
    const target = options.has('target') ? options.reference('target') : parseFieldReference(usual);
    const hash = hasher(options);
    const valuesOf = sourceValues(options);
    const random = context.runtime.random.fork(`fingerprint ${context.pluginId}`);
    return {
      filter: (event) => {
        if (options.string('method') === 'UUID') {
          event.set(target, randomUuidText(random));
          return 'matched';
        }
        // Several sources that are not joined overwrite each other: the last one wins.
        const last = valuesOf(event).at(-1);
        if (last !== undefined) event.set(target, Array.isArray(last) ? last.map(hash) : hash(last));
        return 'matched';
      },
    };
  },
};

type Hash = (value: EventValue) => EventValue;

/** Seed of MURMUR3_128 in Logstash, which its ids depend on. */
const WIDE_SEED = 2;
const NO_PUNCTUATION = /[^\p{P}\p{S}]/gu;

function hasher(options: PluginOptions): Hash {
  const method = options.string('method');
  const key = options.has('key') ? options.string('key') : null;
  const encoding = options.boolean('base64encode') ? 'base64' : 'hex';
  switch (method) {
    case 'IPV4_NETWORK': {
      const bits = Number(key ?? Number.NaN);
      if (!Number.isInteger(bits) || bits < 0 || bits > 32) {
        const why = 'fingerprint: IPV4_NETWORK needs a key of 0 to 32, the length of the prefix';
        throw new ShoalError('illegal_argument_exception', 400, why);
      }
      return (value) => network(rubyText(value), bits);
    }
    case 'MURMUR3':
      return (value) => murmur3Bytes(integerBytes(value, 8) ?? textBytes(value), 0) >>> 0;
    case 'MURMUR3_128':
      return (value) => murmur3Wide(integerBytes(value, 4) ?? textBytes(value), WIDE_SEED).toString(encoding);
    case 'PUNCTUATION':
      return (value) => {
        if (typeof value !== 'string') throw cannot(method, value);
        return value.replace(NO_PUNCTUATION, '');
      };
    default: {
      const algorithm = method.toLowerCase();
      return (value) =>
        (key === null ? createHash(algorithm) : createHmac(algorithm, key)).update(rubyText(value)).digest(encoding);
    }
  }
}

function textBytes(value: EventValue): Uint8Array {
  return Buffer.from(rubyText(value), 'utf8');
}

const INT32_MAX = 2 ** 31 - 1;
const INT64_BITS = 64;

/** An integer as it lies in memory, in as few bytes as it needs of `bytesMin` and 8; null for other kinds. */
function integerBytes(value: EventValue, bytesMin: 4 | 8): Uint8Array | null {
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value))) return null;
  const isNarrow = bytesMin === 4 && value >= -INT32_MAX - 1 && value <= INT32_MAX;
  const bytes = Buffer.alloc(isNarrow ? 4 : 8);
  if (isNarrow) bytes.writeInt32LE(Number(value));
  else bytes.writeBigUInt64LE(BigInt.asUintN(INT64_BITS, BigInt(value)));
  return bytes;
}

function cannot(method: string, value: EventValue): ShoalError {
  const shown = rubyText(value).slice(0, 100);
  return new ShoalError('illegal_argument_exception', 400, `fingerprint: no ${method} of [${shown}]`);
}

function network(text: string, bits: number): EventValue {
  if (!isIPv4(text)) throw cannot('IPV4_NETWORK', text);
  const number = text.split('.').reduce((all, part) => all * 256 + Number(part), 0);
  const mask = bits === 0 ? 0 : (0xffff_ffff << (32 - bits)) >>> 0;
  const masked = (number & mask) >>> 0;
  return [24, 16, 8, 0].map((shift) => (masked >>> shift) & 255).join('.');
}

/** Values to hash, in the order of the sources; a source that is missing has none. */
function sourceValues(options: PluginOptions): (event: LogEvent) => readonly EventValue[] {
  const fields = options.strings('source').map((name) => ({ name, reference: parseFieldReference(name) }));
  const method = options.string('method');
  // Ruby's order of texts is that of their bytes.
  if (method === 'PUNCTUATION') fields.sort((a, b) => compareBytes(a.name, b.name));
  else if (options.boolean('concatenate_all_fields')) return (event) => [joined([...sortedMap(event.fields)])];
  else if (options.boolean('concatenate_sources')) {
    fields.sort((a, b) => compareBytes(a.name, b.name));
    return (event) => [joined(fields.map(({ name, reference }) => [name, sorted(event.get(reference) ?? null)]))];
  }
  return (event) => fields.flatMap(({ reference }) => presentValue(event, reference));
}

function presentValue(event: LogEvent, reference: FieldReference): readonly EventValue[] {
  const value = event.get(reference);
  return value === undefined ? [] : [sorted(value)];
}

function joined(values: readonly (readonly [string, EventValue])[]): string {
  return `${values.map(([name, value]) => `|${name}|${rubyText(value)}`).join('')}|`;
}

/** Maps in the order of their names at every depth, so that equal ones have one text. */
function sorted(value: EventValue): EventValue {
  if (Array.isArray(value)) return value.map(sorted);
  return value instanceof Map ? sortedMap(value) : value;
}

function sortedMap(map: ReadonlyMap<string, EventValue>): EventMap {
  const entries = [...map].sort(([a], [b]) => compareBytes(a, b));
  return new Map(entries.map(([name, value]) => [name, sorted(value)]));
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
