/**
 * Reads one record of separated values: quoted ones may hold separators, line breaks, and doubled quotes.
 */

/** null when a quote is not closed, or text stands behind a closing one. An empty value without quotes is null, as in Ruby. */
export function readCsvRecord(text: string, separator: string, quote: string): readonly (string | null)[] | null {
  const line = text.replace(/\r?\n$/, '');
  const values: (string | null)[] = [];
  let position = 0;
  for (;;) {
    if (quote !== '' && line.startsWith(quote, position)) {
      const quoted = readQuoted(line, position + quote.length, quote);
      if (quoted === null) return null;
      values.push(quoted.value);
      position = quoted.end;
      if (position < line.length && !line.startsWith(separator, position)) return null;
    } else {
      const end = separator === '' ? -1 : line.indexOf(separator, position);
      const value = line.slice(position, end < 0 ? line.length : end);
      // A quote inside a value that did not begin with one is an error in Ruby's reader.
      if (quote !== '' && value.includes(quote)) return null;
      values.push(value === '' ? null : value);
      position = end < 0 ? line.length : end;
    }
    if (position >= line.length) return values;
    position += separator.length;
    if (position >= line.length) {
      values.push(null);
      return values;
    }
  }
}

function readQuoted(line: string, start: number, quote: string): { value: string; end: number } | null {
  let value = '';
  let from = start;
  for (;;) {
    const end = line.indexOf(quote, from);
    if (end < 0) return null;
    value += line.slice(from, end);
    if (!line.startsWith(quote, end + quote.length)) return { value, end: end + quote.length };
    value += quote;
    from = end + 2 * quote.length;
  }
}

/** Texts of the records in a text: line breaks between quotes end none. Empty lines are no records unless they are kept. */
export function csvRecords(
  text: string,
  quote: string,
  { keepsEmpty }: { readonly keepsEmpty: boolean } = { keepsEmpty: false },
): readonly string[] {
  const records: string[] = [];
  let held = '';
  let isOpen = false;
  for (const line of text.split(/(?<=\n)/)) {
    held += line;
    if (quote !== '' && line.split(quote).length % 2 === 0) isOpen = !isOpen;
    if (isOpen) continue;
    if (keepsEmpty ? held !== '' : held.trim() !== '') records.push(held);
    held = '';
  }
  if (held !== '') records.push(held);
  return records;
}
