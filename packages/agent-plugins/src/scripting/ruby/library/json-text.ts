/**
 * JSON of values of scripts: compact and pretty texts, and values out of texts.
 */
import { eventToJsonText, parseEventJson } from '@shoal/agent-event';
import { isShoalError } from '@shoal/core';
import { checkSize } from '../arguments/arguments.ts';
import { isBroken } from '../text/string-bytes.ts';
import { toText } from '../values/inspect.ts';
import { exception } from '../values/ruby-exception.ts';
import { isFloat, type Machine, numberOf, RubyHash, RubyString, RubySymbol, type Value } from '../values/ruby-value.ts';
import { RubyEvent, RubyTimestamp } from '../values/script-objects.ts';
import { toRuby } from './event-values.ts';

const DEPTH_MAX = 100;

export interface JsonLayout {
  /** '' for compact texts. */
  readonly indent: string;
}

export function toJson(machine: Machine, value: Value, layout: JsonLayout = { indent: '' }): string {
  const text = jsonOf(value, layout.indent, '');
  checkSize(machine, text.length);
  return text;
}

function jsonOf(value: Value, indent: string, margin: string): string {
  if (margin.length > DEPTH_MAX * Math.max(1, indent.length))
    throw exception('JSON::GeneratorError', `nesting of ${DEPTH_MAX + 1} is too deep`);
  if (value === null) return 'null';
  if (value instanceof RubyString) return textJson(value.text);
  if (Array.isArray(value))
    return listJson(
      value.map((item) => jsonOf(item, indent, margin + (indent || ' '))),
      '[]',
      indent,
      margin,
    );
  if (value instanceof RubyHash) {
    const colon = indent === '' ? ':' : ': ';
    const pairs = value
      .pairs()
      .map(([key, item]) => `${textJson(toText(key))}${colon}${jsonOf(item, indent, margin + (indent || ' '))}`);
    return listJson(pairs, '{}', indent, margin);
  }
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  const number = numberOf(value);
  if (number !== null) {
    if (!Number.isFinite(number)) throw exception('JSON::GeneratorError', `${toText(value)} not allowed in JSON`);
    return isFloat(value) ? toText(value) : String(number);
  }
  if (value instanceof RubyEvent) return eventToJsonText(value.event);
  if (value instanceof RubyTimestamp) return textJson(value.time.toString());
  return textJson(value instanceof RubySymbol ? value.name : toText(value));
}

function textJson(text: string): string {
  if (isBroken(text)) throw exception('JSON::GeneratorError', 'source sequence is illegal/malformed utf-8');
  return JSON.stringify(text);
}

function listJson(items: readonly string[], brackets: string, indent: string, margin: string): string {
  const [open, close] = brackets;
  if (items.length === 0) return indent === '' ? brackets : brackets === '[]' ? `[\n\n${margin}]` : `{\n${margin}}`;
  if (indent === '') return `${open}${items.join(',')}${close}`;
  const inner = margin + indent;
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${margin}${close}`;
}

export function fromJson(machine: Machine, text: string, symbolizes: boolean): Value {
  checkSize(machine, text.length);
  try {
    const value = toRuby(parseEventJson(text), null);
    return symbolizes ? symbolized(value) : value;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isShoalError(error) && !(error instanceof Error)) throw error;
    throw exception('JSON::ParserError', `unexpected token at '${text.trimStart()}'`);
  }
}

function symbolized(value: Value): Value {
  if (Array.isArray(value)) return value.map(symbolized);
  if (!(value instanceof RubyHash)) return value;
  return RubyHash.of(
    value.pairs().map(([key, item]) => [key instanceof RubyString ? new RubySymbol(key.text) : key, symbolized(item)]),
  );
}
