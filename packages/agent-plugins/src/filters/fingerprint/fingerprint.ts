/**
 * fingerprint: a hash, a network, or a unique id of fields.
 */
import { createHash, createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { type EventMap, type EventValue, type LogEvent, parseFieldReference, printValue } from '@shoal/agent-event';
import { type PluginDefinition, type PluginOptions, randomUuidText } from '@shoal/agent-plugin-kit';
import { murmur3Bytes, ShoalError } from '@shoal/core';
import { murmur3Wide } from './murmur3-bytes.ts';

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
    const textsOf = sourceTexts(options);
    const random = context.runtime.random.fork(`fingerprint ${context.pluginId}`);
    return {
      filter: (event) => {
        if (options.string('method') === 'UUID') {
          event.set(target, randomUuidText(random));
          return 'matched';
        }
        const texts = textsOf(event);
        if (texts.length === 0) return 'unmatched';
        // Several sources that are not joined overwrite each other: the last one wins.
        const results = texts.map((text) => (Array.isArray(text) ? text.map(hash) : hash(text)));
        event.set(target, results[results.length - 1] ?? null);
        return 'matched';
      },
    };
  },
};

type Hash = (text: string) => EventValue;

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
      return (text) => network(text, bits);
    }
    case 'MURMUR3':
      return (text) => murmur3Bytes(new TextEncoder().encode(text), 0) >>> 0;
    case 'MURMUR3_128':
      return (text) => murmur3Wide(new TextEncoder().encode(text)).toString(encoding);
    case 'PUNCTUATION':
      return (text) => text.replace(/[A-Za-z0-9 \t]/g, '');
    default: {
      const algorithm = method.toLowerCase();
      return (text) =>
        (key === null ? createHash(algorithm) : createHmac(algorithm, key)).update(text).digest(encoding);
    }
  }
}

function network(text: string, bits: number): EventValue {
  if (!isIPv4(text)) return text;
  const number = text.split('.').reduce((all, part) => all * 256 + Number(part), 0);
  const mask = bits === 0 ? 0 : (0xffff_ffff << (32 - bits)) >>> 0;
  const masked = (number & mask) >>> 0;
  return [24, 16, 8, 0].map((shift) => (masked >>> shift) & 255).join('.');
}

function sourceTexts(options: PluginOptions): (event: LogEvent) => readonly (string | string[])[] {
  if (options.boolean('concatenate_all_fields')) {
    return (event) => [concatenated([...event.fields].filter(([name]) => name !== '@version'))];
  }
  const fields = options.strings('source').map((name) => ({ name, reference: parseFieldReference(name) }));
  if (options.boolean('concatenate_sources')) {
    const sorted = [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
    return (event) => [concatenated(sorted.map(({ name, reference }) => [name, event.get(reference) ?? ''] as const))];
  }
  return (event) =>
    fields.flatMap(({ reference }): readonly (string | string[])[] => {
      const value = event.get(reference);
      if (value === undefined || value === null) return [];
      return [Array.isArray(value) ? value.map(printValue) : textOf(value)];
    });
}

function concatenated(values: readonly (readonly [string, EventValue])[]): string {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${sorted.map(([name, value]) => `|${name}|${textOf(value)}`).join('')}|`;
}

/** Maps in the order of their names, so that equal ones have one text. */
function textOf(value: EventValue): string {
  if (!(value instanceof Map)) return printValue(value);
  const sorted: EventMap = new Map([...value].sort(([a], [b]) => (a < b ? -1 : 1)));
  return printValue(sorted);
}
