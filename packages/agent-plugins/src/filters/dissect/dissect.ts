/**
 * dissect: takes text apart at delimiters, without regular expressions. All of a mapping fits or nothing of it is stored.
 */

import {
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
  printValue,
} from '@shoal/agent-event';
import {
  createAll,
  type Filter,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { asFloat, isShoalError } from '@shoal/core';
import { compileDissect, type DissectKey, type DissectPattern, dissectText } from '@shoal/extraction';

export const dissectFilter: PluginDefinition = {
  kind: 'filter',
  name: 'dissect',
  version: '1.2.5',
  isStateless: true,
  options: {
    mapping: { type: 'hash', default: {} },
    convert_datatype: { type: 'hash', default: {} },
    tag_on_failure: { type: 'array', default: ['_dissectfailure'] },
  },
  create: (options, context) => new DissectFilter(options, context),
};

interface Mapping {
  readonly source: FieldReference;
  readonly pattern: DissectPattern;
}

interface Conversion {
  readonly field: FieldReference;
  /** null: no type that is known, so that each event is tagged instead. */
  readonly type: 'int' | 'float' | null;
  /** The type as tags show it. */
  readonly written: string;
}

class DissectFilter implements Filter {
  private readonly mappings: readonly Mapping[];
  private readonly conversions: readonly Conversion[];
  private readonly failureTags: readonly string[];
  private readonly context: PluginContext;

  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    for (const name of ['matches', 'failures']) context.metrics.increment(name, 0);
    this.failureTags = options.strings('tag_on_failure');
    const given = [...options.hash('mapping')].filter(([, mapping]) => mapping !== '');
    this.mappings = createAll(given, ([field, mapping]) => ({
      source: parseFieldReference(field),
      pattern: compileDissect(String(mapping)),
    }));
    this.conversions = createAll(options.hash('convert_datatype'), ([field, type]) => {
      const lower = String(type).toLowerCase();
      const known = lower === 'int' || lower === 'float' ? lower : null;
      if (known === null)
        context.runtime.log.warn('dissect knows no such type of a conversion, and tags its events', { field, type });
      return { field: parseFieldReference(field), type: known, written: String(type) };
    });
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    let isMatched = false;
    for (const { source, pattern } of this.mappings) {
      const value = event.get(source);
      if (value === undefined) {
        this.context.metrics.increment('failures');
        this.context.runtime.log.debug('dissect finds no such field', { field: source.text });
        continue;
      }
      const values = dissectText(pattern, value === null ? '' : printValue(value));
      if (values === null || !store(event, pattern, values)) this.fail(event);
      else {
        this.context.metrics.increment('matches');
        isMatched = true;
      }
    }
    this.convert(event);
    return isMatched ? 'matched' : 'unmatched';
  }

  private fail(event: LogEvent): void {
    this.context.metrics.increment('failures');
    for (const tag of this.failureTags) event.tag(tag);
  }

  private convert(event: LogEvent): void {
    for (const { field, type, written } of this.conversions) {
      const value = event.get(field) ?? null;
      const number = value === null || type === null ? null : converted(printValue(value), type);
      if (number !== null) event.set(field, number);
      else event.tag(`_dataconversion${conversionFault(value, type)}_${field.text}_${written}`);
    }
  }
}

/** Why a value was not converted, as tags say it. */
function conversionFault(value: EventValue, type: Conversion['type']): string {
  if (value === null) return 'nullvalue';
  return type === null ? 'missing' : 'uncoercible';
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?$/;
/** An integer of more digits comes from a text that is no measurement. */
const EXPONENT_MAX = 1_000;

/** Reads what Java reads as a decimal number: no blanks, an exponent; an integer is cut off towards zero. */
function converted(text: string, type: 'int' | 'float'): EventValue | null {
  if (!NUMBER.test(text)) return null;
  if (type === 'int') return toInteger(text);
  const number = Number(text);
  if (!Number.isFinite(number)) return null;
  return asFloat(number);
}

function toInteger(text: string): EventValue | null {
  const [mantissa = '', exponentText = '0'] = text.toLowerCase().split('e');
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const point = whole.length + exponent;
  const digits = (whole + fraction).padEnd(point, '0').slice(0, Math.max(0, point));
  const integer = BigInt(digits === '' ? '0' : digits) * (isNegative ? -1n : 1n);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** Plain keys, then appended parts in their order, then keys whose name is a value. False where a field cannot be set. */
function store(event: LogEvent, pattern: DissectPattern, values: readonly string[]): boolean {
  const found = pattern.keys.map((key, index) => ({ ...key, text: values[index] ?? '' }));
  const appended = found.filter((key) => key.kind === 'append').sort((a, b) => a.order - b.order);
  try {
    for (const key of found) if (key.kind === 'field') event.set(parseFieldReference(key.name), key.text);
    for (const key of appended) append(event, key);
    for (const key of found) if (key.kind === 'indirect') setIndirect(event, key, found);
    return true;
  } catch (error) {
    // A name that came from the text may be no reference, or lead through a field that is no map.
    if (!isShoalError(error)) throw error;
    return false;
  }
}

interface FoundKey extends DissectKey {
  readonly text: string;
}

/** Behind what the field has, were it from before; between them the delimiter that stood before the part, or a blank. */
function append(event: LogEvent, { name, text, before }: FoundKey): void {
  const reference = parseFieldReference(name);
  const existing = event.get(reference);
  const head = existing === undefined ? '' : `${existing === null ? '' : printValue(existing)}${before || ' '}`;
  event.set(reference, head + text);
}

function setIndirect(event: LogEvent, { name, text }: FoundKey, found: readonly FoundKey[]): void {
  const other = found.find((key) => key.name === name && key.kind !== 'indirect');
  const value = other?.text ?? event.get(parseFieldReference(name)) ?? null;
  const target = value === null ? '' : printValue(value);
  if (target !== '') event.set(parseFieldReference(target), text);
}
