/**
 * The rubydebug codec: events as people read them on a terminal. Names are right-aligned, times and null stand bare.
 */

import { type EventMap, type EventValue, printValue, Timestamp } from '@shoal/agent-event';
import { type PluginDefinition, rubyFloatText, textEvent } from '@shoal/agent-plugin-kit';
import { DoubleNumber } from '@shoal/core';

const INDENT = 4;

export const rubydebugCodec: PluginDefinition = {
  kind: 'codec',
  name: 'rubydebug',
  version: '3.1.0',
  options: { metadata: { type: 'boolean', default: false } },
  create(options, context) {
    const withMetadata = options.boolean('metadata');
    return {
      name: 'rubydebug',
      decoder: () => ({
        decode: (bytes) => [textEvent(Buffer.from(bytes).toString('utf8'), context.ecs)],
        flush: () => [],
      }),
      encode(event) {
        const shown = withMetadata ? new Map(event.fields).set('@metadata', event.metadata) : event.fields;
        return Buffer.from(`${mapText(shown, INDENT)}\n`, 'utf8');
      },
    };
  },
};

function mapText(map: EventMap, indent: number): string {
  if (map.size === 0) return '{}';
  const names = [...map.keys()].map(rubyString);
  const width = Math.max(...names.map((name) => name.length)) + indent;
  const values = [...map.values()];
  const lines = names.map((name, i) => `${name.padStart(width)} => ${valueText(values[i] ?? null, indent + INDENT)}`);
  return `{\n${lines.join(',\n')}\n${' '.repeat(indent - INDENT)}}`;
}

function arrayText(items: readonly EventValue[], indent: number): string {
  if (items.length === 0) return '[]';
  const width = String(items.length - 1).length;
  const lines = items.map(
    (item, i) => `${' '.repeat(indent)}[${String(i).padStart(width)}] ${valueText(item, indent + INDENT)}`,
  );
  return `[\n${lines.join(',\n')}\n${' '.repeat(indent - INDENT)}]`;
}

function valueText(value: EventValue, indent: number): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return rubyString(value);
  if (value instanceof Map) return mapText(value, indent);
  if (Array.isArray(value)) return arrayText(value, indent);
  if (value instanceof Timestamp) return value.toString();
  if (value instanceof DoubleNumber) return rubyFloatText(value.value);
  if (typeof value === 'number' && !Number.isInteger(value)) return rubyFloatText(value);
  return printValue(value);
}

const NAMED: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\f': '\\f',
  '\v': '\\v',
  '\b': '\\b',
  '\u0007': '\\a',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
};

/** Quotes like Ruby's `inspect`: control characters escaped, `#{` too, other text unchanged. */
function rubyString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are just what is looked for
  const escaped = text.replace(/["\\\u0000-\u001f\u007f]|#(?=[{$@])/g, (character) => {
    if (character === '#') return '\\#';
    return NAMED[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}
