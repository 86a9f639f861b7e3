/**
 * The csv codec: rows to events with named columns, and events to rows.
 */

import { createEvent, type EventMap, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import {
  type Charset,
  type CsvConversion,
  type CsvDialect,
  charsetNamed,
  csvConversions,
  csvRecords,
  csvRowText,
  type Decoder,
  failedEvent,
  keepOriginal,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  readCsvRecord,
  rubyText,
} from '@shoal/agent-plugin-kit';

const FAILURE = '_csvparsefailure';

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
  readonly conversions: ReadonlyMap<string, CsvConversion>;
  readonly charset: Charset;
  readonly ecs: PluginContext['ecs'];
  put(fields: EventMap): LogEvent;
}

function rulesOf(options: PluginOptions, context: PluginContext): CsvRules {
  const target = options.has('target') ? options.reference('target') : null;
  return {
    dialect: { separator: options.string('separator').replace('\\t', '\t'), quote: options.string('quote_char') },
    columns: options.strings('columns'),
    detectsColumns: options.boolean('autodetect_column_names'),
    generatesColumns: options.boolean('autogenerate_column_names'),
    skipsEmpty: options.boolean('skip_empty_columns'),
    conversions: csvConversions(options.hash('convert')),
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
    const records = csvRecords(text, this.rules.dialect.quote);
    const events = records.flatMap((record) => this.record(record));
    // With several rows none of them is the whole text.
    const [only] = records.length === 1 ? events : [];
    if (only !== undefined && this.rules.ecs !== 'disabled') keepOriginal(only, text);
    return events;
  }

  flush(): readonly LogEvent[] {
    return [];
  }

  private record(text: string): LogEvent[] {
    const { separator, quote } = this.rules.dialect;
    const values = readCsvRecord(text, separator, quote);
    // The text goes on as an event with a tag: what to do with it is the configuration's decision.
    if (values === null) return [failedEvent(text, FAILURE, this.rules.ecs)];
    if (this.columns.length === 0 && this.rules.detectsColumns) {
      this.columns = values.map((value, index) => value ?? `column${index + 1}`);
      return [];
    }
    const fields: EventMap = new Map();
    for (const [index, value] of values.entries()) {
      const given = this.columns[index];
      if (given === undefined && !this.rules.generatesColumns) continue;
      if ((value === null || value === '') && this.rules.skipsEmpty) continue;
      const column = given ?? `column${index + 1}`;
      const conversion = this.rules.conversions.get(column);
      fields.set(column, value === null || conversion === undefined ? value : conversion(value));
    }
    return [this.rules.put(fields)];
  }
}

function rowValues(event: LogEvent, columns: readonly string[]): (string | null)[] {
  const values =
    columns.length > 0 ? columns.map((column) => event.get(parseFieldReference(column))) : [...event.fields.values()];
  return values.map((value) => (value === undefined || value === null ? null : rubyText(value)));
}
