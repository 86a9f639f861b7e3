/**
 * The csv codec: rows to events with named columns, and events to rows.
 */

import {
  createEvent,
  type EventMap,
  type EventValue,
  type LogEvent,
  parseFieldReference,
  parseTimestamp,
  printValue,
} from '@shoal/agent-event';
import {
  type Charset,
  type CsvDialect,
  charsetNamed,
  csvRowText,
  type Decoder,
  failedEvent,
  keepOriginal,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  parseCsvRows,
} from '@shoal/agent-plugin-kit';
import { DoubleNumber, ShoalError } from '@shoal/core';

const FAILURE = '_csvparsefailure';
const CONVERSIONS = ['integer', 'float', 'date', 'date_time', 'boolean'];

export const csvCodec: PluginDefinition = {
  kind: 'codec',
  name: 'csv',
  version: '1.1.0',
  options: {
    columns: { type: 'array', default: [] },
    separator: { type: 'string', default: ',' },
    quote_char: { type: 'string', default: '"' },
    include_headers: { type: 'boolean', default: false },
    autodetect_column_names: { type: 'boolean', default: false },
    autogenerate_column_names: { type: 'boolean', default: true },
    skip_empty_columns: { type: 'boolean', default: false },
    convert: { type: 'hash', default: {} },
    charset: { type: 'string', default: 'UTF-8' },
    target: { type: 'fieldReference' },
  },
  create(options, context) {
    const rules = rulesOf(options, context);
    let needsHeader = options.boolean('include_headers');
    return {
      name: 'csv',
      decoder: () => new RowDecoder(rules),
      encode(event) {
        const row = csvRowText(rowValues(event, rules.columns), rules.dialect);
        if (!needsHeader) return Buffer.from(`${row}\n`, 'utf8');
        needsHeader = false;
        const names = rules.columns.length > 0 ? rules.columns : [...event.fields.keys()];
        return Buffer.from(`${csvRowText(names, rules.dialect)}\n${row}\n`, 'utf8');
      },
    };
  },
};

interface CsvRules {
  readonly dialect: CsvDialect;
  readonly columns: readonly string[];
  readonly detectsColumns: boolean;
  readonly generatesColumns: boolean;
  readonly skipsEmpty: boolean;
  readonly conversions: ReadonlyMap<string, string>;
  readonly charset: Charset;
  readonly ecs: PluginContext['ecs'];
  put(fields: EventMap): LogEvent;
}

function rulesOf(options: PluginOptions, context: PluginContext): CsvRules {
  const conversions = new Map<string, string>();
  for (const [column, kind] of options.hash('convert')) {
    if (!CONVERSIONS.includes(String(kind)))
      throw new ShoalError('illegal_argument_exception', 400, `csv cannot convert [${column}] to [${String(kind)}]`);
    conversions.set(column, String(kind));
  }
  const target = options.has('target') ? options.reference('target') : null;
  return {
    dialect: { separator: options.string('separator').replace('\\t', '\t'), quote: options.string('quote_char') },
    columns: options.strings('columns'),
    detectsColumns: options.boolean('autodetect_column_names'),
    generatesColumns: options.boolean('autogenerate_column_names'),
    skipsEmpty: options.boolean('skip_empty_columns'),
    conversions,
    charset: charsetNamed(options.string('charset')),
    ecs: context.ecs,
    put(fields) {
      if (target === null) return createEvent(fields);
      const event = createEvent();
      event.set(target, fields);
      return event;
    },
  };
}

class RowDecoder implements Decoder {
  private readonly rules: CsvRules;
  private columns: readonly string[];

  constructor(rules: CsvRules) {
    this.rules = rules;
    this.columns = rules.columns;
  }

  decode(bytes: Uint8Array): readonly LogEvent[] {
    const text = this.rules.charset.decode(bytes);
    if (text === '') return [];
    try {
      const rows = parseCsvRows(text, this.rules.dialect);
      const events = rows.flatMap((row) => this.row(row));
      // With several rows none of them is the whole text.
      const [only] = rows.length === 1 ? events : [];
      if (only !== undefined && this.rules.ecs !== 'disabled') keepOriginal(only, text);
      return events;
    } catch {
      // The text goes on as an event with a tag: what to do with it is the configuration's decision.
      return [failedEvent(text, FAILURE, this.rules.ecs)];
    }
  }

  flush(): readonly LogEvent[] {
    return [];
  }

  private row(values: readonly string[]): LogEvent[] {
    if (this.columns.length === 0 && this.rules.detectsColumns) {
      this.columns = [...values];
      return [];
    }
    const fields: EventMap = new Map();
    for (const [index, value] of values.entries()) {
      const given = this.columns[index];
      if (given === undefined && !this.rules.generatesColumns) continue;
      if (value === '' && this.rules.skipsEmpty) continue;
      const column = given ?? `column${index + 1}`;
      fields.set(column, converted(value, this.rules.conversions.get(column)));
    }
    return [this.rules.put(fields)];
  }
}

/** A value that is none of its kind stays text. */
function converted(value: string, kind: string | undefined): EventValue {
  if (kind === 'integer') return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value;
  if (kind === 'float') {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    return Number.isInteger(number) ? new DoubleNumber(number) : number;
  }
  if (kind === 'boolean') return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : value;
  if (kind === 'date' || kind === 'date_time') return parseTimestamp(value) ?? value;
  return value;
}

function rowValues(event: LogEvent, columns: readonly string[]): (string | null)[] {
  const values =
    columns.length > 0 ? columns.map((column) => event.get(parseFieldReference(column))) : [...event.fields.values()];
  return values.map((value) => (value === undefined || value === null ? null : printValue(value)));
}
