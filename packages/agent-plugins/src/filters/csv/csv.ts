/**
 * csv: one record of separated values into named columns.
 */

import {
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseIso8601,
  Timestamp,
  timeZone,
  type Zone,
} from '@shoal/agent-event';
import {
  type Filter,
  fieldBelow,
  noteRootTarget,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  readCsvRecord,
} from '@shoal/agent-plugin-kit';
import { DoubleNumber, ShoalError } from '@shoal/core';

export const csvFilter: PluginDefinition = {
  kind: 'filter',
  name: 'csv',
  version: '3.1.1',
  // The first line names the columns of all others.
  needsOneWorker: (options) => options.boolean('autodetect_column_names'),
  options: {
    source: { type: 'fieldReference', default: 'message' },
    separator: { type: 'string', default: ',' },
    quote_char: { type: 'string', default: '"' },
    columns: { type: 'array', default: [] },
    autogenerate_column_names: { type: 'boolean', default: true },
    autodetect_column_names: { type: 'boolean', default: false },
    skip_header: { type: 'boolean', default: false },
    skip_empty_columns: { type: 'boolean', default: false },
    skip_empty_rows: { type: 'boolean', default: false },
    convert: { type: 'hash', default: {} },
    target: { type: 'fieldReference' },
  },
  create: (options, context) => new CsvFilter(options, context),
};

const FAILURE_TAG = '_csvparsefailure';
const EMPTY_ROW_TAG = '_csvskippedemptyfield';
const CONVERSIONS: readonly string[] = ['integer', 'float', 'date', 'date_time', 'boolean'];
const UTC = timeZone('UTC');

interface Column {
  readonly reference: FieldReference;
  readonly conversion: string;
}

class CsvFilter implements Filter {
  private readonly source: FieldReference;
  private readonly target: FieldReference | null;
  private readonly separator: string;
  private readonly quote: string;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly known = new Map<string, Column>();
  private columns: readonly string[];

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    noteRootTarget(options, context);
    this.source = options.reference('source');
    this.target = options.has('target') ? options.reference('target') : null;
    // Without escapes in the configuration, people write a tab as two characters.
    this.separator = options.string('separator') === '\\t' ? '\t' : options.string('separator');
    this.quote = options.string('quote_char');
    this.columns = options.strings('columns');
    for (const [name, type] of options.hash('convert')) {
      if (!CONVERSIONS.includes(String(type))) {
        const why = `csv: cannot convert [${name}] to [${type}]; known are ${CONVERSIONS.join(', ')}`;
        throw new ShoalError('illegal_argument_exception', 400, why);
      }
    }
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const text = event.get(this.source);
    if (text === undefined || text === null || text === false) return 'unmatched';
    if (text === '' && this.options.boolean('skip_empty_rows')) {
      event.tag(EMPTY_ROW_TAG);
      return 'unmatched';
    }
    const values = typeof text === 'string' && text !== '' ? this.record(text) : null;
    if (values === null) {
      event.tag(FAILURE_TAG);
      this.context.runtime.log.warn('not a record of separated values', { plugin: this.context.pluginId });
      return 'unmatched';
    }
    if (this.isHeader(values)) {
      event.cancel();
      return 'unmatched';
    }
    for (const [index, value] of values.entries()) this.setColumn(event, index, value);
    return 'matched';
  }

  /** An empty line is a record without values. */
  private record(text: string): readonly (string | null)[] | null {
    return /^\r?\n$/.test(text) ? [] : readCsvRecord(text, this.separator, this.quote);
  }

  private isHeader(values: readonly (string | null)[]): boolean {
    if (this.options.boolean('autodetect_column_names') && this.columns.length === 0) {
      this.columns = values.map((value, index) => value ?? `column${index + 1}`);
      return true;
    }
    if (!this.options.boolean('skip_header') || this.columns.length === 0) return false;
    return values.length === this.columns.length && values.every((value, index) => value === this.columns[index]);
  }

  private setColumn(event: LogEvent, index: number, value: string | null): void {
    if ((value === null || value === '') && this.options.boolean('skip_empty_columns')) return;
    const name = this.columns[index];
    if (name === undefined && !this.options.boolean('autogenerate_column_names')) return;
    const column = this.column(name ?? `column${index + 1}`);
    event.set(column.reference, value === null ? null : converted(value, column.conversion));
  }

  private column(name: string): Column {
    let column = this.known.get(name);
    if (column === undefined) {
      const conversion = this.options.hash('convert').get(name);
      column = { reference: fieldBelow(this.target, name), conversion: String(conversion ?? '') };
      this.known.set(name, column);
    }
    return column;
  }
}

/** Text that does not fit its type stays text. */
function converted(text: string, conversion: string): EventValue {
  switch (conversion) {
    case 'integer':
      return integerOf(text) ?? text;
    case 'float':
      return FLOAT.test(text) ? floatOf(Number(text.replaceAll('_', ''))) : text;
    case 'boolean': {
      const word = text.trim().toLowerCase();
      return word === 'true' || word === 'false' ? word === 'true' : word;
    }
    case 'date': {
      // A day begins where this agent runs.
      const instant = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseIso8601(text, localZone()) : null;
      return instant === null ? text : new Timestamp(instant);
    }
    case 'date_time': {
      const instant = parseIso8601(text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T'), UTC);
      return instant === null ? text : new Timestamp(instant);
    }
    default:
      return text;
  }
}

function localZone(): Zone {
  return timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
}

const FLOAT = /^\s*[+-]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:[eE][+-]?\d+)?\s*$/;
/** Integers as Ruby's own programs write them: a leading zero is octal. */
const INTEGER = /^\s*([+-]?)(0[xX](?=[0-9a-fA-F])|0[bB](?=[01])|0[oO]?(?=[0-7])|)([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)\s*$/;
const DIGITS: Readonly<Record<string, RegExp>> = {
  x: /^[0-9a-f_]+$/i,
  b: /^[01_]+$/,
  o: /^[0-7_]+$/,
  '': /^(?:0|[1-9][0-9_]*)$/,
};

function integerOf(text: string): EventValue | null {
  const [, sign, prefix = '', digits = ''] = INTEGER.exec(text) ?? [];
  const base = prefix === '0' ? 'o' : prefix.slice(1).toLowerCase();
  if (digits === '' || DIGITS[base]?.test(digits) !== true) return null;
  const size = BigInt(`${base === '' ? '' : `0${base}`}${digits.replaceAll('_', '')}`);
  const value = sign === '-' ? -size : size;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function floatOf(value: number): EventValue {
  return Number.isInteger(value) ? new DoubleNumber(value) : value;
}
