/**
 * The csv output: the file output with rows of chosen fields for lines.
 */
import { type EventValue, type FieldReference, jsonText, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import { type Codec, optionError, type PluginDefinition, type PluginOptions, rubyText } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { FileOutput, fileOutput, isAppendOnly } from '../file/file.ts';

export const csvOutput: PluginDefinition = {
  kind: 'output',
  name: 'csv',
  version: '3.0.10',
  concurrency: (options) => (isAppendOnly(options) ? 'each' : 'single'),
  options: {
    ...fileOutput.options,
    codec: { type: 'codec', default: 'json_lines', deprecated: 'it has no effect: events are written as rows' },
    fields: { type: 'array', isRequired: true },
    csv_options: { type: 'hash', default: {} },
    spreadsheet_safe: { type: 'boolean', default: true },
  },
  create: (options, context) => new FileOutput(options, context, rowCodec(options)),
};

interface RowStyle {
  readonly separator: string;
  readonly end: string;
  readonly quote: string;
  readonly quotesAll: boolean;
}

function rowCodec(options: PluginOptions): Codec {
  const fields: readonly FieldReference[] = options.strings('fields').map((name) => parseFieldReference(name));
  const style = rowStyle(options.hash('csv_options'));
  const isSafe = options.boolean('spreadsheet_safe');
  return {
    name: 'csv',
    decoder() {
      throw new ShoalError('illegal_argument_exception', 400, 'the csv output only writes');
    },
    encode(event: LogEvent): Uint8Array {
      const values = fields.map((field) => cell(event.get(field) ?? null, isSafe));
      return Buffer.from(`${values.map((value) => written(value, style)).join(style.separator)}${style.end}`, 'utf8');
    },
  };
}

/** Text of a value; null for a field that is missing. */
function cell(value: EventValue, isSafe: boolean): string | null {
  if (value === null) return null;
  if (value instanceof Map) return jsonText(value);
  // A spreadsheet would take it for a formula.
  if (isSafe && typeof value === 'string' && value.startsWith('=')) return `'${value}`;
  return rubyText(value);
}

/** Quotes stand around what is empty, and what would be read as something else. */
function written(value: string | null, { separator, quote, quotesAll }: RowStyle): string {
  if (value === null) return quotesAll ? `${quote}${quote}` : '';
  const needsQuotes =
    quotesAll ||
    value === '' ||
    value.includes('\n') ||
    value.includes('\r') ||
    value.includes(separator) ||
    value.includes(quote);
  return needsQuotes ? `${quote}${value.replaceAll(quote, quote + quote)}${quote}` : value;
}

function rowStyle(given: ReadonlyMap<string, unknown>): RowStyle {
  const left = new Map(given);
  const take = (name: string, fallback: string): string => {
    const value = left.get(name) ?? fallback;
    left.delete(name);
    if (typeof value !== 'string' || value === '') throw optionError(`[csv_options] has an unusable [${name}]`);
    return value;
  };
  const quotesAll = left.get('force_quotes') ?? false;
  left.delete('force_quotes');
  const style: RowStyle = {
    separator: take('col_sep', ','),
    end: take('row_sep', '\n'),
    quote: take('quote_char', '"'),
    quotesAll: quotesAll === true || quotesAll === 'true',
  };
  const [unknown] = left.keys();
  if (unknown !== undefined) throw optionError(`[csv_options] has [${unknown}], which is not supported`);
  if (style.quote.length !== 1) throw optionError('[csv_options] has a [quote_char] that is not one character');
  return style;
}
