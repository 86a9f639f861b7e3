/**
 * fingerprint: a hash, a network, or a unique id of fields.
 */
import {
  type EventMap,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
} from '@shoal/agent-event';
import { type PluginDefinition, type PluginOptions, randomUuidText, rubyText } from '@shoal/agent-plugin-kit';
import { fieldHash } from '../../hashes/field-hash.ts';

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
    const hash = fieldHash({
      plugin: 'fingerprint',
      method: options.string('method'),
      key: options.has('key') ? options.string('key') : null,
      encoding: options.boolean('base64encode') ? 'base64' : 'hex',
    });
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
