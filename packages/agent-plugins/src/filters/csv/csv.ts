/**
 * csv: one record of separated values into named columns.
 */

import type { FieldReference, LogEvent } from '@shoal/agent-event';
import {
  type CsvConversion,
  csvConversions,
  type Filter,
  fieldBelow,
  noteRootTarget,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  readCsvRecord,
} from '@shoal/agent-plugin-kit';

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

interface Column {
  readonly reference: FieldReference;
  readonly conversion: CsvConversion | null;
}

class CsvFilter implements Filter {
  private readonly source: FieldReference;
  private readonly target: FieldReference | null;
  private readonly separator: string;
  private readonly quote: string;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly known = new Map<string, Column>();
  private readonly conversions: ReadonlyMap<string, CsvConversion>;
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
    this.conversions = csvConversions(options.hash('convert'));
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
    event.set(column.reference, value === null || column.conversion === null ? value : column.conversion(value));
  }

  private column(name: string): Column {
    let column = this.known.get(name);
    if (column === undefined) {
      column = { reference: fieldBelow(this.target, name), conversion: this.conversions.get(name) ?? null };
      this.known.set(name, column);
    }
    return column;
  }
}
