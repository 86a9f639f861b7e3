/**
 * Rows of comma-separated values to fields and back (RFC 4180, any separator and quote).
 *
 * Quotes inside an unquoted value are part of it, as most writers mean them; a quote that is never closed is an error. The csv
 * filter follows Ruby's stricter reader instead: see `csv-record.ts`.
 */
import { ShoalError } from '@shoal/core';

export interface CsvDialect {
  readonly separator: string;
  readonly quote: string;
}

/** Rows of one text. A quoted value may hold line breaks. @throws ShoalError for a quote that is never closed */
export function parseCsvRows(text: string, dialect: CsvDialect): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const value =
      text.startsWith(dialect.quote, at) && dialect.quote !== '' ? quoted(text, at, dialect) : bare(text, at, dialect);
    row.push(value.text);
    at = value.end;
    if (text.startsWith(dialect.separator, at)) {
      at += dialect.separator.length;
      continue;
    }
    rows.push(row);
    row = [];
    if (at >= text.length) break;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at >= text.length) break;
  }
  return rows;
}

interface Value {
  readonly text: string;
  /** Offset of the separator, the line break or the end. */
  readonly end: number;
}

function bare(text: string, from: number, dialect: CsvDialect): Value {
  let end = from;
  while (end < text.length && !isRowEnd(text, end) && !text.startsWith(dialect.separator, end)) end++;
  return { text: text.slice(from, end), end };
}

function isRowEnd(text: string, at: number): boolean {
  return text[at] === '\n' || text.startsWith('\r\n', at);
}

function quoted(text: string, from: number, dialect: CsvDialect): Value {
  const { quote } = dialect;
  let value = '';
  let at = from + quote.length;
  for (;;) {
    const end = text.indexOf(quote, at);
    if (end < 0) throw new ShoalError('illegal_argument_exception', 400, 'a quoted value is not closed');
    value += text.slice(at, end);
    at = end + quote.length;
    if (!text.startsWith(quote, at)) break;
    value += quote;
    at += quote.length;
  }
  const tail = bare(text, at, dialect);
  return { text: value + tail.text, end: tail.end };
}

/** One row, without a line break. null is an empty value, the empty text a quoted one. */
export function csvRowText(values: readonly (string | null)[], dialect: CsvDialect): string {
  return values.map((value) => (value === null ? '' : csvValueText(value, dialect))).join(dialect.separator);
}

function csvValueText(value: string, { separator, quote }: CsvDialect): string {
  const isPlain = value !== '' && !value.includes(separator) && !value.includes(quote) && !/[\r\n]|^\s|\s$/.test(value);
  return isPlain ? value : quote + value.replaceAll(quote, quote + quote) + quote;
}
