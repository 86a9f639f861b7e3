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
import { DoubleNumber, isShoalError, ShoalError } from '@shoal/core';
import { compileDissect, type DissectPattern, dissectText } from './dissect-pattern.ts';

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
  readonly type: 'int' | 'float';
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
    this.mappings = createAll(options.hash('mapping'), ([field, mapping]) => ({
      source: parseFieldReference(field),
      pattern: compileDissect(String(mapping)),
    }));
    this.conversions = createAll(options.hash('convert_datatype'), ([field, type]) => {
      if (type !== 'int' && type !== 'float') {
        throw new ShoalError(
          'illegal_argument_exception',
          400,
          `dissect: cannot convert to [${type}]; known are int, float`,
        );
      }
      return { field: parseFieldReference(field), type };
    });
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    let isMatched = true;
    for (const { source, pattern } of this.mappings) {
      const value = event.get(source);
      if (value === undefined || value === null) {
        this.context.runtime.log.debug('dissect finds no such field', { field: source.text });
        isMatched = false;
        continue;
      }
      const text = printValue(value);
      const values = text === '' ? null : dissectText(pattern, text);
      if (values === null) {
        isMatched = this.fail(event);
      } else {
        this.context.metrics.increment('matches');
        store(event, pattern, values);
      }
    }
    const isConverted = this.convert(event);
    return isMatched && isConverted ? 'matched' : 'unmatched';
  }

  private fail(event: LogEvent): false {
    this.context.metrics.increment('failures');
    for (const tag of this.failureTags) event.tag(tag);
    return false;
  }

  private convert(event: LogEvent): boolean {
    let isConverted = true;
    for (const { field, type } of this.conversions) {
      const value = event.get(field);
      if (value === undefined) continue;
      const number = type === 'int' ? toInt(value) : toFloat(value);
      if (number === null) {
        event.tag(`_dataconversionnullvalue_${field.text}_${type}`);
        isConverted = false;
      } else event.set(field, number);
    }
    return isConverted;
  }
}

function toInt(value: EventValue): EventValue | null {
  const text = value === null ? '' : printValue(value).trim();
  if (!/^[+-]?\d+(?:\.\d*)?$/.test(text)) return null;
  const digits = text.split('.')[0] ?? '0';
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number + 0 : BigInt(digits.replace('+', ''));
}

function toFloat(value: EventValue): EventValue | null {
  const text = value === null ? '' : printValue(value).trim();
  const number = text === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) return null;
  return Number.isInteger(number) ? new DoubleNumber(number) : number;
}

function store(event: LogEvent, pattern: DissectPattern, values: readonly string[]): void {
  const named = new Map<string, string>();
  const appended = new Map<string, { text: string; order: number; before: string }[]>();
  for (const [index, key] of pattern.keys.entries()) {
    const text = values[index] ?? '';
    if (key.kind === 'named') named.set(key.name, text);
    else if (key.kind === 'field') {
      // A plain key that is appended to further on is the first part of the whole.
      if (pattern.keys.some((other) => other.kind === 'append' && other.name === key.name)) {
        appended.set(key.name, [{ text, order: key.order === Number.POSITIVE_INFINITY ? -1 : key.order, before: '' }]);
      } else {
        setField(event, key.name, text);
        named.set(key.name, text);
      }
    } else if (key.kind === 'append') {
      const parts = appended.get(key.name) ?? [];
      parts.push({ text, order: key.order, before: key.before });
      appended.set(key.name, parts);
    }
  }
  for (const [name, parts] of appended) setField(event, name, joined(parts));
  for (const [index, key] of pattern.keys.entries()) {
    if (key.kind !== 'indirect') continue;
    const name = named.get(key.name) ?? fieldText(event, key.name);
    if (name !== '') setField(event, name, values[index] ?? '');
  }
}

/** Joined with the delimiter that stood before each, or a blank. */
function joined(parts: readonly { text: string; order: number; before: string }[]): string {
  const sorted = parts.map((part, index) => ({ ...part, index }));
  sorted.sort((a, b) => (a.order === b.order ? a.index - b.index : a.order - b.order));
  const [first, ...rest] = sorted;
  // With an order given, the delimiters of the text no longer fit: those of the pattern's later parts are used as they are.
  return rest.reduce((all, part) => `${all}${part.before === '' ? ' ' : part.before}${part.text}`, first?.text ?? '');
}

function fieldText(event: LogEvent, name: string): string {
  const value = event.get(parseFieldReference(name));
  return value === undefined || value === null ? '' : printValue(value);
}

function setField(event: LogEvent, name: string, text: string): void {
  try {
    event.set(parseFieldReference(name), text);
  } catch (error) {
    // A name that came from the text may be no reference: then there is no field to set.
    if (!isShoalError(error)) throw error;
  }
}
