/**
 * Rows of comma-separated values as Ruby's library writes them.
 */

export interface CsvDialect {
  readonly separator: string;
  readonly quote: string;
}

/** One row, without a line break. null is an empty value, the empty text a quoted one. */
export function csvRowText(values: readonly (string | null)[], dialect: CsvDialect): string {
  return values.map((value) => (value === null ? '' : csvValueText(value, dialect))).join(dialect.separator);
}

function csvValueText(value: string, { separator, quote }: CsvDialect): string {
  const isPlain = value !== '' && !value.includes(separator) && !value.includes(quote) && !/[\r\n]/.test(value);
  return isPlain ? value : quote + value.replaceAll(quote, quote + quote) + quote;
}
